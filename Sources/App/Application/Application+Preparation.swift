import Geometry
import Gestures
import Layers
import Platform
import Rendering
import Time

/// What is made ready before it is wanted: what the renderer draws with, and the page beneath the film's. A value; main thread.
@MainActor struct Preparation {
    private var prewarmStep = 0
    /// How many steps there are.
    private let stepCount: Int
    /// What was made ready of what lies beneath the film, and when.
    private var prepared: Beneath?
    private var preparedAt = HostTime(nanoseconds: 0)
    /// When a pointer or a key last gave a sign.
    private var lastInput: HostTime?

    private struct Beneath: Equatable {
        var page: ObjectIdentifier
        var size: Size
        var scale: Double
    }

    /// The page beneath a film is not made ready sooner after its first frame, out of the way of its beginning.
    private static let delay = Duration.milliseconds(600)
    private static let interval = Duration.seconds(4)
    /// So long before the next frame is due there is room for a part of what is made ready.
    private static let prewarmRoom = Duration.milliseconds(8)
    /// So much of a frame's time is spent on it, where several steps take no longer.
    private static let prewarmFraction = Duration.milliseconds(3)
    /// Between two parts, where no frame is drawn.
    private static let prewarmInterval = Duration.milliseconds(10)
    /// So long after its last sign a hand is not expected any more.
    private static let inputStays = Duration.seconds(10)

    /// - Parameter stepCount: in how many steps the renderer is made ready (`Renderer.prewarmSteps`).
    init(stepCount: Int) { self.stepCount = stepCount }

    /// Whether there is anything left to make of what the renderer draws with.
    var isPrewarming: Bool { prewarmStep < stepCount }
    /// When there is more to make, where it has begun and nothing is drawn meanwhile.
    func nextPrewarm(now: HostTime) -> HostTime? {
        prewarmStep > 0 && isPrewarming ? now + Self.prewarmInterval : nil
    }
    /// Whether nothing was made ready beneath the film yet.
    var isFirst: Bool { prepared == nil }

    /// A pointer moved, or a key was pressed: pages may move soon.
    mutating func note(at now: HostTime) { lastInput = now }

    /// Until when more input is expected.
    var inputStaysUntil: HostTime? { lastInput.map { $0 + Self.inputStays } }

    /// Whether the time has come for the page beneath, which is after the film's first frames and the first input.
    func mayPrepare(now: HostTime, firstShown: HostTime) -> Bool {
        lastInput != nil && now >= firstShown + Self.delay
    }

    /// When that is, while it has not come.
    func nextWake(now: HostTime, firstShown: HostTime) -> HostTime? {
        lastInput != nil && isFirst && now < firstShown + Self.delay ? firstShown + Self.delay : nil
    }

    /// Whether `page` has another size than it was made ready for, or that is long ago; then it is now.
    mutating func isDue(_ page: AnyObject, size: Size, scale: Double, isChanged: Bool, now: HostTime) -> Bool {
        let state = Beneath(page: ObjectIdentifier(page), size: size, scale: scale)
        guard isChanged || prepared != state || now - preparedAt > Self.interval else { return false }
        prepared = state
        preparedAt = now
        return true
    }

    /// As much of what the renderer draws with as there is room for before the next frame.
    mutating func prewarm(_ renderer: any Renderer, nextFrameDue: HostTime?) {
        let began = HostTime.now()
        var now = began
        while isPrewarming, now - began < Self.prewarmFraction {
            // A frame that comes late because of it is shown; two in a row would cost one.
            if let nextFrameDue, nextFrameDue - now < Self.prewarmRoom { return }
            // A driver that fails here will fail, and say so, when it matters.
            try? renderer.prewarm(step: prewarmStep)
            prewarmStep += 1
            now = .now()
        }
    }
}

extension Application {
    /// The library that the film's page covers, once it is time to make it ready: before a hand draws that page aside.
    private func pageToPrepare(at now: HostTime) -> LibraryPage? {
        guard let firstShown, preparation.mayPrepare(now: now, firstShown: firstShown), !isBusyMoving,
            !stack.isTransitioning, stack.pages.count > 1, stack.top === playerPage
        else { return nil }
        return stack.pages[stack.pages.count - 2] as? LibraryPage
    }

    /// Reads, lays out and sets the page beneath; again now and then, so that nothing of it is dropped meanwhile. Memory that
    /// is kept for its picture goes when there was no input for a while.
    func prepareBeneath(now: HostTime) {
        if let end = preparation.inputStaysUntil, now >= end { snapshots.letMemoryGo() }
        guard let library = pageToPrepare(at: now) else { return }
        if preparation.isFirst { history?.askRecent() }
        library.load()
        let isChanged = library.advance(to: now, isMoving: false)
        let size = stack.layer.frame.size
        if preparation.isDue(library, size: size, scale: snapshots.scale, isChanged: isChanged, now: now) {
            snapshots.prepare(library, size: size)
        }
    }

    /// Whether something moves that needs each frame's time more than a page beneath is to be made ready.
    private var isBusyMoving: Bool {
        fullscreen.isAnimating || sessions.contains { $0.floating.state == .starting || $0.floating.state == .stopping }
    }

    /// After the first frame, what pages are drawn with is made ready, a little between any two frames.
    func prewarm() {
        guard preparation.isPrewarming, !fullscreen.isAnimating else { return }
        preparation.prewarm(renderer, nextFrameDue: nextFrameDue)
    }

    /// Goes on with it where nothing moves, and no film plays.
    func prewarmAtRest(now: HostTime) {
        if preparation.nextPrewarm(now: now) != nil, !isAnimating, nextFrameDue == nil { prewarm() }
    }
}
