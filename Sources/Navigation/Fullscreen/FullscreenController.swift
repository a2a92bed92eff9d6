public import Animation
public import Geometry
public import Time

/// Where the element is that fills the window, or is on its way there or back.
public enum FullscreenState: Hashable, Sendable { case inline, moving, fullscreen }

/// Lets one element at a time grow from its place in a page to the whole window, and takes it back to the place that its
/// item has by then.
///
/// Main thread; time is told. It moves nothing itself: the element is told how it is to be seen. What is beneath it is
/// not touched, and the item's place is kept by a placeholder of the element's.
///
/// Requests on the way are dropped, but for turning back, which goes on from what is seen. Where the item is gone when
/// the element is on the way to it, the element fades out where it is; once it has begun to, it does so also where the
/// item comes back, unless it is turned back.
@MainActor public final class FullscreenController {
    /// How a picture fills a window that is upright where it lies, or the other way round.
    public enum Shape: Hashable, Sendable {
        /// As it is.
        case fit
        /// Turned by a quarter, clockwise.
        case rotate
    }

    /// How long the whole way takes; and the longest that the springs after a hand may take.
    public nonisolated static let duration = Duration.milliseconds(500)
    /// How progress goes with time, without a hand.
    public nonisolated static let curve = TimingCurve.easeInOut

    public var shape = Shape.fit
    public private(set) var state = FullscreenState.inline
    /// What is fullscreen, or on the way there or back.
    public private(set) var element: (any FullscreenElement)?

    /// The area to be filled, in the window's points; its size may change at any time. What is not finite or has no area,
    /// as a minimized window has none, is not taken: it goes on in the area that it had.
    public var bounds = Rect.zero {
        didSet {
            guard bounds.magnitude <= InlinePlace.limit, !bounds.size.isEmpty else {
                bounds = oldValue
                return
            }
            if bounds != oldValue { rebase() }
        }
    }
    /// Where the pages are, in the window's points: places are counted from its corner. What is not finite is not taken.
    public var home = Rect.zero {
        didSet { if !(home.magnitude <= InlinePlace.limit) { home = oldValue } }
    }

    /// Whether nothing may go fullscreen now, as in a minimized window.
    public var isRefused: (@MainActor () -> Bool)?
    /// The window is to be fullscreen itself, from the begin of entering (true) to the end of leaving (false). Not called
    /// where the window left by itself.
    public var onWindow: (@MainActor (Bool) -> Void)?
    /// Called after the state has changed.
    public var onStateChange: (@MainActor (FullscreenState) -> Void)?

    var mover: FullscreenDriver? { didSet { moves += 1 } }
    /// How often the mover was changed: the element may do so while it is told of something.
    private var moves = 0
    /// Where the item was last, in the points of what holds the pages.
    var place: InlinePlace?
    /// What was told of last.
    var shown: FullscreenGeometry?
    /// Since the item is gone: what was seen then, and what was left of the way.
    var fade: (figure: FullscreenGeometry, rest: Double)?
    var deviation: FullscreenOffset?

    public init() {}

    /// Whether an element fills the window, or, if nothing stops it, is going to.
    public var isEntered: Bool { state != .inline && mover?.end != 0 }
    /// Whether a hand has hold of the element.
    public var isHeld: Bool { mover?.isHeld ?? false }
    /// Whether it moves by itself.
    public var isAnimating: Bool { mover.map { !$0.isHeld } ?? false }

    // MARK: - Calls

    /// Takes the element from its place to the whole window; an element that is on the way back turns round. One whose
    /// place is not known is there at once.
    ///
    /// - Returns: false where nothing comes of it: refused, or another element is there, or this one is, or comes.
    @discardableResult
    public func enter(_ element: any FullscreenElement, isAnimated: Bool = true, now: HostTime) -> Bool {
        guard !bounds.size.isEmpty, isRefused?() != true else { return false }
        if let present = self.element {
            guard present === element, state == .moving, mover?.end != 1 else { return false }
            turn(to: 1, isAnimated: isAnimated, now: now)
            return true
        }
        self.element = element
        place = element.inlinePlace?.usable
        element.willLeavePlace()
        guard self.element === element, state == .inline else { return self.element === element }
        state = isAnimated && place != nil ? .moving : .fullscreen
        if state == .moving {
            var driver = Self.driver(from: 0)
            driver.finish(at: LocalTime(now))
            mover = .program(driver)
        }
        onWindow?(true)
        advance(to: now)
        if self.element === element { onStateChange?(state) }
        return true
    }

    /// Takes the element back to where its item is; one that is on the way out, or held, turns round.
    ///
    /// - Returns: false where nothing comes of it: there is none, or it is on the way back.
    @discardableResult
    public func leave(isAnimated: Bool = true, now: HostTime) -> Bool {
        guard element != nil, state != .inline, mover?.end != 0 else { return false }
        turn(to: 0, isAnimated: isAnimated, now: now)
        return true
    }

    /// The window is not fullscreen any more, by the user or the server: the element is at its place at once.
    public func windowLeft(now: HostTime) {
        guard element != nil else { return }
        conclude(isGone: element?.inlinePlace == nil, tellsWindow: false)
    }

    // MARK: - Time

    /// Moves what moves to where it is at `now`. True where something is to be drawn anew.
    @discardableResult
    public func advance(to now: HostTime) -> Bool {
        guard let element, state != .inline else { return false }
        let isFinished = mover?.isFinished(at: now) ?? false
        let figure = figure(at: now)
        let isNew = figure != shown
        let moves = moves
        if isNew {
            shown = figure
            element.show(figure)
        }
        // The element may have turned it round, or ended it.
        guard isFinished, moves == self.moves, element === self.element, let end = mover?.end else { return isNew }
        if end == 1 { rest() } else { conclude(isGone: fade != nil, tellsWindow: true) }
        return true
    }

    // MARK: - Inside

    /// The whole window is filled.
    private func rest() {
        mover = nil
        fade = nil
        deviation = nil
        setState(.fullscreen)
    }

    /// Changes the state, and tells of it.
    func setState(_ state: FullscreenState) {
        guard state != self.state else { return }
        self.state = state
        onStateChange?(state)
    }

    /// Nothing is fullscreen any more.
    private func conclude(isGone: Bool, tellsWindow: Bool) {
        let left = element
        mover = nil
        element = nil
        place = nil
        shown = nil
        fade = nil
        deviation = nil
        state = .inline
        left?.didReturn(isGone: isGone)
        // Who was told may have begun anew.
        guard element == nil else { return }
        if tellsWindow { onWindow?(false) }
        guard element == nil else { return }
        onStateChange?(.inline)
    }

    /// From where it is seen to `end`, by itself.
    private func turn(to end: Double, isAnimated: Bool, now: HostTime) {
        guard isAnimated else { return jump(to: end, now: now) }
        let seen = figure(at: now)
        if fade == nil, let next = settle(to: end, now: now) {
            mover = .settle(next)
        } else {
            fade = nil
            deviation = nil
            var driver = Self.driver(from: seen.progress)
            if end == 1 { driver.finish(at: LocalTime(now)) } else { driver.cancel(at: LocalTime(now)) }
            let mover = FullscreenDriver.program(driver)
            self.mover = mover
            find(mover, now: now)
            let straight = way().figure(at: seen.progress)
            deviation = FullscreenOffset(of: seen, from: straight, to: end)
        }
        setState(.moving)
        advance(to: now)
    }

    private func jump(to end: Double, now: HostTime) {
        guard end == 1 else {
            guard let element else { return }
            let found = element.inlinePlace
            if let found {
                place = found.usable ?? place
                element.show(way().figure(at: 0))
            }
            // The element may have ended it when it was shown.
            if element === self.element { conclude(isGone: found == nil, tellsWindow: true) }
            return
        }
        rest()
        _ = advance(to: now)
    }

    private static func driver(from progress: Double) -> PercentDriver {
        var driver = PercentDriver(duration: duration, completionCurve: curve)
        driver.update(progress)
        return driver
    }
}
