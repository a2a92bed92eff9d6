import GlissadeGeometry
import GlissadeTime

@testable import GlissadeNavigation

/// An element at 100,100 of 320×180 points that logs its callbacks.
@MainActor final class RecordingElement: FullscreenElement {
    var inlinePlace: InlinePlace? = InlinePlace(
        frame: Rect(x: 100, y: 100, width: 320, height: 180), cornerRadius: 12)
    var pictureSize: Size? = Size(width: 1920, height: 1080)
    var log: [String] = []
    var figures: [FullscreenGeometry] = []
    var onShow: (() -> Void)?

    func willLeavePlace() { log.append("willLeave") }
    func show(_ figure: FullscreenGeometry) {
        figures.append(figure)
        onShow?()
    }
    func didReturn(isGone: Bool) { log.append(isGone ? "gone" : "returned") }
}

/// A window of 1000×500 points in which an element goes fullscreen, and the time that it is told.
@MainActor final class FullscreenHarness {
    static let bounds = Rect(x: 0, y: 0, width: 1000, height: 500)
    let fullscreen = FullscreenController()
    let element = RecordingElement()
    var now = HostTime(nanoseconds: 1_000_000_000)
    private(set) var log: [String] = []

    init() {
        fullscreen.bounds = Self.bounds
        fullscreen.pagesFrame = Self.bounds
        fullscreen.onStateChange = { [unowned self] in log.append("\($0)") }
        fullscreen.onWindow = { [unowned self] in log.append("window \($0)") }
    }

    func takeLog() -> [String] {
        defer { (log, element.log) = ([], []) }
        return element.log + log
    }

    var seen: FullscreenGeometry { element.figures.last ?? FullscreenGeometry(frame: .zero, progress: .nan) }

    @discardableResult func frame(after milliseconds: Double = 10) -> Bool {
        now = now + .nanoseconds(Int64(milliseconds * 1e6))
        return fullscreen.advance(to: now)
    }

    /// Frame by frame, to where nothing moves any more.
    func settle() {
        for _ in 0..<60 where fullscreen.isAnimating { frame() }
    }

    func enter() {
        fullscreen.enter(element, now: now)
        settle()
        _ = takeLog()
    }

    /// Draws it from rest, and has it seen.
    func drag(_ x: Double, _ y: Double) {
        if !fullscreen.isHeld { _ = fullscreen.beginDrag(now: now) }
        fullscreen.drag(by: Point(x: x, y: y), now: now)
        frame()
    }

    func leave() { fullscreen.leave(now: now) }
}

extension Rect {
    func isNear(_ other: Rect, within tolerance: Double = 1e-6) -> Bool { (self - other).magnitude <= tolerance }
}
