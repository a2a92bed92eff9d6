/// A clockwise rotation in steps of 90°, used to show a frame upright.
public enum QuarterTurns: Int, Hashable, Sendable, CaseIterable {
    case none = 0
    case quarter = 1
    case half = 2
    case threeQuarters = 3

    /// Creates the rotation nearest to `degrees`, which is measured clockwise; `.none` if `degrees` is not finite.
    public init(degreesClockwise degrees: Double) {
        guard degrees.isFinite else {
            self = .none
            return
        }
        let quarters = Int((degrees / 90).rounded().truncatingRemainder(dividingBy: 4))
        self = QuarterTurns(rawValue: ((quarters % 4) + 4) % 4) ?? .none
    }

    /// Whether the rotation swaps width and height.
    public var swapsAxes: Bool { self == .quarter || self == .threeQuarters }
}

/// The sine and cosine of an angle given in quarter turns, exact at multiples of 90°.
public enum QuarterTurn {
    /// The sine of `quarters` · 90°.
    public static func sine(_ quarters: Double) -> Double { cosine(quarters - 1) }

    /// The cosine of `quarters` · 90°.
    public static func cosine(_ quarters: Double) -> Double {
        switch abs(quarters.remainder(dividingBy: 4)) {
        case 0: 1
        case 1: 0
        case 2: -1
        case let rest: Geometry.cosine(rest * .pi / 2)
        }
    }
}
