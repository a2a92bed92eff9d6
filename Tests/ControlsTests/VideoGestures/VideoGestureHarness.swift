import GlissadeGeometry
import GlissadeGestures
import GlissadeInput
import GlissadeTime

@testable import GlissadeControls

/// Sends input to a video of 1000×500 points through an arbiter, at times of its own, and logs what happens.
@MainActor final class VideoGestureHarness {
    let gestures = VideoGestures()
    let arbiter = GestureArbiter()
    var now = HostTime(nanoseconds: 1_000_000_000)
    var modifiers: Modifiers = []
    /// What happened since it was last taken.
    private var trace: [String] = []
    /// What was asked whether it may be.
    var asked: [String] = []
    var vetoes: Set<VideoGesture> = []
    var position = Duration.seconds(100)
    var duration: Duration? = .seconds(400)

    init() {
        gestures.frame = Rect(x: 0, y: 0, width: 1000, height: 500)
        gestures.shouldTrigger = { [unowned self] gesture, point in
            asked.append("\(gesture.rawValue) \(Int(point.x)),\(Int(point.y))")
            return !vetoes.contains(gesture)
        }
        gestures.timeline = { [unowned self] in (position, duration) }
        gestures.onClick = { [unowned self] _, _ in trace.append("click") }
        gestures.onLockedClick = { [unowned self] _, _ in trace.append("locked click") }
        gestures.onDoubleClick = { [unowned self] _, _ in trace.append("double click") }
        gestures.onSkip = { [unowned self] step, _, _ in trace.append("skip \(Int(step.inSeconds))") }
        gestures.onLevelDrag = { [unowned self] level, drag, _ in trace.append("\(level) \(Self.text(drag))") }
        gestures.onDismissDrag = { [unowned self] drag, _ in trace.append("dismiss \(Self.text(drag))") }
        gestures.onLongPress = { [unowned self] isHeld, _ in trace.append(isHeld ? "fast" : "normal") }
        gestures.onVolumeWheel = { [unowned self] notches, _ in trace.append("volume by \(Self.text(notches))") }
        gestures.onSeek = { [unowned self] seek, _ in trace.append(Self.text(seek)) }
        gestures.onPinch = { [unowned self] pinch, _ in trace.append(Self.text(pinch)) }
    }

    /// What happened since the last call.
    func took() -> [String] {
        defer { trace = [] }
        return trace
    }

    func wait(_ milliseconds: Int) {
        now = now + .milliseconds(milliseconds)
        arbiter.advance(to: now)
        gestures.advance(to: now)
    }

    @discardableResult func send(
        _ phase: PointerEvent.Phase, _ x: Double, _ y: Double, button: PointerEvent.Button? = nil, pointer: Int = 0
    ) -> Bool {
        let event = PointerEvent(
            phase: phase, position: Point(x: x, y: y), button: button, modifiers: modifiers, time: now,
            pointer: pointer)
        return arbiter.handle(.pointer(event)) { _ in [gestures] }
    }

    func press(_ x: Double, _ y: Double = 250, pointer: Int = 0) {
        send(.pressed, x, y, button: .primary, pointer: pointer)
    }

    func move(_ x: Double, _ y: Double, pointer: Int = 0) {
        wait(10)
        send(.moved, x, y, pointer: pointer)
    }

    func release(_ x: Double, _ y: Double = 250, pointer: Int = 0) {
        send(.released, x, y, button: .primary, pointer: pointer)
    }

    func click(_ x: Double, _ y: Double = 250) {
        press(x, y)
        wait(30)
        release(x, y)
    }

    func doubleClick(_ x: Double, _ y: Double = 250) {
        click(x, y)
        wait(50)
        click(x, y)
    }

    @discardableResult func scroll(_ x: Double, _ y: Double, after milliseconds: Int = 10) -> Bool {
        wait(milliseconds)
        let event = ScrollEvent(
            deltaX: x, deltaY: y, position: Point(x: 600, y: 100), modifiers: modifiers, time: now)
        return arbiter.handle(.scroll(event)) { _ in [gestures] }
    }

    func escape() { arbiter.handle(.key(KeyEvent(key: .escape, time: now))) { _ in [] } }

    /// Whether clicks, drags and scrolls are what they were at first.
    func works() -> Bool {
        wait(2000)
        _ = took()
        click(500)
        wait(400)
        press(800, 400)
        move(800, 192)
        release(800, 192)
        scroll(0, 1)
        wait(2000)
        return took()
            == ["click", "volume began", "volume 0.5", "volume ended", "volume by 1.0"]
    }

    private static func text(_ value: Double) -> String { "\((value * 1000).rounded() / 1000)" }

    private static func text(_ drag: VideoGestures.LevelDrag) -> String {
        if case .changed(let delta) = drag { text(delta) } else { "\(drag)" }
    }

    private static func text(_ drag: VideoGestures.DismissDrag) -> String {
        switch drag {
        case .began, .cancelled: "\(drag)"
        case .changed(let translation): "\(text(translation.x)),\(text(translation.y))"
        case .ended(let velocity): "ended \(text(velocity.x)),\(text(velocity.y))"
        }
    }

    private static func text(_ seek: VideoGestures.Seek) -> String {
        switch seek {
        case .began(let position): "seek from \(text(position.inSeconds))"
        case .changed(let position): "seek to \(text(position.inSeconds))"
        case .ended(let position): "sought \(text(position.inSeconds))"
        }
    }

    private static func text(_ pinch: VideoGestures.Pinch) -> String {
        switch pinch {
        case .began: "pinch"
        case .changed(let scale): "pinch \(text(scale))"
        case .ended(let scaling): "pinched \(scaling.map { "\($0)" } ?? "nothing")"
        }
    }
}
