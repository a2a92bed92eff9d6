public import GlissadeAnimation
public import GlissadeGeometry
public import GlissadeTime

/// Moves an element, such as a video, between its place on a page and the whole window. Handles only one element at a
/// time.
///
/// An element belongs to an item on its page, such as a row of a list. When the element returns, it goes to the item's
/// current place.
///
/// The controller only computes the element's appearance, and the element applies it. The controller does not touch the
/// page beneath, so the element must keep its place free with a placeholder.
///
/// During a transition, `enter` and `leave` are ignored, unless they reverse the transition or end a drag. A reversed
/// transition continues from the current appearance.
///
/// If the item is gone while the element is returning, the element fades out at its current position. The fade
/// continues even if the item reappears. Reversing the transition ends the fade.
///
/// Threads: main thread. Pure: the time is passed in.
@MainActor public final class FullscreenController {
    /// The state of an element: in its place on the page, moving, or fullscreen.
    public enum State: Hashable, Sendable { case inline, moving, fullscreen }

    /// How to show a portrait video in a landscape window, and a landscape video in a portrait window.
    public enum Shape: Hashable, Sendable {
        /// The video stays upright.
        case fit
        /// The video is rotated clockwise by a quarter turn.
        case rotate
    }

    /// The direction in which a drag shrinks the element, as seen in the window.
    public enum DragDirection: Hashable, Sendable { case down, left, right }

    /// The duration of a whole transition, and the longest duration of the springs after a drag.
    public nonisolated static let duration = Duration.milliseconds(500)
    /// The timing curve of a transition that involves no drag.
    public nonisolated static let curve = TimingCurve.easeInOut

    /// How to show a video whose orientation, portrait or landscape, differs from that of the window.
    public var shape = Shape.fit
    /// The state of the current element; `.inline` if there is none.
    public private(set) var state = State.inline
    /// The element that is fullscreen or in transition; nil if there is none.
    public private(set) var element: (any FullscreenElement)?

    /// The area that a fullscreen element fills, in window points. It may be set at any time. An empty or invalid area
    /// is ignored, for example that of a minimized window.
    public var bounds = Rect.zero {
        didSet {
            guard bounds.magnitude <= InlinePlace.limit, !bounds.size.isEmpty else {
                bounds = oldValue
                return
            }
            if bounds != oldValue { rebase() }
        }
    }
    /// The frame of the layer that contains all pages, in window points. The `inlinePlace` of an element is measured
    /// from the frame's top-left corner. An invalid frame is ignored.
    public var pagesFrame = Rect.zero {
        didSet { if !(pagesFrame.magnitude <= InlinePlace.limit) { pagesFrame = oldValue } }
    }

    /// Returns whether to refuse `enter` now, for example because the window is minimized. If this closure is nil,
    /// `enter` is not refused.
    public var isRefused: (@MainActor () -> Bool)?
    /// Called to make the window itself fullscreen (true) or to restore it (false). The value is true when an element
    /// begins to enter, and false once the element has returned. `windowLeft` does not call this closure.
    public var onWindow: (@MainActor (Bool) -> Void)?
    /// Called after the state has changed, with the new state.
    public var onStateChange: (@MainActor (State) -> Void)?

    var mover: FullscreenDriver? { didSet { moves += 1 } }
    /// The number of changes of `mover`. Used to detect whether a callback has changed `mover`.
    private var moves = 0
    /// The last known place of the element's item, in points from the top-left corner of `pagesFrame`. Nil if no place
    /// is known yet.
    var place: InlinePlace?
    /// The appearance that `advance` last passed to the element; nil if it has not passed any yet.
    var shown: FullscreenGeometry?
    /// The fade-out of an element whose item is gone: the appearance when the fade began, and the value of
    /// `FullscreenDriver.remaining` at that time. Nil while no fade is in progress.
    var fade: (geometry: FullscreenGeometry, rest: Double)?
    var deviation: FullscreenOffset?

    public init() {}

    /// Whether an element is fullscreen, entering, or being dragged.
    public var isEntered: Bool { state != .inline && mover?.end != 0 }
    /// Whether the element is being dragged.
    public var isHeld: Bool { mover?.isHeld ?? false }
    /// Whether the element is moving without being dragged.
    public var isAnimating: Bool { mover.map { !$0.isHeld } ?? false }

    // MARK: - Calls

    /// Moves `element` from its place to the whole window. If the element is returning or being dragged, it turns back
    /// to fullscreen. If the element's place is unknown, the element becomes fullscreen at once.
    ///
    /// - Returns: False if refused, if `bounds` is empty, if another element is active, or if `element` is already
    ///   fullscreen or entering.
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

    /// Moves the element back to its item's place, even if it is still entering or is being dragged.
    ///
    /// - Returns: False if there is no element, or if the element is already returning.
    @discardableResult
    public func leave(isAnimated: Bool = true, now: HostTime) -> Bool {
        guard element != nil, state != .inline, mover?.end != 0 else { return false }
        move(to: 0, isAnimated: isAnimated, now: now)
        return true
    }

    /// Returns the element to its place at once, without an animation and without calling `onWindow`. Call this when
    /// the window is no longer fullscreen, although `leave` was not called.
    public func windowLeft(now: HostTime) {
        guard element != nil else { return }
        conclude(isGone: element?.inlinePlace == nil, tellsWindow: false)
    }

    // MARK: - Time

    /// Updates the element to its appearance at `now`, and ends the transition if it is complete. Returns whether
    /// something must be redrawn.
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

    /// Ends the transition with the element fullscreen.
    private func rest() {
        mover = nil
        fade = nil
        deviation = nil
        setState(.fullscreen)
    }

    /// Changes the state and calls `onStateChange`. Does nothing if the state is already `state`.
    func setState(_ state: State) {
        guard state != self.state else { return }
        self.state = state
        onStateChange?(state)
    }

    /// Ends fullscreen at once. Calls the element's `didReturn`, then `onWindow` if `tellsWindow` is true, then
    /// `onStateChange`. If one of these callbacks starts another transition, the remaining callbacks are not called.
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
