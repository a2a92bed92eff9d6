public import Animation
public import Geometry
public import Time

/// Whether an element is in its place, moving, or fullscreen.
public enum FullscreenState: Hashable, Sendable { case inline, moving, fullscreen }

/// Moves one element at a time between its place in a page and the whole window. On return, the element goes to its
/// item's current place.
///
/// The controller only computes the element's appearance; the element shows it. The page beneath is not touched. A
/// placeholder keeps the item's place in the page.
///
/// A request during a transition is ignored, unless it reverses the transition. A reversed transition continues from
/// the current appearance.
///
/// If the item disappears while the element returns, the element fades out where it is, even if the item reappears.
/// Reversing the transition ends the fade.
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

    /// How a video whose orientation differs from the window's is shown.
    public var shape = Shape.fit
    /// The state of the current element; inline if there is none.
    public private(set) var state = FullscreenState.inline
    /// The element that is fullscreen or in transition.
    public private(set) var element: (any FullscreenElement)?

    /// The area to fill, in window points. Its size may change at any time. Values that are not finite or empty, as
    /// in a minimized window, are ignored.
    public var bounds = Rect.zero {
        didSet {
            guard bounds.magnitude <= InlinePlace.limit, !bounds.size.isEmpty else {
                bounds = oldValue
                return
            }
            if bounds != oldValue { rebase() }
        }
    }
    /// The frame of the pages' container, in window points. Places are relative to its top-left corner. Values that
    /// are not finite are ignored.
    public var pagesFrame = Rect.zero {
        didSet { if !(pagesFrame.magnitude <= InlinePlace.limit) { pagesFrame = oldValue } }
    }

    /// Returns whether entering fullscreen is refused now, as in a minimized window.
    public var isRefused: (@MainActor () -> Bool)?
    /// Makes the window itself fullscreen (true) when entering begins, and restores it (false) when leaving ends. Not
    /// called by `windowLeft`.
    public var onWindow: (@MainActor (Bool) -> Void)?
    /// Called after the state has changed.
    public var onStateChange: (@MainActor (FullscreenState) -> Void)?

    var mover: FullscreenDriver? { didSet { moves += 1 } }
    /// Counts changes of the driver, to detect one made by the element from within a notification.
    private var moves = 0
    /// The item's last known place, in points of the pages' container.
    var place: InlinePlace?
    /// The appearance last passed to the element.
    var shown: FullscreenGeometry?
    /// The fade-out after the item is gone: the appearance when the fade began, and how much of the transition
    /// remained then. Nil without a fade.
    var fade: (geometry: FullscreenGeometry, rest: Double)?
    var deviation: FullscreenOffset?

    public init() {}

    /// Whether an element is fullscreen, is entering, or is being dragged.
    public var isEntered: Bool { state != .inline && mover?.end != 0 }
    /// Whether the element is being dragged.
    public var isHeld: Bool { mover?.isHeld ?? false }
    /// Whether the element is moving without a drag.
    public var isAnimating: Bool { mover.map { !$0.isHeld } ?? false }

    // MARK: - Calls

    /// Grows `element` from its place to the whole window. Reverses it if it is returning. If its place is unknown,
    /// it is fullscreen at once.
    ///
    /// - Returns: False if refused, if another element is active, or if this one is already fullscreen or entering.
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

    /// Returns the element to its item's place. Reverses it if it is entering or being dragged.
    ///
    /// - Returns: False if there is no element, or it is already returning.
    @discardableResult
    public func leave(isAnimated: Bool = true, now: HostTime) -> Bool {
        guard element != nil, state != .inline, mover?.end != 0 else { return false }
        move(to: 0, isAnimated: isAnimated, now: now)
        return true
    }

    /// Returns the element to its place without an animation and without calling `onWindow`. Call when the window has
    /// already left fullscreen.
    public func windowLeft(now: HostTime) {
        guard element != nil else { return }
        conclude(isGone: element?.inlinePlace == nil, tellsWindow: false)
    }

    // MARK: - Time

    /// Shows the element as it appears at `now`. Returns whether something must be redrawn.
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
        // The element may have reversed or ended the transition from within `show`.
        guard isFinished, moves == self.moves, element === self.element, let end = mover?.end else { return isNew }
        if end == 1 { rest() } else { conclude(isGone: fade != nil, tellsWindow: true) }
        return true
    }

    // MARK: - Inside

    /// Ends the transition in fullscreen.
    private func rest() {
        mover = nil
        fade = nil
        deviation = nil
        setState(.fullscreen)
    }

    /// Changes the state and reports it; does nothing if it is the same.
    func setState(_ state: FullscreenState) {
        guard state != self.state else { return }
        self.state = state
        onStateChange?(state)
    }

    /// Ends fullscreen, and notifies the element, the window and the observer.
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

    /// Moves the element from its current appearance to `end`: 0 for its place, 1 for fullscreen.
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
            // The element may have ended the transition from within `show`.
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
