import Gestures
import Host
import Motion
import Rendering
import Stage

/// What is made ready for a hand, once there is one: what pages are drawn with, and the page beneath the film's.
@MainActor struct Preparation {
    /// A pointer has come, or a key was pressed: pages may move soon.
    private(set) var hasSeenHand = false
    private var detector = HandDetector()
    private var lastHand: HostTime?
    private var warmUpStep = 0
    /// Whether programs were made since the last frame was shown.
    private var hasWarmedUp = false
    /// Since when a hand waits for what is made ready.
    private var handWaitsSince: HostTime?
    /// What was made ready of what lies beneath the film, and when.
    private var prepared: Beneath?
    private var preparedAt = HostTime(nanoseconds: 0)

    /// Whether there is anything to make ready with: OpenGL. Where the CPU draws it comes with the first hand.
    private(set) var canDraw = true
    private var canDrawSince = HostTime(nanoseconds: 0)
    /// Whether what lies over the film waits: a hand was answered before it could be drawn, and it would be made in the time
    /// of one frame.
    private(set) var holdsOverlays = false

    private var hasAskedDriverCache = false
    private(set) var hasRehearsed = false

    private struct Beneath: Equatable {
        var page: ObjectIdentifier
        var size: Size
        var scale: Double
    }

    /// The page beneath a film is not made ready sooner after its first frame, out of the way of its beginning.
    private static let delay = Duration.milliseconds(600)
    private static let interval = Duration.seconds(4)
    /// So long before the next frame is due there is room for a part of what is made ready.
    private static let warmUpRoom = Duration.milliseconds(8)
    /// So much of a frame's time is spent on them, where several take no longer.
    private static let warmUpShare = Duration.milliseconds(3)
    /// Longer than that a hand is not kept waiting: a driver that has to compile everything takes 300 ms and more.
    private static let handPatience = Duration.milliseconds(150)
    /// Nor what it has brought over the film, which is made ready for a little at a time: longer than a frame takes.
    private static let overlayPatience = Duration.milliseconds(500)
    /// So long after its last sign a hand is not expected any more.
    private static let handStays = Duration.seconds(10)

    /// Whether there are programs still to be made.
    var isWarmingUp: Bool { hasSeenHand && canDraw && warmUpStep < Compositor.warmUpSteps }
    /// Whether nothing was made ready beneath the film yet.
    var isFirst: Bool { prepared == nil }

    /// - Parameter now: when the input came.
    mutating func note(_ input: InputEvent, now: HostTime) {
        guard detector.isHand(input) else { return }
        hasSeenHand = true
        lastHand = now
        if !canDraw { holdsOverlays = true }
    }

    /// - Parameter now: since when, where it is news that there is.
    mutating func setCanDraw(_ canDraw: Bool, now: HostTime) {
        if canDraw, !self.canDraw { canDrawSince = now }
        self.canDraw = canDraw
    }

    /// Whether what lies over the film need not wait any more, where it has: what draws it is ready, or that takes too long.
    func isTimeForOverlays(now: HostTime) -> Bool {
        holdsOverlays && canDraw && (!isWarmingUp || now - canDrawSince > Self.overlayPatience)
    }

    mutating func endHold() { holdsOverlays = false }

    /// Whether a hand was there, and nothing has to be made ready any more for what it may do next, as far as it is known.
    var isReadyForHand: Bool { hasSeenHand && canDraw && !isWarmingUp }

    /// Until when a hand is expected that gave a sign a moment ago: what it may do next is to be ready.
    var handStaysUntil: HostTime? { lastHand.map { $0 + Self.handStays } }

    func isHandNear(now: HostTime) -> Bool { handStaysUntil.map { now < $0 } ?? false }

    /// A hand waits to be answered: all is made ready now.
    mutating func handWaits(now: HostTime) {
        hasSeenHand = true
        lastHand = now
        handWaitsSince = handWaitsSince ?? now
    }

    /// Whether it may come: all is ready, or that takes too long. Not in a frame's time that was spent on making ready: what
    /// the hand does begins with all of the next one, and finds the driver as that frame left it.
    func admitsHand(hasPage: Bool, isRehearsing: Bool = false, now: HostTime) -> Bool {
        guard let handWaitsSince else { return true }
        let time = now - handWaitsSince
        if hasWarmedUp { return time > Self.handPatience * 2 }
        return !isWarmingUp && !(hasPage && isFirst) && !isRehearsing || time > Self.handPatience
    }

    /// A frame was shown.
    mutating func frameShown() { hasWarmedUp = false }

    /// Whether a hand waits, and what the way to fullscreen needs is to be made, which may be what it wants; once, as the first
    /// hand alone is kept waiting.
    mutating func isTimeToRehearse(canDraw: Bool) -> Bool {
        guard canDraw, handWaitsSince != nil, !hasRehearsed else { return false }
        hasRehearsed = true
        return true
    }

    /// Whether the time has come for the page beneath, which is after the film's first frames.
    func mayPrepare(now: HostTime, firstShown: HostTime) -> Bool {
        hasSeenHand && canDraw && now >= firstShown + Self.delay
    }

    /// When that is, while it has not come.
    func nextWake(now: HostTime, firstShown: HostTime) -> HostTime? {
        hasSeenHand && canDraw && isFirst && now < firstShown + Self.delay ? firstShown + Self.delay : nil
    }

    /// Whether the driver's cache is to be looked after now, which is once.
    mutating func isTimeForDriverCache(now: HostTime, firstShown: HostTime) -> Bool {
        if hasAskedDriverCache || now < firstShown + DriverCache.delay { return false }
        hasAskedDriverCache = true
        return true
    }

    /// Whether `page` has another size than it was made ready for, or that is long ago; then it is now.
    mutating func isDue(_ page: AnyObject, size: Size, scale: Double, isChanged: Bool, now: HostTime) -> Bool {
        let state = Beneath(page: ObjectIdentifier(page), size: size, scale: scale)
        guard isChanged || prepared != state || now - preparedAt > Self.interval else { return false }
        prepared = state
        preparedAt = now
        return true
    }

    /// As many of the programs as there is room for before the next frame; none once a hand has waited for long enough.
    mutating func warmUp(_ compositor: Compositor, nextFrameDue: HostTime?, isHandWaiting: Bool) {
        let began = HostTime.now()
        var now = began
        if isHandWaiting, let handWaitsSince, began - handWaitsSince > Self.handPatience { return }
        while isWarmingUp, now - began < Self.warmUpShare {
            // A frame that comes late because of it is shown; two in a row would cost one.
            if let nextFrameDue, nextFrameDue - now < Self.warmUpRoom { return }
            // A driver that fails here will fail, and say so, when it matters.
            try? compositor.warmUp(step: warmUpStep)
            warmUpStep += 1
            hasWarmedUp = true
            now = .now()
        }
    }
}

extension Application {
    /// The library that the film's page covers, once it is time to make it ready: before a hand draws that page aside.
    private func pageToPrepare(at now: HostTime) -> LibraryPage? {
        guard let firstShown, preparation.mayPrepare(now: now, firstShown: firstShown), !isBusyMoving,
            !preparation.isWarmingUp,
            !stack.isTransitioning, stack.pages.count > 1, stack.top === playerPage
        else { return nil }
        return stack.pages[stack.pages.count - 2] as? LibraryPage
    }

    /// Reads, lays out and sets the page beneath; again now and then, so that nothing of it is dropped meanwhile. What is
    /// kept for it goes when no hand has been there for a while.
    func prepareBeneath(now: HostTime) {
        let isHandNear = preparation.isHandNear(now: now)
        if !isHandNear { snapshots.letRoomGo() }
        guard let library = pageToPrepare(at: now) else { return }
        if preparation.isFirst { history?.askRecent() }
        library.load()
        let isChanged = library.advance(to: now, isMoving: false)
        let size = stack.layer.frame.size
        if preparation.isDue(library, size: size, scale: snapshots.scale, isChanged: isChanged, now: now) {
            snapshots.prepare(library, size: size)
        } else if isHandNear, window?.isHandWaiting != true, fullscreen.state == .inline,
            library.beneathMode ?? stack.beneathMode == .snapshot
        {
            // Not in fullscreen, from which no way leads to it.
            snapshots.makeRoom()
        }
    }

    /// Whether something moves that needs each frame's time more than a page beneath is to be made ready.
    private var isBusyMoving: Bool {
        fullscreen.isAnimating || sessions.contains { $0.floating.state == .starting || $0.floating.state == .stopping }
    }

    /// Answers the first hand when all is ready for it, where the window has it wait for that: what is drawn until then is what
    /// makes it ready. In each round of the frame loop, drawn or not: the hand may come when nothing else is to be drawn.
    func answerHand(now: HostTime) {
        if preparation.isTimeForOverlays(now: now) { endHold(now: now) }
        let video = playing?.video
        // Pictures that stand still bring none that could be taken for it.
        let canRehearse = video?.texture.hasTextures == true && nextFrameDue != nil
        // One that was answered at once may do more: the rest is made ready before it does, once that can be.
        let isReady = preparation.isReadyForHand && (canRehearse || preparation.hasRehearsed)
        guard let window, window.isHandWaiting || window.expectsHand && isReady else { return }
        preparation.handWaits(now: now)
        setNeedsTick()
        if preparation.isTimeToRehearse(canDraw: canRehearse), let screen = window.screenSize {
            let scale = window.scale
            video?.rehearse(for: Size(width: screen.width * scale, height: screen.height * scale))
        }
        let isRehearsing = video?.isRehearsing ?? false
        guard preparation.admitsHand(hasPage: pageToPrepare(at: now) != nil, isRehearsing: isRehearsing, now: now)
        else { return }
        video?.endRehearsal()
        endHold(now: now)
        window.admitHand()
    }

    /// What a hand has brought over the film comes, where it has waited.
    private func endHold(now: HostTime) {
        guard preparation.holdsOverlays else { return }
        preparation.endHold()
        playerPage?.setHoldsMessages(false, now: now)
        setNeedsTick()
    }

    /// Takes note of what a hand does. Before there is anything to draw with, what it brings over the film waits.
    func prepare(for input: InputEvent, now: HostTime) {
        preparation.note(input, now: now)
        if preparation.holdsOverlays { playerPage?.setHoldsMessages(true, now: now) }
    }

    /// Whether of the film's page the film alone is drawn: not where the page moves, or another lies over it.
    var showsFilmAlone: Bool {
        preparation.holdsOverlays && stack.top === playerPage && !stack.isTransitioning && rowElement == nil
    }

    /// Whether `input` is answered though nothing but the film can be drawn yet.
    func answersAtOnce(_ input: InputEvent) -> Bool {
        guard case .key(var key) = input, topPage === playerPage, playerPage?.focused == nil else { return false }
        // One that repeats and does not count is nothing that others would have to wait for.
        key.isRepeat = false
        return keyMap.command(for: key)?.actsOnPlayingAlone ?? false
    }

    /// After the first sign of a hand, what pages are drawn with is made ready, a little between any two frames.
    ///
    /// Not on the way to fullscreen, which needs nothing of it; but on the way to a floating window and back, at whose end the
    /// page beneath is drawn: all that is missing then is made in one frame.
    func warmUp() {
        preparation.frameShown()
        guard preparation.isWarmingUp, !fullscreen.isAnimating else { return }
        // Without a film's frames there is nothing to say when there is room.
        if isBusyMoving, nextFrameDue == nil { return }
        preparation.warmUp(
            compositor, nextFrameDue: nextFrameDue, isHandWaiting: window?.isHandWaiting ?? false)
    }
}
