import Animation
public import Time

// What the program has the stack do. A call first ends what is under way, unless it goes on with that; one that throws
// leaves everything as it is.

extension NavigationStack {
    /// Puts `page` on top.
    /// - Throws: `alreadyOnStack`.
    public func push(_ page: Page, animated: Bool = true, now: HostTime) throws(NavigationError) {
        let pages = settledPages
        if pages.contains(where: { $0 === page }) { throw .alreadyOnStack }
        change(to: pages + [page], animated: animated, isPush: true, now: now)
    }

    /// Takes the top page away.
    ///
    /// During a drag that would pop it, the drag is what pops it, now: the page goes on from where it is. A page that is
    /// just being pushed turns back.
    /// - Returns: the page that goes; nil where only the root is left.
    @discardableResult
    public func pop(animated: Bool = true, now: HostTime) -> Page? {
        if let transition, transition.kind == .pop, !transition.isGoingForward {
            goOn(transition, animated: animated, now: now)
            return transition.upper
        }
        if let transition, transition.isPlainPush, endsForward(transition) {
            turnBack(transition, animated: animated, now: now)
            return transition.upper
        }
        let pages = settledPages
        guard pages.count > 1, let page = pages.last else { return nil }
        change(to: Array(pages.dropLast()), animated: animated, isPush: false, now: now)
        return page
    }

    /// Has the page that is being popped come back from where it is seen, and stay.
    ///
    /// - Returns: whether one was.
    @discardableResult
    public func undoPop(now: HostTime) -> Bool {
        guard let transition, transition.kind == .pop else { return false }
        turnBack(transition, animated: true, now: now)
        return true
    }

    /// Takes all pages but the root away. Returns those that go, the lowest first.
    @discardableResult
    public func popToRoot(animated: Bool = true, now: HostTime) -> [Page] {
        (try? pop(to: settledPages[0], animated: animated, now: now)) ?? []
    }

    /// Takes the pages above `page` away.
    ///
    /// Where the top page is drawn aside, or is leaving, it goes on from where it is.
    /// - Returns: the pages that go, the lowest first.
    /// - Throws: `notOnStack`.
    @discardableResult
    public func pop(to page: Page, animated: Bool = true, now: HostTime) throws(NavigationError) -> [Page] {
        let pages = settledPages
        guard let index = pages.firstIndex(where: { $0 === page }) else { throw .notOnStack }
        let leaving = Array(pages[(index + 1)...])
        if let transition, transition.kind == .pop, transition.upper !== page {
            if transition.lower === page {
                goOn(transition, animated: animated, now: now)
            } else {
                redirect(transition, to: Array(pages[...index]), animated: animated, now: now)
            }
        } else if !leaving.isEmpty {
            change(to: Array(pages[...index]), animated: animated, isPush: false, now: now)
        }
        return leaving
    }

    /// Takes the pages above a page of `type` away.
    ///
    /// - Parameter choose: given all pages of that type, the lowest first, picks one; without it, the topmost.
    /// - Returns: the pages that go, the lowest first.
    /// - Throws: `noSuchPage` where there is none of that type, or none was chosen.
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

    /// Puts `page` in the place of the top page.
    /// - Throws: `alreadyOnStack`.
    public func replace(with page: Page, animated: Bool = true, now: HostTime) throws(NavigationError) {
        let pages = settledPages
        if pages.contains(where: { $0 === page }) { throw .alreadyOnStack }
        change(to: pages.dropLast() + [page], animated: animated, isPush: true, now: now)
    }

    /// Makes `newPages` the stack, the last on top. A top page that was on the stack is popped to, another is pushed.
    /// - Throws: `emptyStack`; `alreadyOnStack` where one page is named twice.
    public func setStack(_ newPages: [Page], animated: Bool = true, now: HostTime) throws(NavigationError) {
        guard let newTop = newPages.last else { throw .emptyStack }
        if Set(newPages.map(ObjectIdentifier.init)).count != newPages.count { throw .alreadyOnStack }
        let wasOnStack = settledPages.contains { $0 === newTop }
        change(to: newPages, animated: animated, isPush: !wasOnStack, now: now)
    }

    /// The stack as it is once what is under way has ended where a call ends it.
    private var settledPages: [Page] {
        transition.map { endsForward($0) ? $0.finalPages : $0.initialPages } ?? pages
    }

    /// Where a call ends it: where it is going to; under a hand, where the program sent it, or else back.
    private func endsForward(_ transition: Transition) -> Bool {
        transition.isGoingForward || (transition.isHeld && top === transition.coming)
    }

    // MARK: - Changing

    private func change(to newPages: [Page], animated: Bool, isPush: Bool, now: HostTime) {
        if let transition { conclude(transition, forward: endsForward(transition)) }
        let (old, new) = (top, newPages[newPages.count - 1])
        let initial = pages
        adopt(newPages)
        guard old !== new else { return tell() }
        var driver = PercentDriver(duration: Self.programDuration)
        driver.finish(at: LocalTime(now))
        begin(
            Transition(
                isPush ? .push(isBound: false) : .pop, upper: isPush ? new : old, lower: isPush ? old : new,
                initialPages: initial, finalPages: newPages, mover: .program(driver)), isSeen: animated)
    }

    /// Has `transition` come to its end by itself, from where it is seen.
    private func goOn(_ transition: Transition, animated: Bool, now: HostTime) {
        if !transition.isGoingForward {
            settle(transition, forward: true, velocity: transition.velocity(at: now, width: size.width), now: now)
        }
        if !animated { finish(transition) }
    }

    /// Has `transition` go back from where it is seen; the stack is what it was before.
    private func turnBack(_ transition: Transition, animated: Bool, now: HostTime) {
        settle(transition, forward: false, velocity: transition.velocity(at: now, width: size.width), now: now)
        adopt(transition.initialPages)
        transition.upper.stack = self
        if animated { tell() } else { finish(transition) }
    }

    /// Has the page that `transition` takes away go on from where it is seen, off another page than it was to.
    private func redirect(_ transition: Transition, to newPages: [Page], animated: Bool, now: HostTime) {
        scene.end(transition, in: layer, shows: transition.upper)
        if transition.hasSnapshot { snapshots?.releaseSnapshot() }
        let next = Transition(
            .pop, upper: transition.upper, lower: newPages[newPages.count - 1], initialPages: transition.initialPages,
            finalPages: newPages, mover: transition.mover)
        next.isDragged = transition.isDragged
        next.progress = transition.progress
        settle(next, forward: true, velocity: transition.velocity(at: now, width: size.width), now: now)
        // A page that a hand has let go of leaves the stack when it has left the window, another at once.
        if pages.last !== transition.upper { adopt(newPages) }
        begin(next, isSeen: animated)
        if next === self.transition, let progress = next.progress {
            scene.place(next, style: style, progress: progress, size: size)
        }
    }

    /// Takes `newPages` for the stack's, and lets go of those that are gone.
    private func adopt(_ newPages: [Page]) {
        for page in pages where !newPages.contains(where: { $0 === page }) { page.stack = nil }
        for page in newPages { page.stack = self }
        setPages(newPages)
    }

    /// Begins `transition`; one that is not to be seen is over at once.
    func begin(_ transition: Transition, isSeen: Bool = true) {
        let isSeen = isSeen && !size.isEmpty
        self.transition = transition
        transition.upper.stack = self
        transition.lower.stack = self
        scene.begin(transition, in: layer)
        tell()
        // A page that was told of it may have ended it.
        guard transition === self.transition else { return }
        if hasLayout {
            transition.upper.layoutIfNeeded(size)
            transition.lower.layoutIfNeeded(size)
        }
        if isSeen { takeSnapshot() } else { finish(transition) }
    }

    private func finish(_ transition: Transition) {
        conclude(transition, forward: transition.isGoingForward)
        tell()
    }

    /// Brings the transition to one of its ends, where it stays. What there is to tell of it is told by `tell`.
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
