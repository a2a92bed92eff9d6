package import GlissadeGeometry
import Glibc

/// One step of a scripted mouse. Its path is a function of time, the same on any machine.
package enum PointerStep: Hashable, Sendable {
    /// Is there, at once.
    case move(Point)
    case press(button: Int)
    case release(button: Int)
    case wait(seconds: Double)
    /// Presses a key and lets it go, by the name of its symbol in X: `space`, `bracketleft`, `braceleft`. Shift goes with it
    /// where the symbol needs it.
    case key(String)
    /// Goes there, gently at both ends.
    case glide(to: Point, seconds: Double)
    /// To and fro between two x, as a sine, beginning at the first one; it ends wherever it is then.
    case swing(from: Double, to: Double, seconds: Double, period: Double)
    /// Faster and faster over `distance` pixels to the right (left, where negative) up to `velocity` pixels a second, and
    /// lets go of the left button there.
    case fling(distance: Double, velocity: Double)

    /// Reads `key:NAME`, `move:X,Y`, `press`, `press:BUTTON`, `release`, `wait:S`, `glide:X,Y,S`, `swing:X0,X1,S`,
    /// `swing:X0,X1,S,PERIOD` (1 s) or `throw:DISTANCE,VELOCITY`; nil where it is none of them. Times and velocities are
    /// positive, buttons 1 to 9.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        if parts[0] == "key" {
            guard parts.count == 2, (1...32).contains(parts[1].count),
                parts[1].allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") })
            else { return nil }
            self = .key(String(parts[1]))
            return
        }
        let words = parts.count == 2 ? parts[1].split(separator: ",", omittingEmptySubsequences: false) : []
        let numbers = words.compactMap { Double($0) }.filter { abs($0) <= 100_000 }
        guard numbers.count == words.count else { return nil }
        func number(_ index: Int) -> Double { numbers[index] }
        func button() -> Int? {
            guard let number = numbers.first else { return 1 }
            return (1...9).contains(number) && number == number.rounded() ? Int(number) : nil
        }
        switch (parts[0], numbers.count) {
        case ("move", 2): self = .move(Point(x: number(0), y: number(1)))
        case ("press", 0...1):
            guard let button = button() else { return nil }
            self = .press(button: button)
        case ("release", 0...1):
            guard let button = button() else { return nil }
            self = .release(button: button)
        case ("wait", 1) where number(0) > 0: self = .wait(seconds: number(0))
        case ("glide", 3) where number(2) > 0:
            self = .glide(to: Point(x: number(0), y: number(1)), seconds: number(2))
        case ("swing", 3) where number(2) > 0:
            self = .swing(from: number(0), to: number(1), seconds: number(2), period: 1)
        case ("swing", 4) where number(2) > 0 && number(3) > 0:
            self = .swing(from: number(0), to: number(1), seconds: number(2), period: number(3))
        case ("throw", 2) where number(0) != 0 && number(1) > 0:
            self = .fling(distance: number(0), velocity: number(1))
        default: return nil
        }
    }

    /// How long it takes, in seconds.
    package var seconds: Double {
        switch self {
        case .move, .press, .release, .key: 0
        case .wait(let seconds), .glide(_, let seconds), .swing(_, _, let seconds, _): seconds
        // Evenly faster from rest: half the velocity on average.
        case .fling(let distance, let velocity): 2 * abs(distance) / velocity
        }
    }

    /// Where the pointer is `time` seconds after the step began at `start`.
    package func position(at time: Double, from start: Point) -> Point {
        let fraction = seconds > 0 ? min(max(time / seconds, 0), 1) : 1
        switch self {
        case .press, .release, .wait, .key: return start
        case .move(let point): return point
        case .glide(let end, _):
            let way = (1 - cos(.pi * fraction)) / 2
            return Point(x: start.x + (end.x - start.x) * way, y: start.y + (end.y - start.y) * way)
        case .swing(let first, let second, let seconds, let period):
            let way = (1 - cos(2 * .pi * fraction * seconds / period)) / 2
            return Point(x: first + (second - first) * way, y: start.y)
        case .fling(let distance, _): return Point(x: start.x + distance * fraction * fraction, y: start.y)
        }
    }
}
