import GlissadeGeometry
import GlissadeTime

/// What a window knows about its fullscreen: what is wanted, which request the window manager has got, and where the
/// window is. Areas are in the window system's units.
///
/// A request is made between two frames where possible, so that the window changes while its content stays in place on
/// the screen. The window manager may respond late, refuse, or change the state on its own.
///
/// Pure: it is told the time and what the server says. `Window` carries out the effects that it returns.
struct WindowFullscreen {
    /// The last request to the window manager.
    enum Request: Hashable {
        /// The window manager has fulfilled the last request, or there was none.
        case settled
        /// The request is still to be made. `grace` is that of an earlier request that was not fulfilled; nil if there
        /// was none.
        case waiting(Wait, grace: HostTime?)
        /// The request has been made and not been fulfilled. Until `grace`, the state reported by the window manager
        /// may still reflect an earlier request; nil if there was none.
        case sent(grace: HostTime?)
    }

    /// What a request waits for.
    enum Wait: Hashable {
        /// Until the hidden window is shown.
        case show
        /// Until the next frame is shown, or the given time.
        case frame(until: HostTime)
        /// Until the display has shown all frames, or the given time.
        case display(until: HostTime)
    }

    /// Where the window is, or is to be.
    enum Place: Hashable {
        case windowed
        /// Fullscreen is wanted. The window came from the area `home`, and returns to it.
        case covering(home: PixelRect)
        /// Fullscreen is no longer wanted, but the window may not have returned to `home` yet. Until `until`, a window
        /// as large as the monitor may still be on its way: some window managers restore the position before the size.
        case leaving(home: PixelRect, until: HostTime?)

        /// The window's area before fullscreen.
        var home: PixelRect? {
            switch self {
            case .windowed: nil
            case .covering(let home), .leaving(let home, _): home
            }
        }
    }

    /// The last frame of the main thread.
    enum Frame: Hashable {
        case none
        /// The frame has been begun for the area `area`, which is nil if the window was not changing, and is not shown
        /// yet. The frame before it was shown at `lastShown`.
        case begun(area: PixelRect?, lastShown: HostTime?)
        case shown(at: HostTime)
    }

    enum Geometry: Hashable {
        case settled
        /// The window's geometry last changed, or a change was last requested, at `since`. `isPolled` is true if the
        /// area has been queried after that and after the start of the last frame.
        case changing(since: HostTime, isPolled: Bool)
    }

    /// What the window must do.
    enum Effect: Hashable {
        /// Requests the state from the window manager. The window is to get the area `area`, if that is known. If
        /// `holdsContent` is true, the window has content, which must stay in place on the screen.
        case request(isFullscreen: Bool, area: PixelRect?, holdsContent: Bool)
        /// Adopts the state that the window manager has chosen by itself.
        case adopt(isFullscreen: Bool)
        /// Releases the content that is held in place.
        case releaseContent
        /// Reports that the window must be drawn again.
        case redraw
        /// Queries the window manager's state and calls `follow`.
        case queryManager
    }

    /// How long a change of the window's geometry may take. During this time, the window's current area is queried from
    /// the server before each swap.
    static let settling = Duration.seconds(1)
    /// How long the reported state may reflect an earlier request.
    static let grace = settling / 2
    /// A request waits at most this long for the next frame: longer than one frame at 24 Hz.
    static let requestDelay = Duration.milliseconds(50)
    /// How long frames wait for the display before a request, and for the window manager after it: longer than one
    /// refresh at 60 Hz.
    static let frameHold = Duration.milliseconds(25)
    /// The interval at which a request that waits for the display is checked.
    private static let displayPoll = Duration.milliseconds(2)

    private(set) var request = Request.settled
    private(set) var place = Place.windowed
    private(set) var frame = Frame.none
    private(set) var geometry = Geometry.settled
    /// The window's last known area.
    private(set) var area: PixelRect?
    /// The area of the monitor that the window is on.
    private(set) var monitor: PixelRect?
    /// The window's last known area outside fullscreen.
    private var windowedArea: PixelRect?

    // MARK: - What is wanted

    /// Whether the last request, by the program or through the window manager, was for fullscreen.
    var isWanted: Bool { if case .covering = place { true } else { false } }

    /// Whether the window manager has not yet fulfilled the last request.
    var isPending: Bool { request != .settled }

    /// Wants fullscreen for a window with the area `area` on the monitor `monitor`. Does nothing if it is wanted.
    mutating func enter(from area: PixelRect, monitor: PixelRect?, isShown: Bool, at now: HostTime) -> Effect? {
        if isWanted { return nil }
        // If a change is still in progress, keep the area from before it.
        let isReturning = enlargedFrom(at: now) != nil || isChanging(at: now)
        let home = place.home.flatMap { isReturning ? $0 : nil } ?? area
        (self.area, self.monitor) = (area, monitor)
        return want(.covering(home: home), isShown: isShown, at: now)
    }

    /// Wants the window's area before fullscreen. Does nothing if it is wanted.
    mutating func leave(isShown: Bool, at now: HostTime) -> Effect? {
        guard case .covering(let home) = place else { return nil }
        return want(.leaving(home: home, until: now + Self.settling), isShown: isShown, at: now)
    }

    /// Replaces the area to which the window returns. Does nothing unless fullscreen is wanted.
    mutating func setHome(_ home: PixelRect) { if isWanted { place = .covering(home: home) } }

    private mutating func want(_ place: Place, isShown: Bool, at now: HostTime) -> Effect? {
        self.place = place
        changes(at: now)
        switch request {
        case .waiting(.frame, let grace), .waiting(.display, let grace):
            // The state before the request that waits is wanted again. An earlier request may still be unanswered.
            request = .sent(grace: grace)
            if case .leaving(let home, _) = place { self.place = .leaving(home: home, until: nil) }
            return nil
        case .settled: return want(grace: nil, isShown: isShown, at: now)
        case .sent, .waiting(.show, _): return want(grace: now + Self.grace, isShown: isShown, at: now)
        }
    }

    private mutating func want(grace: HostTime?, isShown: Bool, at now: HostTime) -> Effect? {
        guard isShown else {
            request = .waiting(.show, grace: grace)
            return nil
        }
        if isShowingFrames(at: now) {
            request = .waiting(.frame(until: now + Self.requestDelay), grace: grace)
            return nil
        }
        return send(grace: grace, holdsContent: true)
    }

    private mutating func send(grace: HostTime?, holdsContent: Bool) -> Effect {
        request = .sent(grace: grace)
        return .request(
            isFullscreen: isWanted, area: isWanted ? monitor : place.home, holdsContent: holdsContent)
    }

    /// Makes the request that waits for a frame or for the display.
    private mutating func sendWaiting(grace: HostTime?, at now: HostTime) -> Effect {
        changes(at: now)
        if case .leaving(let home, .some) = place { place = .leaving(home: home, until: now + Self.settling) }
        return send(grace: grace == nil ? nil : now + Self.grace, holdsContent: true)
    }

    /// Tells that the window has got its area without a window manager.
    mutating func wasFulfilled() { request = .settled }

    // MARK: - The window

    /// Tells that the window is about to be shown.
    mutating func windowIsShown() -> Effect? {
        switch request {
        case .settled: nil
        case .waiting(_, let grace), .sent(let grace): send(grace: grace, holdsContent: false)
        }
    }

    /// Tells that the window is about to be hidden.
    mutating func windowIsHidden() {
        if case .waiting(_, let grace) = request { request = .waiting(.show, grace: grace) }
        giveUpFrame()
    }

    /// Whether a window as large as the monitor is so only because the window manager has not restored its size.
    private var isPartlyRestored: Bool {
        guard case .leaving(let home, _) = place, let area, let monitor else { return false }
        return area.size == monitor.size && home.size != area.size
    }

    /// Returns the window's area before fullscreen, if the window covers the monitor because of fullscreen, or is still
    /// leaving fullscreen; otherwise nil.
    func enlargedFrom(at now: HostTime) -> PixelRect? {
        guard let area, let monitor else { return nil }
        switch place {
        case .windowed: return nil
        case .covering(let home): return area.contains(monitor) ? home : nil
        case .leaving(let home, let end):
            if area.contains(monitor) { return area != home ? home : nil }
            guard let end, now < end, isPartlyRestored else { return nil }
            return home
        }
    }

    /// Returns the window's area before fullscreen; nil unless fullscreen is wanted or the window is still leaving it.
    func home(at now: HostTime) -> PixelRect? { isWanted ? place.home : enlargedFrom(at: now) }

    /// Records the window's area, according to the server. `findMonitor` returns the area of the window's monitor.
    mutating func locate(_ area: PixelRect, findMonitor: () -> PixelRect?) {
        if area.size != self.area?.size || monitor == nil || place != .windowed { monitor = findMonitor() }
        self.area = area
    }

    /// Records a new position. Returns false if the area must be queried from the server instead: its size is unknown,
    /// or the position affects what is drawn.
    mutating func move(toX x: Int, y: Int) -> Bool {
        guard place == .windowed, let size = area?.size else { return false }
        area = PixelRect(minX: x, minY: y, maxX: x + size.width, maxY: y + size.height)
        noteWindowed()
        return true
    }

    private mutating func noteWindowed() {
        guard let area, place == .windowed, !isPending else { return }
        if let monitor, area.contains(monitor) { return }
        windowedArea = area
    }

    // MARK: - The window manager

    /// Whether the state that the window manager reports tells anything: no request waits, and an answer to an earlier
    /// request is not to be expected any more.
    mutating func heedsManager(at now: HostTime) -> Bool {
        switch request {
        case .settled: return true
        case .waiting: return false
        case .sent(let grace):
            if let grace, now < grace { return false }
            request = .sent(grace: nil)
            return true
        }
    }

    /// Follows the state that the window manager reports. The window manager may have fulfilled the last request, or
    /// changed the state on its own. Call only if `heedsManager`.
    ///
    /// - Parameters:
    ///   - isManaged: Whether there is a window manager that supports fullscreen.
    ///   - currentArea: The window's area.
    mutating func follow(
        isFullscreen: Bool, isManaged: @autoclosure () -> Bool, currentArea: @autoclosure () -> PixelRect,
        at now: HostTime
    ) -> Effect? {
        var effect: Effect?
        if isPending {
            if isFullscreen == isWanted { request = .settled }
        } else if isFullscreen != isWanted, isManaged() {
            if isFullscreen {
                place = .covering(home: enlargedFrom(at: now) ?? windowedArea ?? area ?? currentArea())
            } else if let home = place.home {
                place = .leaving(home: home, until: now + Self.settling)
            }
            changes(at: now)
            effect = .adopt(isFullscreen: isFullscreen)
        }
        if isFullscreen { return effect }
        if !isWanted, !isPending, enlargedFrom(at: now) == nil { place = .windowed }
        noteWindowed()
        return effect
    }

    // MARK: - Changes of the geometry

    /// Records that the window's geometry has changed, or that a change was requested.
    mutating func changes(at now: HostTime) { geometry = .changing(since: now, isPolled: false) }

    /// Whether the window's geometry changed, or a change was requested, within the last second.
    func isChanging(at now: HostTime) -> Bool {
        guard case .changing(let since, _) = geometry else { return false }
        return now - since < Self.settling
    }

    /// Records that the area has been queried after the last change.
    mutating func wasPolled() {
        if case .changing(let since, _) = geometry { geometry = .changing(since: since, isPolled: true) }
    }

    /// The area, if it has been queried after the last change and after the start of the last frame; otherwise nil.
    var polledArea: PixelRect? {
        guard case .changing(_, isPolled: true) = geometry else { return nil }
        return area
    }

    /// When to call `poll`; nil if there is no need to call it.
    func nextPoll(at now: HostTime) -> HostTime? {
        var settled: HostTime?
        if case .changing(let since, _) = geometry { settled = since + Self.settling }
        switch request {
        case .waiting(.frame(let deadline), _): return .earliest(settled, deadline)
        case .waiting(.display, _): return .earliest(settled, now + Self.displayPoll)
        case .waiting(.show, _), .sent, .settled: return settled
        }
    }

    /// Makes a waiting request if it is due, and ends a change that counts as finished. Call between frames: a frame
    /// that was begun and not shown has been given up.
    ///
    /// - Parameter hasQueuedFrames: Whether frames wait for a refresh of the display.
    mutating func poll(at now: HostTime, hasQueuedFrames: @autoclosure () -> Bool) -> [Effect] {
        giveUpFrame()
        var effects: [Effect] = []
        switch request {
        case .waiting(.frame(let deadline), let grace) where now >= deadline:
            effects.append(sendWaiting(grace: grace, at: now))
        case .waiting(.display(let deadline), let grace) where now >= deadline || !hasQueuedFrames():
            effects.append(sendWaiting(grace: grace, at: now))
        case .waiting, .sent, .settled: break
        }
        guard case .changing(let since, _) = geometry, now >= since + Self.settling else { return effects }
        geometry = .settled
        effects.append(.releaseContent)
        if case .leaving(let home, .some) = place {
            // If the window is still only partly restored, the window manager evidently intends that. Redraw the window
            // at its full size.
            if isPartlyRestored { effects.append(.redraw) }
            place = .leaving(home: home, until: nil)
        }
        return effects + [.queryManager]
    }

    // MARK: - Frames

    /// The area for which the frame in progress is drawn; nil if there is none, or if the window was not changing.
    var drawnArea: PixelRect? {
        guard case .begun(let area, _) = frame else { return nil }
        return area
    }

    /// Begins a frame for the area `area`, which is nil if the window is not changing.
    mutating func beginFrame(for area: PixelRect?) {
        giveUpFrame()
        if case .shown(let time) = frame {
            frame = .begun(area: area, lastShown: time)
        } else {
            frame = .begun(area: area, lastShown: nil)
        }
        if case .changing(let since, _) = geometry { geometry = .changing(since: since, isPolled: false) }
    }

    private mutating func giveUpFrame() {
        guard case .begun(_, let lastShown) = frame else { return }
        frame = lastShown.map { .shown(at: $0) } ?? .none
    }

    /// Records that a frame was shown or queued for the display, and makes the request that waits for it.
    ///
    /// - Parameter hasQueuedFrames: Whether frames wait for a refresh of the display.
    mutating func frameWasShown(at now: HostTime, hasQueuedFrames: @autoclosure () -> Bool) -> Effect? {
        frame = .shown(at: now)
        guard case .waiting(.frame, let grace) = request else { return nil }
        if hasQueuedFrames() {
            request = .waiting(.display(until: now + Self.frameHold), grace: grace)
            return nil
        }
        return sendWaiting(grace: grace, at: now)
    }

    private func isShowingFrames(at now: HostTime) -> Bool {
        switch frame {
        case .none: false
        case .begun: true
        case .shown(let time): now - time < Self.requestDelay
        }
    }

    /// The time until which no frame may be drawn, because a request waits for the display; nil if there is none.
    var displayDeadline: HostTime? {
        guard case .waiting(.display(let deadline), _) = request else { return nil }
        return deadline
    }

    /// Whether the frame in progress still fits a window with the area `area`. The position matters only during
    /// fullscreen transitions.
    func fits(_ area: PixelRect) -> Bool {
        // A change may have been requested since the frame was started, so `drawnArea` may be nil.
        guard let drawn = drawnArea ?? self.area else { return true }
        return area.size == drawn.size && (place == .windowed || area == drawn)
    }
}
