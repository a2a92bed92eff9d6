import Geometry
import Glibc
import Input
import Presentation
import Time

/// A hand that does the same again and again, for measurements: its events are told by their times alone.
struct InputScript {
    /// A mouse's rate.
    static let interval = Duration.milliseconds(8)
    /// So long after the first swap the hand comes.
    static let delay = Duration.seconds(1)

    /// And then moves about for so long before it presses, in seconds.
    static let approach = 0.6

    private enum Act { case swing, throwing, push, scrub, key(Character, every: Double), scroll }

    private let act: Act
    private var began: HostTime?
    /// Steps of `interval` since then.
    private var step = 0
    private var isPressed = false
    private var isOver = false

    /// Nil for a scenario without a hand.
    init?(_ scenario: Scenario) {
        switch scenario {
        case .rest, .throughput: return nil
        case .drag: act = .swing
        case .throwing: act = .throwing
        case .push: act = .push
        case .scrub: act = .scrub
        // Half a second on the way, and a little to be seen there.
        case .fullscreen: act = .key("f", every: 0.8)
        case .float: act = .key("o", every: 1.0)
        case .list: act = .scroll
        }
    }

    /// The next event's time, nil after the last; the script begins with the first swap.
    var nextTime: HostTime? { isOver ? nil : began.map { $0 + Self.delay + Self.interval * step } }

    mutating func begin(at time: HostTime) { if began == nil { began = time } }

    /// The events of the next step in a window of `size`.
    mutating func next(in size: Size, into events: inout [WindowEvent]) {
        guard let time = nextTime else { return }
        let seconds = Double(step) * Self.interval.inSeconds - Self.approach
        step += 1
        if seconds < 0 {
            // A hand comes before it takes hold.
            let point = Point(x: size.width * (0.5 + seconds / 4), y: size.height * 0.4)
            return events.append(pointer(.moved, point, time))
        }
        switch act {
        case .swing: swing(seconds, size, time, &events)
        case .throwing: play(Self.throwing, seconds, size, time, &events)
        case .push: play(Self.push, seconds, size, time, &events)
        case .scrub: scrub(seconds, size, time, &events)
        case .scroll: scroll(seconds, size, time, &events)
        case .key(let character, let interval): type(character, every: interval, seconds, time, &events)
        }
    }

    // MARK: - Swinging

    /// From 10 % to 80 % of the width and back, in 1.5 s.
    private mutating func swing(_ seconds: Double, _ size: Size, _ time: HostTime, _ events: inout [WindowEvent]) {
        let start = 0.05
        let fraction = 0.45 - 0.35 * cosine(turns: seconds / 1.5)
        let point = Point(x: (start + (isPressed ? fraction : 0)) * size.width, y: size.height / 2)
        events.append(pointer(isPressed ? .moved : .pressed, point, time))
        isPressed = true
    }

    // MARK: - Keys

    /// Presses a key again and again.
    private func type(
        _ character: Character, every interval: Double, _ seconds: Double, _ time: HostTime,
        _ events: inout [WindowEvent]
    ) {
        let place = seconds.truncatingRemainder(dividingBy: interval)
        guard place < Self.interval.inSeconds else { return }
        events.append(.input(.key(KeyEvent(key: .character(character), time: time))))
    }

    // MARK: - Scrolling

    /// Turns the wheel down for half a second, and two seconds later up again as far.
    private func scroll(_ seconds: Double, _ size: Size, _ time: HostTime, _ events: inout [WindowEvent]) {
        let place = seconds.truncatingRemainder(dividingBy: 4)
        let notch = 0.05
        guard place.truncatingRemainder(dividingBy: 2) < 0.5,
            place.truncatingRemainder(dividingBy: notch) < Self.interval.inSeconds
        else { return }
        let point = Point(x: size.width / 2, y: size.height / 2)
        events.append(
            .input(.scroll(ScrollEvent(deltaX: 0, deltaY: place < 2 ? -1 : 1, position: point, time: time))))
    }

    // MARK: - Scrubbing

    /// How often the progress bar is drawn along; then the film plays to its end.
    private static let scrubCount = 5
    /// How far the middle of the progress bar is above the window's lower edge, in points.
    static let progressBarHeight = 64.0

    /// For 3 s along the progress bar, from 20 % to 80 % of the window and back in 2 s; then it is let go for 1 s.
    private mutating func scrub(_ seconds: Double, _ size: Size, _ time: HostTime, _ events: inout [WindowEvent]) {
        if seconds >= 4 * Double(Self.scrubCount) {
            isOver = true
            return
        }
        let place = seconds.truncatingRemainder(dividingBy: 4)
        let fraction = 0.5 - 0.3 * cosine(turns: place / 2)
        let point = Point(x: fraction * size.width, y: size.height - Self.progressBarHeight)
        if place < 3 {
            events.append(pointer(isPressed ? .moved : .pressed, point, time))
        } else if isPressed {
            events.append(pointer(.released, point, time))
        }
        isPressed = place < 3
    }

    // MARK: - Strokes

    /// A stroke of the hand from one place to another, in shares of the window, from a time of the round on.
    private struct Stroke {
        var at: Double
        var from: Double
        var to: Double
        var seconds: Double
        var y = 0.5
    }

    private struct Round {
        var strokes: [Stroke]
        /// Clicks on the small bar at the bottom.
        var barClicks: [Double]
        var seconds: Double
    }

    /// Throws the page away, brings it back by the small bar, and lets it spring back.
    private static let throwing = Round(
        strokes: [
            Stroke(at: 0, from: 0.2, to: 0.5, seconds: 0.12), Stroke(at: 2.4, from: 0.2, to: 0.32, seconds: 0.3),
        ], barClicks: [1.2], seconds: 3.6)
    /// Pulls in the page at the right, and throws it out again.
    private static let push = Round(
        strokes: [
            Stroke(at: 0, from: 0.8, to: 0.4, seconds: 0.2), Stroke(at: 1.2, from: 0.3, to: 0.7, seconds: 0.2),
        ], barClicks: [], seconds: 2.4)

    private mutating func play(
        _ round: Round, _ seconds: Double, _ size: Size, _ time: HostTime, _ events: inout [WindowEvent]
    ) {
        let place = seconds.truncatingRemainder(dividingBy: round.seconds)
        let tick = Self.interval.inSeconds
        for click in round.barClicks where place >= click && place < click + tick {
            let point = Point(x: size.width * 0.4, y: size.height - 45)
            events.append(pointer(.pressed, point, time))
            events.append(pointer(.released, point, time))
        }
        for stroke in round.strokes {
            let fraction = (place - stroke.at) / stroke.seconds
            guard fraction >= 0, fraction < 1 + tick / stroke.seconds else { continue }
            let x = stroke.from + (stroke.to - stroke.from) * min(fraction, 1)
            let point = Point(x: x * size.width, y: stroke.y * size.height)
            if fraction < tick / stroke.seconds {
                events.append(pointer(.pressed, point, time))
            } else {
                events.append(pointer(.moved, point, time))
                if fraction >= 1 { events.append(pointer(.released, point, time)) }
            }
        }
    }

    private func pointer(_ phase: PointerEvent.Phase, _ point: Point, _ time: HostTime) -> WindowEvent {
        let button: PointerEvent.Button? = phase == .moved ? nil : .primary
        return .input(.pointer(PointerEvent(phase: phase, position: point, button: button, time: time)))
    }

    /// The cosine of so many turns.
    private func cosine(turns: Double) -> Double { cos(turns * 2 * .pi) }
}
