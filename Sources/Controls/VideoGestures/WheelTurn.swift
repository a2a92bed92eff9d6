import GlissadeGestures
import GlissadeInput
import GlissadeTime

/// A turn of the wheel over the video: a series of scroll events without a pause, and the action that they perform.
struct WheelTurn {
    /// The action of a turn of the wheel, chosen once the turn's direction is clear.
    enum Use {
        case volume
        /// Seeks: `seekSideways` by horizontal scrolling, `seekUpright` by vertical scrolling with Shift.
        case seekSideways, seekUpright
        case nothing
    }

    /// The scroll distance at which the direction is clear, in notches.
    static let travel = PanRecognizer.defaultMinimumTravel / GestureArbiter.pointsPerNotch

    var use: Use?
    private var x = 0.0
    private var y = 0.0
    private var last: HostTime

    init(now: HostTime) { last = now }

    func isOver(at now: HostTime) -> Bool { now - last >= GestureArbiter.scrollPause }

    mutating func add(_ event: ScrollEvent) {
        x += event.deltaX
        y += event.deltaY
        keep(event.time)
    }

    mutating func keep(_ now: HostTime) { last = max(last, now) }

    var isSideways: Bool { abs(x) >= abs(y) }
    var hasDirection: Bool { max(abs(x), abs(y)) >= Self.travel }

    /// Returns the number of notches since the last call, along the axis that `use` determines. For a seek, positive
    /// numbers seek back.
    mutating func takeNotches() -> Double {
        defer { (x, y) = (0, 0) }
        return switch use {
        case .seekSideways: x
        case .seekUpright: -y
        case .volume, .nothing, nil: y
        }
    }
}
