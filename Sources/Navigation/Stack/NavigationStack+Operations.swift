import GlissadeAnimation
public import GlissadeTime

// Operations for the program to call. Each call first finishes the current transition, unless it continues or
// reverses that transition. A call that throws changes nothing.

extension NavigationStack {
    /// Pushes `page` onto the stack.
    ///
    /// - Throws: `alreadyOnStack` if `page` is already on the stack.
    public func push(_ page: Page, animated: Bool = true, now: HostTime) throws(NavigationError) {
        let pages = settledPages
        if pages.contains(where: { $0 === page }) { throw .alreadyOnStack }
        change(to: pages + [page], animated: animated, isPush: true, now: now)
    }

    /// Pops the top page.
    ///
    /// If a drag has pulled the top page aside, or the page is returning after a drag, the page leaves from its visible
    /// position. A page that is being pushed turns back.
    ///
    /// - Returns: The popped page; nil if only the root is left.
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

    /// Reverts a pop in progress, whether a call or a drag started it. The page comes back from its visible position,
    /// and the stack again holds the pages that it held before the pop.
    ///
    /// - Returns: Whether a pop was in progress.
    @discardableResult
    public func undoPop(now: HostTime) -> Bool {
        guard let transition, transition.kind == .pop else { return false }
        reverse(transition, animated: true, now: now)
        return true
    }

    /// Pops all pages but the root.
    ///
    /// - Returns: The popped pages, lowest first.
    @discardableResult
    public func popToRoot(animated: Bool = true, now: HostTime) -> [Page] {
        (try? pop(to: settledPages[0], animated: animated, now: now)) ?? []
    }

    /// Pops the pages above `page`. If the top page is already being dragged or leaving, it continues from its visible
    /// position.
    ///
    /// - Returns: The popped pages, lowest first.
    /// - Throws: `notOnStack` if `page` is not on the stack.
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
    /// - Parameter choose: Picks one of the pages of that type. The closure receives them lowest first. If this is
    ///   nil, the topmost page of that type is used.
    /// - Returns: The popped pages, lowest first.
    /// - Throws: `noSuchPage` if there is no page of that type, or if none was picked. `notOnStack` if the picked page
    ///   is not on the stack.
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

    /// Replaces the top page with `page`, animated like a push.
    ///
    /// - Throws: `alreadyOnStack` if `page` is already on the stack.
    public func replace(with page: Page, animated: Bool = true, now: HostTime) throws(NavigationError) {
        let pages = settledPages
        if pages.contains(where: { $0 === page }) { throw .alreadyOnStack }
        change(to: pages.dropLast() + [page], animated: animated, isPush: true, now: now)
    }

    /// Replaces all pages with `newPages`, whose last page becomes the top page. The change is animated as a pop if the
    /// new top page was already on the stack, and otherwise as a push. If the top page stays the same, nothing is
    /// animated.
    ///
    /// - Throws: `emptyStack` if `newPages` is empty; `alreadyOnStack` if a page is listed twice.
    public func setStack(_ newPages: [Page], animated: Bool = true, now: HostTime) throws(NavigationError) {
        guard let newTop = newPages.last else { throw .emptyStack }
        if Set(newPages.map(ObjectIdentifier.init)).count != newPages.count { throw .alreadyOnStack }
        let wasOnStack = settledPages.contains { $0 === newTop }
        change(to: newPages, animated: animated, isPush: !wasOnStack, now: now)
    }

    /// The pages that will be on the stack once a call such as `push` has ended the current transition.
    private var settledPages: [Page] {
        transition.map { endsForward($0) ? $0.finalPages : $0.initialPages } ?? pages
    }

    /// Whether a call such as `push` completes `transition` instead of reverting it. A transition held by a drag is
    /// completed only if it was started by a call.
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

    /// Lets `transition` run to completion from its visible position, or completes it at once if `animated` is false.
    private func carryOn(_ transition: Transition, animated: Bool, now: HostTime) {
        if !transition.isGoingForward {
            settle(transition, forward: true, velocity: transition.velocity(at: now, width: size.width), now: now)
        }
        if !animated { finish(transition) }
    }

    /// Turns `transition` back from its visible position, and restores the pages that were on the stack before it.
    private func reverse(_ transition: Transition, animated: Bool, now: HostTime) {
        settle(transition, forward: false, velocity: transition.velocity(at: now, width: size.width), now: now)
        adopt(transition.initialPages)
        transition.upper.stack = self
        if animated { notify() } else { finish(transition) }
    }

    /// Continues a pop with the last page of `newPages` as the lower page. The upper page continues from its visible
    /// position.
    private func redirect(_ transition: Transition, to newPages: [Page], animated: Bool, now: HostTime) {
        scene.end(transition, in: layer, shows: transition.upper)
        if transition.hasSnapshot { snapshots?.releaseSnapshot() }
        let next = Transition(
            .pop, upper: transition.upper, lower: newPages[newPages.count - 1], initialPages: transition.initialPages,
            finalPages: newPages, mover: transition.mover)
        next.isDragged = transition.isDragged
        next.progress = transition.progress
        settle(next, forward: true, velocity: transition.velocity(at: now, width: size.width), now: now)
        // A page that a drag pops stays on the stack until it has left the window. Otherwise, the stack changes
        // immediately.
        if pages.last !== transition.upper { adopt(newPages) }
        begin(next, isSeen: animated)
        if next === self.transition, let progress = next.progress {
            scene.place(next, style: style, progress: progress, size: size)
        }
    }

    /// Sets the stack's pages, and updates the `stack` property of new and removed pages.
    private func adopt(_ newPages: [Page]) {
        for page in pages where !newPages.contains(where: { $0 === page }) { page.stack = nil }
        for page in newPages { page.stack = self }
        setPages(newPages)
    }

    /// Begins `transition`. Finishes it immediately if `isSeen` is false or the stack's size is empty.
    func begin(_ transition: Transition, isSeen: Bool = true) {
        let isSeen = isSeen && !size.isEmpty
        self.transition = transition
        transition.upper.stack = self
        transition.lower.stack = self
        scene.begin(transition, in: layer)
        notify()
        // A page may have ended the transition when notified.
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

    /// Ends `transition`: completes it if `forward` is true, otherwise reverts it. Does nothing if `transition` is not
    /// the current transition. Call `notify` afterwards to send the resulting notifications.
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
