import GlissadeGeometry
import Glibc
import GlissadeInput
import GlissadePresentation
import GlissadeTime

/// The scripted input of a scenario: a sequence of input events that does not depend on what the player does.
struct InputScript {
    /// The time between two steps, about the report interval of a typical mouse.
    static let interval = Duration.milliseconds(8)
    /// The time from the first swap to the first event.
    static let delay = Duration.seconds(1)

    /// How long the pointer moves before the script's first press, key or scroll event, in seconds.
    static let approach = 0.6

    private enum Action { case drag, throwing, push, scrub, key(Character, every: Double), scroll }

    private let action: Action
    /// When the script started; nil before that.
    private var start: HostTime?
    /// The number of the next step. Steps are `interval` apart.
    private var step = 0
    private var isPressed = false
    private var isOver = false

    /// Creates the script of a scenario; nil if the scenario has no input.
    init?(_ scenario: Scenario) {
        switch scenario {
        case .rest, .throughput: return nil
        case .drag: action = .drag
        case .throwing: action = .throwing
        case .push: action = .push
        case .scrub: action = .scrub
        // The transition takes about half a second. A short pause follows.
        case .fullscreen: action = .key("f", every: 0.8)
        case .float: action = .key("o", every: 1.0)
        case .list: action = .scroll
        }
    }

    /// When the next step is due; nil before the script has started, and after its end.
    var nextTime: HostTime? { isOver ? nil : start.map { $0 + Self.delay + Self.interval * step } }

    /// Starts the script, unless it has already started.
    mutating func begin(at time: HostTime) { if start == nil { start = time } }

    /// Appends the events of the next step, for a window of `size` points.
    mutating func next(in size: Size, into events: inout [WindowEvent]) {
        guard let time = nextTime else { return }
        let seconds = Double(step) * Self.interval.inSeconds - Self.approach
        step += 1
        if seconds < 0 {
            // The pointer moves into place before the first press.
            let point = Point(x: size.width * (0.5 + seconds / 4), y: size.height * 0.4)
            return events.append(pointer(.moved, point, time))
        }
        switch action {
        case .drag: drag(seconds, size, time, &events)
        case .throwing: play(Self.throwing, seconds, size, time, &events)
        case .push: play(Self.push, seconds, size, time, &events)
        case .scrub: scrub(seconds, size, time, &events)
        case .scroll: scroll(seconds, size, time, &events)
        case .key(let character, let interval): type(character, every: interval, seconds, time, &events)
        }
    }

    // MARK: - Dragging

    /// Drags the page back and forth with a period of 1.5 s. The pointer stays between 10 % and 80 % of the window's
    /// width to the right of the position of the press. The button stays pressed.
    private mutating func drag(_ seconds: Double, _ size: Size, _ time: HostTime, _ events: inout [WindowEvent]) {
        let start = 0.05
        let fraction = 0.45 - 0.35 * cosine(turns: seconds / 1.5)
        let point = Point(x: (start + (isPressed ? fraction : 0)) * size.width, y: size.height / 2)
        events.append(pointer(isPressed ? .moved : .pressed, point, time))
        isPressed = true
    }

    // MARK: - Keys

    /// Presses a key every `interval` seconds.
    private func type(
        _ character: Character, every interval: Double, _ seconds: Double, _ time: HostTime,
        _ events: inout [WindowEvent]
    ) {
        let place = seconds.truncatingRemainder(dividingBy: interval)
        guard place < Self.interval.inSeconds else { return }
        events.append(.input(.key(KeyEvent(key: .character(character), time: time))))
    }

    // MARK: - Scrolling

    /// Scrolls down and up again in rounds of 4 s. In each round, scrolls down from 0 s to 0.5 s, and up by the same
    /// amount from 2 s to 2.5 s.
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

    /// How many times the progress bar is dragged. After the last drag, the video plays to its end.
    private static let scrubCount = 5
    /// The distance between the progress bar's center and the window's lower edge, in points.
    static let progressBarHeight = 64.0

    /// Repeatedly drags the progress bar for 3 s, releases it, and waits for 1 s. Ends the script after `scrubCount`
    /// drags.
    ///
    /// During a drag, the pointer moves from 20 % to 80 % of the window's width and back every 2 s.
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

    // MARK: - Swipes

    /// A horizontal drag in a `Round`. `from` and `to` are fractions of the window's width; `y` is a fraction of its
    /// height.
    private struct Swipe {
        /// When the swipe starts, in seconds since the start of the round.
        var at: Double
        var from: Double
        var to: Double
        var seconds: Double
        var y = 0.5
    }

    /// A sequence of swipes and clicks that repeats every `seconds` seconds.
    private struct Round {
        var swipes: [Swipe]
        /// The times of clicks on the miniplayer, in seconds since the start of the round.
        var barClicks: [Double]
        var seconds: Double
    }

    /// Throws the page away, and brings it back with the miniplayer. Then drags the page too little to dismiss it, and
    /// the page springs back.
    private static let throwing = Round(
        swipes: [
            Swipe(at: 0, from: 0.2, to: 0.5, seconds: 0.12), Swipe(at: 2.4, from: 0.2, to: 0.32, seconds: 0.3),
        ], barClicks: [1.2], seconds: 3.6)
    /// Pulls in the page on the right and throws it out again.
    private static let push = Round(
        swipes: [
            Swipe(at: 0, from: 0.8, to: 0.4, seconds: 0.2), Swipe(at: 1.2, from: 0.3, to: 0.7, seconds: 0.2),
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
        for swipe in round.swipes {
            let fraction = (place - swipe.at) / swipe.seconds
            guard fraction >= 0, fraction < 1 + tick / swipe.seconds else { continue }
            let x = swipe.from + (swipe.to - swipe.from) * min(fraction, 1)
            let point = Point(x: x * size.width, y: swipe.y * size.height)
            if fraction < tick / swipe.seconds {
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

    private func cosine(turns: Double) -> Double { cos(turns * 2 * .pi) }
}
