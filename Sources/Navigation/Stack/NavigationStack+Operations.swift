import Animation
public import Time

// Operations called by the program. A call first finishes the current transition, unless it continues it. A call that
// throws changes nothing.

extension NavigationStack {
    /// Pushes `page` on top.
    /// - Throws: `alreadyOnStack`.
    public func push(_ page: Page, animated: Bool = true, now: HostTime) throws(NavigationError) {
        let pages = settledPages
        if pages.contains(where: { $0 === page }) { throw .alreadyOnStack }
        change(to: pages + [page], animated: animated, isPush: true, now: now)
    }

    /// Pops the top page.
    ///
    /// During a drag that would pop it, the drag turns into the pop and continues from the page's position. A page that
    /// is being pushed turns back.
    /// - Returns: The page that leaves; nil if only the root is left.
    @discardableResult
    public func pop(animated: Bool = true, now: HostTime) -> Page? {
        if let transition, transition.kind == .pop, !transition.isGoingForward {
            carryOn(transition, animated: animated, now: now)
            return transition.upper
        }
        if let transition, transition.isPlainPush, endsForward(transition) {
            reverse(transition, animated: animated, now: now)
            return transition.upper
        }
        let pages = settledPages
        guard pages.count > 1, let page = pages.last else { return nil }
        change(to: Array(pages.dropLast()), animated: animated, isPush: false, now: now)
        return page
    }

    /// Brings back the page that is being popped, from its visible position.
    ///
    /// - Returns: Whether a page was being popped.
    @discardableResult
    public func undoPop(now: HostTime) -> Bool {
        guard let transition, transition.kind == .pop else { return false }
        reverse(transition, animated: true, now: now)
        return true
    }

    /// Pops all pages but the root. Returns them, lowest first.
    @discardableResult
    public func popToRoot(animated: Bool = true, now: HostTime) -> [Page] {
        (try? pop(to: settledPages[0], animated: animated, now: now)) ?? []
    }

    /// Pops the pages above `page`. If the top page is pulled aside or leaving, it continues from where it is.
    ///
    /// - Returns: The pages that leave, lowest first.
    /// - Throws: `notOnStack`.
    @discardableResult
    public func pop(to page: Page, animated: Bool = true, now: HostTime) throws(NavigationError) -> [Page] {
        let pages = settledPages
        guard let index = pages.firstIndex(where: { $0 === page }) else { throw .notOnStack }
        let leaving = Array(pages[(index + 1)...])
        if let transition, transition.kind == .pop, transition.upper !== page {
            if transition.lower === page {
                carryOn(transition, animated: animated, now: now)
            } else {
                redirect(transition, to: Array(pages[...index]), animated: animated, now: now)
            }
        } else if !leaving.isEmpty {
            change(to: Array(pages[...index]), animated: animated, isPush: false, now: now)
        }
        return leaving
    }

    /// Pops the pages above a page of `type`.
    ///
    /// - Parameter choose: Picks one of the pages of that type, lowest first; if nil, the topmost one is taken.
    /// - Returns: The pages that leave, lowest first.
    /// - Throws: `noSuchPage` if there is no page of that type, or none was picked.
    @discardableResult
    public func pop<P: Page>(
        toFirst type: P.Type, animated: Bool = true, now: HostTime, choose: (([P]) -> P?)? = nil
    ) throws(NavigationError) -> [Page] {
        let found = settledPages.compactMap { $0 as? P }
        guard !found.isEmpty, let page = choose.map({ $0(found) }) ?? found.last else {
            throw .noSuchPage(type: "\(type)")
        }
        return try pop(to: page, animated: animated, now: now)
    }

    /// Replaces the top page by `page`.
    /// - Throws: `alreadyOnStack`.
    public func replace(with page: Page, animated: Bool = true, now: HostTime) throws(NavigationError) {
        let pages = settledPages
        if pages.contains(where: { $0 === page }) { throw .alreadyOnStack }
        change(to: pages.dropLast() + [page], animated: animated, isPush: true, now: now)
    }

    /// Replaces the whole stack by `newPages`, the last on top. If the new top page was on the stack, this is a pop,
    /// otherwise a push.
    /// - Throws: `emptyStack`; `alreadyOnStack` if a page is listed twice.
    public func setStack(_ newPages: [Page], animated: Bool = true, now: HostTime) throws(NavigationError) {
        guard let newTop = newPages.last else { throw .emptyStack }
        if Set(newPages.map(ObjectIdentifier.init)).count != newPages.count { throw .alreadyOnStack }
        let wasOnStack = settledPages.contains { $0 === newTop }
        change(to: newPages, animated: animated, isPush: !wasOnStack, now: now)
    }

    /// The stack after the current transition, as a new call would finish it.
    private var settledPages: [Page] {
        transition.map { endsForward($0) ? $0.finalPages : $0.initialPages } ?? pages
    }

    /// Whether a new call finishes a transition at its target. A drag is finished where the program had sent the page,
    /// else it goes back.
    private func endsForward(_ transition: Transition) -> Bool {
        transition.isGoingForward || (transition.isHeld && top === transition.coming)
    }

    // MARK: - Changing

    private func change(to newPages: [Page], animated: Bool, isPush: Bool, now: HostTime) {
        if let transition { conclude(transition, forward: endsForward(transition)) }
        let (old, new) = (top, newPages[newPages.count - 1])
        let initial = pages
        adopt(newPages)
        guard old !== new else { return notify() }
        var driver = PercentDriver(duration: Self.programDuration)
        driver.finish(at: LocalTime(now))
        begin(
            Transition(
                isPush ? .push(isTrailing: false) : .pop, upper: isPush ? new : old, lower: isPush ? old : new,
                initialPages: initial, finalPages: newPages, mover: .program(driver)), isSeen: animated)
    }

    /// Lets `transition` finish from the visible position.
    private func carryOn(_ transition: Transition, animated: Bool, now: HostTime) {
        if !transition.isGoingForward {
            settle(transition, forward: true, velocity: transition.velocity(at: now, width: size.width), now: now)
        }
        if !animated { finish(transition) }
    }

    /// Reverses `transition` from the visible position, restoring the previous stack.
    private func reverse(_ transition: Transition, animated: Bool, now: HostTime) {
        settle(transition, forward: false, velocity: transition.velocity(at: now, width: size.width), now: now)
        adopt(transition.initialPages)
        transition.upper.stack = self
        if animated { notify() } else { finish(transition) }
    }

    /// Lets the page that `transition` removes continue from its visible position, over a page other than before.
    private func redirect(_ transition: Transition, to newPages: [Page], animated: Bool, now: HostTime) {
        scene.end(transition, in: layer, shows: transition.upper)
        if transition.hasSnapshot { snapshots?.releaseSnapshot() }
        let next = Transition(
            .pop, upper: transition.upper, lower: newPages[newPages.count - 1], initialPages: transition.initialPages,
            finalPages: newPages, mover: transition.mover)
        next.isDragged = transition.isDragged
        next.progress = transition.progress
        settle(next, forward: true, velocity: transition.velocity(at: now, width: size.width), now: now)
        // A page released by a drag leaves the stack when it has left the window; any other leaves immediately.
        if pages.last !== transition.upper { adopt(newPages) }
        begin(next, isSeen: animated)
        if next === self.transition, let progress = next.progress {
            scene.place(next, style: style, progress: progress, size: size)
        }
    }

    /// Sets the stack's pages and releases those that are no longer on it.
    private func adopt(_ newPages: [Page]) {
        for page in pages where !newPages.contains(where: { $0 === page }) { page.stack = nil }
        for page in newPages { page.stack = self }
        setPages(newPages)
    }

    /// Begins `transition`. If it would not be visible, it is finished immediately.
    func begin(_ transition: Transition, isSeen: Bool = true) {
        let isSeen = isSeen && !size.isEmpty
        self.transition = transition
        transition.upper.stack = self
        transition.lower.stack = self
        scene.begin(transition, in: layer)
        notify()
        // A page may have ended it when notified.
        guard transition === self.transition else { return }
        if hasLayout {
            transition.upper.layoutIfNeeded(size)
            transition.lower.layoutIfNeeded(size)
        }
        if isSeen { takeSnapshot() } else { finish(transition) }
    }

    private func finish(_ transition: Transition) {
        conclude(transition, forward: transition.isGoingForward)
        notify()
    }

    /// Moves the transition to one of its ends. `notify` sends the resulting notifications.
    func conclude(_ transition: Transition, forward: Bool) {
        guard transition === self.transition else { return }
        let end = forward ? transition.doneProgress : 1 - transition.doneProgress
        if transition.isDragged {
            dragEnds.append(
                DragEnd(
                    page: transition.draggedPage, progress: transition.progress == end ? nil : end,
                    isPopped: forward && !transition.kind.isPush))
        }
        transition.progress = end
        self.transition = nil
        scene.end(transition, in: layer, shows: forward ? transition.coming : transition.leaving)
        if transition.hasSnapshot { snapshots?.releaseSnapshot() }
        adopt(forward ? transition.finalPages : transition.initialPages)
        for page in [transition.upper, transition.lower] where !pages.contains(where: { $0 === page }) {
            page.stack = nil
        }
        popPan.settleEnded()
    }
}
