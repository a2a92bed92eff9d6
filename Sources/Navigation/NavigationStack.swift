public import Gestures
public import Motion
public import Stage

/// A stack of pages, of which the last is seen, and the transitions between them.
///
/// Main thread; time is told. A transition moves layers, and nothing else: what a page shows goes on while it moves.
@MainActor public final class NavigationStack {
    /// How long a push or pop by the program takes, in seconds.
    public static let programDuration = Duration.milliseconds(350)
    /// Where a page would come to rest after this many seconds at the hand's speed decides where it goes.
    public static let coastTime = 0.25
    /// The share of the width beyond which a page that comes to rest is popped.
    public static let defaultCommitThreshold = 0.35
    /// The share of the width that a bound page must have been pulled in to stay.
    public static let boundCommitThreshold = 0.3

    /// Holds all that is seen of the pages.
    public let layer = Layer()
    public private(set) var pages: [Page]
    public var style = TransitionStyle.system
    public var beneathMode = BeneathMode.snapshot
    public var commitThreshold = NavigationStack.defaultCommitThreshold
    /// Closes the pops of all pages to the hand.
    public var arePopsClosed = false
    /// Without one, pages beneath are drawn live.
    public weak var snapshots: (any SnapshotSource)?
    /// Called when another page is on top, by whatever way, at the moment at which that is certain.
    public var onChange: (@MainActor () -> Void)?

    /// The drag that pops, and pulls in bound pages.
    public let popPan = PopPanRecognizer()

    var transition: Transition?
    let scene = TransitionScene()
    private(set) var size = Size.zero
    private var layoutIsPending = true

    /// - Parameter root: the page that nothing pops. It appears with the first layout.
    public init(root: Page) {
        pages = [root]
        layer.clipsToBounds = true
        root.stack = self
        layer.add(root.container)
        popPan.context = self
        popPan.onChange = { [weak self] _ in self?.popPanChanged() }
    }

    /// The page that is on top, or that will be where a transition by program goes on.
    public var top: Page { pages[pages.count - 1] }
    public var root: Page { pages[0] }
    public var isTransitioning: Bool { transition != nil }
    /// Whether a hand holds a page.
    public var isHeld: Bool { transition?.isHeld ?? false }
    /// The share of the width by which the upper page is aside, while a transition is under way.
    public var progress: Double? { transition?.progress }
    /// The page that is above, and the one beneath, while a transition is under way.
    public var transitioningPages: (upper: Page, lower: Page)? { transition.map { ($0.upper, $0.lower) } }
    /// Whether the transition under way, if nothing stops it, ends with its upper page gone.
    public var isPopping: Bool { transition.map { !$0.kind.isPush == $0.isGoingForward && !$0.isHeld } ?? false }

    // MARK: - The calls

    /// Puts `page` on top.
    /// - Throws: `alreadyOnStack`.
    public func push(_ page: Page, animated: Bool = true, now: HostTime) throws(NavigationError) {
        finishNow(now)
        if pages.contains(where: { $0 === page }) { throw .alreadyOnStack }
        change(to: pages + [page], animated: animated, isPush: true, now: now)
    }

    /// Takes the top page away.
    ///
    /// During a drag that would pop it, the drag is what pops it, now: the page goes on from where it is.
    /// - Returns: the page that goes; nil where only the root is left.
    @discardableResult
    public func pop(animated: Bool = true, now: HostTime) -> Page? {
        if let transition, transition.kind == .pop, !transition.isGoingForward {
            let page = transition.upper
            settle(transition, forward: true, velocity: transition.velocity(at: now, width: size.width), now: now)
            if !animated { finishNow(now) }
            return page
        }
        if let transition, transition.kind == .push(isBound: true), transition.isHeld {
            // What was being pulled in was never there: it goes, and then the page it was pulled over.
            conclude(transition, forward: false, now: now)
        }
        finishNow(now)
        guard pages.count > 1, let page = pages.last else { return nil }
        change(to: Array(pages.dropLast()), animated: animated, isPush: false, now: now)
        return page
    }

    /// Takes all pages but the root away. Returns those that go, the lowest first.
    @discardableResult
    public func popToRoot(animated: Bool = true, now: HostTime) -> [Page] {
        (try? pop(to: root, animated: animated, now: now)) ?? []
    }

    /// Takes the pages above `page` away. Returns them, the lowest first.
    /// - Throws: `notOnStack`.
    @discardableResult
    public func pop(to page: Page, animated: Bool = true, now: HostTime) throws(NavigationError) -> [Page] {
        finishNow(now)
        guard let index = pages.firstIndex(where: { $0 === page }) else { throw .notOnStack }
        let leaving = Array(pages[(index + 1)...])
        if !leaving.isEmpty { change(to: Array(pages[...index]), animated: animated, isPush: false, now: now) }
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
        let found = pages.compactMap { $0 as? P }
        guard !found.isEmpty, let page = choose.map({ $0(found) }) ?? found.last else {
            throw .noSuchPage(type: "\(type)")
        }
        return try pop(to: page, animated: animated, now: now)
    }

    /// Puts `page` in the place of the top page.
    /// - Throws: `alreadyOnStack`.
    public func replace(with page: Page, animated: Bool = true, now: HostTime) throws(NavigationError) {
        finishNow(now)
        if pages.contains(where: { $0 === page }) { throw .alreadyOnStack }
        change(to: pages.dropLast() + [page], animated: animated, isPush: true, now: now)
    }

    /// Makes `newPages` the stack, the last on top. A top page that was on the stack is popped to, another is pushed.
    /// - Throws: `emptyStack`; `alreadyOnStack` where one page is named twice.
    public func setStack(_ newPages: [Page], animated: Bool = true, now: HostTime) throws(NavigationError) {
        guard let newTop = newPages.last else { throw .emptyStack }
        if Set(newPages.map(ObjectIdentifier.init)).count != newPages.count { throw .alreadyOnStack }
        finishNow(now)
        let wasOnStack = pages.contains { $0 === newTop }
        change(to: newPages, animated: animated, isPush: !wasOnStack, now: now)
    }

    // MARK: - Changing

    private func change(to newPages: [Page], animated: Bool, isPush: Bool, now: HostTime) {
        let (old, new) = (top, newPages[newPages.count - 1])
        let initial = pages
        adopt(newPages)
        guard old !== new else { return onChange?() ?? () }
        var driver = PercentDriver(duration: Self.programDuration)
        driver.finish(at: LocalTime(now))
        let transition = Transition(
            isPush ? .push(isBound: false) : .pop, upper: isPush ? new : old, lower: isPush ? old : new,
            initialPages: initial, finalPages: newPages, mover: .program(driver))
        begin(transition)
        onChange?()
        if !animated || size.isEmpty { conclude(transition, forward: true, now: now) }
    }

    /// Takes `newPages` for the stack's, and lets go of those that are gone.
    func adopt(_ newPages: [Page]) {
        for page in pages where !newPages.contains(where: { $0 === page }) { page.stack = nil }
        for page in newPages { page.stack = self }
        pages = newPages
    }

    func begin(_ transition: Transition) {
        self.transition = transition
        transition.upper.stack = self
        transition.lower.stack = self
        transition.leaving.appearance.beginLeaving(transition.leaving)
        transition.coming.appearance.begin(transition.coming)
        transition.upper.layoutIfNeeded(size)
        transition.lower.layoutIfNeeded(size)
        scene.begin(transition, in: layer)
        takeSnapshot()
    }

    /// Brings the transition to one of its ends, where it stays.
    func conclude(_ transition: Transition, forward: Bool, now: HostTime) {
        let end = forward ? transition.doneProgress : 1 - transition.doneProgress
        if transition.isDragged, transition.progress != end { transition.draggedPage.didDrag(progress: end) }
        transition.progress = end
        self.transition = nil
        scene.end(transition, in: layer, shows: forward ? transition.coming : transition.leaving)
        if transition.hasSnapshot { snapshots?.releaseSnapshot() }

        let pagesChange = forward ? transition.finalPages : transition.initialPages
        let isNews = pagesChange.last !== pages.last
        adopt(pagesChange)
        for page in [transition.upper, transition.lower] where !pages.contains(where: { $0 === page }) {
            page.stack = nil
        }
        if !forward {
            transition.coming.appearance.beginLeaving(transition.coming)
            transition.leaving.appearance.begin(transition.leaving)
        }
        let (gone, shown) =
            forward ? (transition.leaving, transition.coming) : (transition.coming, transition.leaving)
        gone.appearance.finish(gone)
        shown.appearance.finish(shown)
        if transition.isDragged {
            transition.draggedPage.didEndDragging(popped: forward && !transition.kind.isPush)
        }
        popPan.settleEnded()
        if isNews { onChange?() }
    }

    /// Ends what is under way at the end it is going to; a drag goes back.
    func finishNow(_ now: HostTime) {
        guard let transition else { return }
        conclude(transition, forward: transition.isGoingForward, now: now)
    }

    // MARK: - Time

    /// Whether something moves.
    public var isAnimating: Bool { transition.map { !$0.isHeld } ?? false }

    /// Moves what moves to where it is at `now`. True where something is to be drawn anew.
    public func advance(to now: HostTime) -> Bool {
        guard let transition else { return false }
        let width = size.width
        let position = transition.position(at: now, width: width)
        let progress = width > 0 ? position / width : transition.doneProgress
        let isNew = progress != transition.progress
        if isNew {
            transition.progress = progress
            scene.place(transition, style: style, progress: progress, size: size)
            if transition.isDragged { transition.draggedPage.didDrag(progress: progress) }
        }
        if transition.isFinished(at: now) {
            conclude(transition, forward: transition.isGoingForward, now: now)
            return true
        }
        return isNew
    }

    // MARK: - Layout

    /// The container is `size` points now.
    public func layout(_ size: Size) {
        guard layoutIsPending || size != self.size else { return }
        layoutIsPending = false
        let isResized = size != self.size
        let share = transition.flatMap { $0.progress }
        let oldWidth = self.size.width
        self.size = size
        layer.frame = Rect(origin: .zero, size: size)
        if let transition {
            transition.upper.layoutIfNeeded(size)
            transition.lower.layoutIfNeeded(size)
            if isResized {
                rescale(transition, from: oldWidth)
                takeSnapshot()
            }
            if let share { scene.place(transition, style: style, progress: share, size: size) }
        } else {
            top.layoutIfNeeded(size)
            top.appearance.begin(top)
            top.appearance.finish(top)
        }
    }

    func layoutIsNeeded() { layoutIsPending = true }

    /// A page in another width is at the same share of it.
    private func rescale(_ transition: Transition, from oldWidth: Double) {
        guard oldWidth > 0 else { return }
        let factor = size.width / oldWidth
        switch transition.mover {
        case .hand(let anchor, let translation):
            // The hand keeps its pixels; what is left of the way is the anchor's.
            transition.mover = .hand(anchor: (anchor + translation) * factor - translation, translation: translation)
        case .settle(let settle): transition.mover = .settle(settle.scaled(by: factor))
        case .program: break
        }
    }

    /// Has the picture of the page beneath taken, now.
    public func takeSnapshot() {
        guard let transition else { return }
        let mode = transition.lower.beneathMode ?? beneathMode
        // What is drawn live is not to be in the picture as well.
        scene.setSnapshot(nil, of: transition, size: size)
        let content =
            mode == .snapshot
            ? snapshots.flatMap { $0.capture(transition.lower.captured, size: size) } : nil
        transition.hasSnapshot = content != nil
        scene.setSnapshot(content, of: transition, size: size)
    }
}
