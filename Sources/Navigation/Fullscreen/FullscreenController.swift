public import Animation
public import Geometry
public import Time

/// Whether an element is in its place, moving, or fullscreen.
public enum FullscreenState: Hashable, Sendable { case inline, moving, fullscreen }

/// Lets one element at a time grow from its place in a page to the whole window, and returns it to its item's current
/// place.
///
/// It moves nothing itself: it tells the element how to appear. The page beneath is not touched; the element's
/// placeholder keeps the item's place.
///
/// Requests during a transition are dropped, except for reversing it, which continues from the current appearance. If
/// the item is gone while the element returns, the element fades out in place, even if the item comes back, unless it
/// is reversed.
///
/// Threads: main thread. Pure: the time is passed in.
@MainActor public final class FullscreenController {
    /// How a video fills a window of a different orientation.
    public enum Shape: Hashable, Sendable {
        /// Unrotated.
        case fit
        /// Rotated clockwise by a quarter turn.
        case rotate
    }

    /// The duration of a whole transition, and the longest duration of the springs after a drag.
    public nonisolated static let duration = Duration.milliseconds(500)
    /// The timing curve of a transition without a drag.
    public nonisolated static let curve = TimingCurve.easeInOut

    /// Whether a video whose orientation differs from the window's is rotated.
    public var shape = Shape.fit
    /// Whether the element is in its place, fullscreen, or in between.
    public private(set) var state = FullscreenState.inline
    /// The element that is fullscreen or in transition.
    public private(set) var element: (any FullscreenElement)?

    /// The area to fill, in the window's points. Its size may change at any time. Values that are not finite or have no
    /// area, as in a minimized window, are ignored.
    public var bounds = Rect.zero {
        didSet {
            guard bounds.magnitude <= InlinePlace.limit, !bounds.size.isEmpty else {
                bounds = oldValue
                return
            }
            if bounds != oldValue { rebase() }
        }
    }
    /// The pages' container in the window's points; places are relative to its corner. Values that are not finite are
    /// ignored.
    public var pagesFrame = Rect.zero {
        didSet { if !(pagesFrame.magnitude <= InlinePlace.limit) { pagesFrame = oldValue } }
    }

    /// Returns whether nothing may enter fullscreen now, as in a minimized window.
    public var isRefused: (@MainActor () -> Bool)?
    /// Makes the window itself fullscreen (true) when entering begins, and restores it (false) when leaving ends. Not
    /// called if the window left fullscreen by itself.
    public var onWindow: (@MainActor (Bool) -> Void)?
    /// Called after the state has changed.
    public var onStateChange: (@MainActor (FullscreenState) -> Void)?

    var mover: FullscreenDriver? { didSet { moves += 1 } }
    /// Counts changes of the driver, since the element may change it from within a notification.
    private var moves = 0
    /// The item's last known place, in the points of the pages' container.
    var place: InlinePlace?
    /// The last reported state.
    var shown: FullscreenGeometry?
    /// Set once the item is gone: the appearance at that time, and what remained of the transition.
    var fade: (geometry: FullscreenGeometry, rest: Double)?
    var deviation: FullscreenOffset?

    public init() {}

    /// Whether an element fills the window or is going to.
    public var isEntered: Bool { state != .inline && mover?.end != 0 }
    /// Whether the element is being dragged.
    public var isHeld: Bool { mover?.isHeld ?? false }
    /// Whether it is animating without a drag.
    public var isAnimating: Bool { mover.map { !$0.isHeld } ?? false }

    // MARK: - Calls

    /// Grows the element from its place to the whole window; an element that is returning is reversed. An element
    /// without a known place is fullscreen at once.
    ///
    /// - Returns: False if refused, if there is another element, or if this one is already fullscreen or entering.
    @discardableResult
    public func enter(_ element: any FullscreenElement, isAnimated: Bool = true, now: HostTime) -> Bool {
        guard !bounds.size.isEmpty, isRefused?() != true else { return false }
        if let present = self.element {
            guard present === element, state == .moving, mover?.end != 1 else { return false }
            move(to: 1, isAnimated: isAnimated, now: now)
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

    /// Returns the element to its item's place; an element that is entering or being dragged is reversed.
    ///
    /// - Returns: False if there is none, or it is already returning.
    @discardableResult
    public func leave(isAnimated: Bool = true, now: HostTime) -> Bool {
        guard element != nil, state != .inline, mover?.end != 0 else { return false }
        move(to: 0, isAnimated: isAnimated, now: now)
        return true
    }

    /// Moves the element to its place without an animation, as the window has left fullscreen without a request.
    public func windowLeft(now: HostTime) {
        guard element != nil else { return }
        conclude(isGone: element?.inlinePlace == nil, tellsWindow: false)
    }

    // MARK: - Time

    /// Moves everything to its position at `now`. True if something must be redrawn.
    @discardableResult
    public func advance(to now: HostTime) -> Bool {
        guard let element, state != .inline else { return false }
        let isFinished = mover?.isFinished(at: now) ?? false
        let geometry = geometry(at: now)
        let isNew = geometry != shown
        let moves = moves
        if isNew {
            shown = geometry
            element.show(geometry)
        }
        // The element may have reversed or ended the transition.
        guard isFinished, moves == self.moves, element === self.element, let end = mover?.end else { return isNew }
        if end == 1 { rest() } else { conclude(isGone: fade != nil, tellsWindow: true) }
        return true
    }

    // MARK: - Inside

    /// Shows the element filling the whole window.
    private func rest() {
        mover = nil
        fade = nil
        deviation = nil
        setState(.fullscreen)
    }

    /// Changes the state and reports it.
    func setState(_ state: FullscreenState) {
        guard state != self.state else { return }
        self.state = state
        onStateChange?(state)
    }

    /// Ends fullscreen.
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
        // The callback may have started another transition.
        guard element == nil else { return }
        if tellsWindow { onWindow?(false) }
        guard element == nil else { return }
        onStateChange?(.inline)
    }

    /// Animates from the current appearance to `end`.
    private func move(to end: Double, isAnimated: Bool, now: HostTime) {
        guard isAnimated else { return jump(to: end, now: now) }
        let seen = geometry(at: now)
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
            let straight = path().geometry(at: seen.progress)
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
                element.show(path().geometry(at: 0))
            }
            // The element may have ended the transition when it was shown.
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
