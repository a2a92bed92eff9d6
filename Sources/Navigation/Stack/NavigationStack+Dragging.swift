import GlissadeGestures
public import GlissadeTime

// Moving pages by dragging. Positions are in points and velocities in points per second, positive to the right.

extension NavigationStack {
    /// The direction of a drag, which decides which page it moves.
    public enum DragDirection: Hashable, Sendable {
        /// To the right: pulls the top page aside.
        case pop
        /// To the left: pulls in the trailing page.
        case push
    }

    /// Begins a drag. If a page is already moving, the drag takes it over at its visible position, whatever `direction`
    /// is. Otherwise, the drag starts to pull the top page aside, or to pull the trailing page in.
    ///
    /// - Returns: Whether the drag holds a page.
    public func beginDrag(_ direction: DragDirection, now: HostTime) -> Bool {
        if let transition {
            hold(transition, now: now)
            return true
        }
        guard !size.isEmpty else { return false }
        switch direction {
        case .pop:
            guard pages.count > 1 else { return false }
            let (upper, lower) = (top, pages[pages.count - 2])
            return start(
                Transition(
                    .pop, upper: upper, lower: lower, initialPages: pages, finalPages: pages.dropLast(),
                    mover: .drag(anchor: 0, translation: 0)))
        case .push:
            guard let page = top.trailingPage?(), !pages.contains(where: { $0 === page }) else { return false }
            return start(
                Transition(
                    .push(isTrailing: true), upper: page, lower: top, initialPages: pages, finalPages: pages + [page],
                    mover: .drag(anchor: size.width, translation: 0)))
        }
    }

    private func start(_ transition: Transition) -> Bool {
        begin(transition)
        guard transition === self.transition else { return false }
        transition.isDragged = true
        transition.draggedPage.willBeginDragging()
        return transition === self.transition
    }

    /// Stops the moving page of `transition` at its visible position, and attaches the page to the drag. Does nothing
    /// if a drag already holds the page.
    private func hold(_ transition: Transition, now: HostTime) {
        guard !transition.isHeld else { return }
        let seen = transition.progress.map { $0 * size.width } ?? transition.position(at: now, width: size.width)
        if case .program = transition.mover { transition.continuesUnlessDragged = true }
        transition.mover = .drag(anchor: seen, translation: 0)
        if !transition.isDragged {
            transition.isDragged = true
            transition.draggedPage.willBeginDragging()
        }
    }

    /// Sets the drag's translation since `beginDrag`, in points. The page follows at the next `advance`. The page's
    /// left edge stays within the stack. A translation that is not finite is ignored.
    public func drag(translation: Double) {
        guard let transition, case .drag(let anchor, _) = transition.mover, translation.isFinite else { return }
        if abs(translation) >= PanRecognizer.defaultMinimumTravel { transition.continuesUnlessDragged = false }
        transition.mover = .drag(anchor: anchor, translation: translation)
    }

    /// Ends the drag at `velocity`. Completes the transition in either of the following cases, and otherwise reverts
    /// it:
    ///
    /// - The page would coast far enough (`commitThreshold`, `trailingCommitThreshold`).
    /// - The drag took over a transition started by a call, and its translation stayed below
    ///   `PanRecognizer.defaultMinimumTravel`.
    public func release(velocity: Double, now: HostTime) {
        guard let transition, transition.isHeld else { return }
        let velocity = velocity.isFinite ? velocity : 0
        let rest = transition.position(at: now, width: size.width) + velocity * Self.coastTime
        let fraction = rest / size.width
        let forward =
            transition.continuesUnlessDragged
            || (transition.kind.isPush ? 1 - fraction >= Self.trailingCommitThreshold : fraction >= commitThreshold)
        settle(transition, forward: forward, velocity: velocity, now: now)
    }

    /// Cancels the drag and reverts the transition, even if the page is already settling after the drag.
    ///
    /// The transition is completed instead if the drag still holds the page, took over a transition started by a call,
    /// and never reached a translation of `PanRecognizer.defaultMinimumTravel`.
    ///
    /// - Returns: Whether the current transition was dragged.
    @discardableResult
    public func cancelDrag(now: HostTime) -> Bool {
        guard let transition, transition.isDragged || transition.isHeld else { return false }
        if transition.isHeld || transition.isGoingForward {
            let forward = transition.isHeld && transition.continuesUnlessDragged
            settle(
                transition, forward: forward, velocity: transition.velocity(at: now, width: size.width), now: now)
        }
        return true
    }

    func settle(_ transition: Transition, forward: Bool, velocity: Double, now: HostTime) {
        transition.continuesUnlessDragged = false
        let target = (forward ? transition.doneProgress : 1 - transition.doneProgress) * size.width
        transition.mover = .settle(
            SettleAnimation(
                from: transition.position(at: now, width: size.width), to: target, velocity: velocity,
                limit: forward ? nil : SettleAnimation.response, at: now))
    }
}
