public import Geometry
public import Layers
public import Time

/// A stack of pages, of which the last is seen, and the transitions between them.
///
/// Main thread; time is told. A transition moves layers, and nothing else: what a page shows goes on while it moves.
@MainActor public final class NavigationStack {
    /// How long a push or pop by the program takes, in seconds.
    public static let programDuration = Duration.milliseconds(350)
    /// Where a page would come to rest after this many seconds at the hand's speed decides where it goes.
    public nonisolated static let coastTime = 0.25
    /// The share of the width beyond which a page that comes to rest is popped.
    public nonisolated static let defaultCommitThreshold = 0.35
    /// The share of the width that a bound page must have been pulled in to stay.
    public static let boundCommitThreshold = 0.3

    /// Holds all that is seen of the pages.
    public let layer = Layer()
    /// The lowest first; never empty.
    public private(set) var pages: [Page]
    /// How the page beneath looks; counts from the next transition on.
    public var style = TransitionStyle.system
    /// What pages beneath are drawn from that do not say so themselves.
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
    /// Whether a page is to be laid out anew with the next call of `layout`.
    public private(set) var needsLayout = true

    /// Whether there is a window to appear in.
    private(set) var hasLayout = false
    /// The pages that know themselves to be seen, or that are about to.
    var seen: [Page] = []
    /// Drags that are over, of which pages are still to be told.
    var dragEnds: [DragEnd] = []
    /// The top page of which `onChange` has told last.
    var toldTop: Page

    /// - Parameter root: the page that nothing pops. It appears with the first layout.
    public init(root: Page) {
        pages = [root]
        toldTop = root
        layer.clipsToBounds = true
        root.stack = self
        layer.add(root.container)
        popPan.context = self
        popPan.onChange = { [weak self] _ in self?.popPanChanged() }
    }

    /// The page that is on top, or that will be where a transition by program goes on.
    public var top: Page { pages[pages.count - 1] }
    /// The page that nothing pops.
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
        // The page may have ended it, or turned it round.
        if transition === self.transition, transition.isFinished(at: now) {
            conclude(transition, forward: transition.isGoingForward)
            tell()
            return true
        }
        return isNew
    }

    // MARK: - Layout

    /// The container is `size` points now, and its corner at `origin` of what it lies in.
    ///
    /// In one without area, as a minimized window may have, nothing is seen; what moves goes on in the size that it had.
    public func layout(_ size: Size, at origin: Point = .zero) {
        if layer.frame.origin != origin { layer.frame.origin = origin }
        guard needsLayout || size != self.size else { return }
        if size.isEmpty, transition != nil { return }
        needsLayout = false
        hasLayout = true
        let isResized = size != self.size
        let fraction = transition.flatMap { $0.progress }
        let oldWidth = self.size.width
        self.size = size
        layer.frame = Rect(origin: origin, size: size)
        if let transition {
            transition.upper.layoutIfNeeded(size)
            transition.lower.layoutIfNeeded(size)
            if isResized {
                rescale(transition, from: oldWidth)
                takeSnapshot()
            }
            if let fraction { scene.place(transition, style: style, progress: fraction, size: size) }
        } else {
            top.layoutIfNeeded(size)
            tell()
        }
    }

    func setPages(_ newPages: [Page]) { pages = newPages }

    func layoutIsNeeded() { needsLayout = true }

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
        // A newer picture takes the place of the one before; where there is none, that one is of no use any more.
        if transition.hasSnapshot, content == nil { snapshots?.releaseSnapshot() }
        transition.hasSnapshot = content != nil
        scene.setSnapshot(content, of: transition, size: size)
    }
}
