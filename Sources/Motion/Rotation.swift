/// A turn by quarters, clockwise, as a picture must be turned to be seen upright.
public enum QuarterTurns: Int, Hashable, Sendable, CaseIterable {
    case none = 0
    case quarter = 1
    case half = 2
    case threeQuarters = 3

    /// The nearest quarter turn to `degrees`, clockwise.
    public init(degreesClockwise degrees: Double) {
        guard degrees.isFinite else {
            self = .none
            return
        }
        let quarters = Int((degrees / 90).rounded().truncatingRemainder(dividingBy: 4))
        self = QuarterTurns(rawValue: ((quarters % 4) + 4) % 4) ?? .none
    }

    /// Whether width and height change places.
    public var swapsAxes: Bool { self == .quarter || self == .threeQuarters }
}
