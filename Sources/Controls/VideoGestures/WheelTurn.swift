import Gestures
import Input
import Time

/// A turn of the wheel over the video: scroll events without a pause in between, and their use.
struct WheelTurn {
    /// Its use, decided once it has gone far enough to tell its direction.
    enum Use {
        case volume
        /// Along the axis of the wheel: with Shift, vertical scrolls seek.
        case seekSideways, seekUpright
        case nothing
    }

    /// The travel that tells the direction, in notches.
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

    /// Takes the unused notches along the axis in use. A negative number seeks forward: to the right, and up.
    mutating func takeNotches() -> Double {
        defer { (x, y) = (0, 0) }
        return switch use {
        case .seekSideways: x
        case .seekUpright: -y
        case .volume, .nothing, nil: y
        }
    }
}
