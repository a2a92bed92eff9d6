public import GlissadeGeometry
public import GlissadeGestures
public import GlissadeLayers
public import GlissadeTime

/// A stack of pages with transitions between them. The last page is the top page. Outside of transitions, only the top
/// page is visible.
///
/// A transition moves the pages' layers without changing their content, so a video on a page keeps playing.
///
/// Threads: main thread. Pure: the time is passed in.
@MainActor public final class NavigationStack {
    /// The duration of a transition started by a call such as `push` or `pop`.
    public static let programDuration = Duration.milliseconds(350)
    /// The time for which a released page is assumed to coast at its velocity, in seconds. The position that the page
    /// would reach decides where it settles.
    public nonisolated static let coastTime = 0.25
    /// The default `commitThreshold`. Also the depth (`FullscreenHold`) to which a fullscreen element must be dragged
    /// to leave fullscreen.
    public nonisolated static let defaultCommitThreshold = 0.35
    /// The minimum distance by which a trailing page must be pulled in to be pushed on release, as a fraction of the
    /// stack's width. The distance that the page would coast (`coastTime`) counts toward it.
    public static let trailingCommitThreshold = 0.3

    /// The layer that contains the visible pages.
    public let layer = Layer()
    /// The pages, lowest first; never empty. A call such as `push` changes the pages at once. A drag changes them only
    /// once the dragged page has settled.
    public private(set) var pages: [Page]
    /// The appearance of transitions: how the lower page shifts and darkens, and whether the upper page casts a
    /// shadow.
    public var style = TransitionStyle.system
    /// How the lower page is drawn during a transition, unless that page's own `beneathMode` is set.
    public var beneathMode = BeneathMode.snapshot
    /// The minimum distance by which the top page must be pulled aside to be popped on release, as a fraction of the
    /// stack's width, 0…1. The distance that the page would coast (`coastTime`) counts toward it.
    public var commitThreshold = NavigationStack.defaultCommitThreshold
    /// Whether pops by dragging are disabled for all pages.
    public var arePopsDisabled = false
    /// The source of snapshots of the lower page, held weakly. If this is nil, the lower page is drawn live.
    public weak var snapshots: (any SnapshotSource)?
    /// Called when another page has become the top page. This is at the start of a transition started by a call such as
    /// `push`, and at the end of a transition started by a drag.
    public var onChange: (@MainActor () -> Void)?

    /// Recognizes drags that pull the top page aside or pull in a trailing page.
    public let popPan = PopPanRecognizer()
    public private(set) lazy var recognizers: [GestureRecognizer] = [popPan]

    var transition: Transition?
    let scene = TransitionScene()
    private(set) var size = Size.zero
    /// Whether `layout` must be called before the next frame. True until the first layout, and whenever a page has
    /// requested a layout.
    public private(set) var needsLayout = true

    /// Whether the stack has been laid out at least once. Before the first layout, no page is notified that it appears.
    private(set) var hasLayout = false
    /// The pages that have been notified that they will appear, but not yet that they have disappeared.
    var seen: [Page] = []
    /// The drags that have ended, but whose pages have not been notified yet.
    var dragEnds: [DragEnd] = []
    /// The top page at the last call of `onChange`; before the first call, the root page that the stack was created
    /// with.
    var reportedTop: Page

    /// Creates a stack with one page.
    ///
    /// - Parameter root: The lowest page, which cannot be popped. It appears with the first layout.
    public init(root: Page) {
        pages = [root]
        reportedTop = root
        layer.clipsToBounds = true
        root.stack = self
        layer.add(root.container)
        popPan.context = self
        popPan.isResampled = true
        popPan.onChange = { [weak self] _ in self?.popPanChanged() }
    }

    /// The top page. During a transition started by a call, this is already the page that will be on top.
    public var top: Page { pages[pages.count - 1] }
    /// The lowest page, which cannot be popped.
    public var root: Page { pages[0] }
    /// Whether a page is moving or held by a drag.
    public var isTransitioning: Bool { transition != nil }
    /// Whether a page is held by a drag.
    public var isHeld: Bool { transition?.isHeld ?? false }
    /// The distance from the stack's left edge to the upper page's left edge during a transition, as a fraction of the
    /// width. Nil if there is no transition, or before the transition's first frame.
    public var progress: Double? { transition?.progress }
    /// The upper and the lower page during a transition; nil if there is no transition.
    public var transitioningPages: (upper: Page, lower: Page)? { transition.map { ($0.upper, $0.lower) } }
    /// Whether the current transition moves its upper page out: a pop, or a push that is being reverted. False while a
    /// drag holds the page.
    public var isPopping: Bool { transition.map { !$0.kind.isPush == $0.isGoingForward && !$0.isHeld } ?? false }

    // MARK: - Time

    /// Whether pages are moving without being held by a drag.
    public var isAnimating: Bool { transition.map { !$0.isHeld } ?? false }

    /// Moves the pages to their positions at `now`, and ends the transition if its pages have arrived. Returns whether
    /// anything must be redrawn.
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
        // The page may have ended or reversed the transition when notified.
        if transition === self.transition, transition.isFinished(at: now) {
            conclude(transition, forward: transition.isGoingForward)
            notify()
            return true
        }
        return isNew
    }

    // MARK: - Layout

    /// Lays out the stack at `size` points, with its top-left corner at `origin` in the superlayer. Pages whose layout
    /// is up to date are not laid out again.
    ///
    /// If `size` is empty, as in a minimized window, a running transition keeps its previous size.
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
            notify()
        }
    }

    func setPages(_ newPages: [Page]) { pages = newPages }

    func layoutIsNeeded() { needsLayout = true }

    /// Adapts the transition to the stack's new width, so that the upper page stays at the same fraction of the width.
    private func rescale(_ transition: Transition, from oldWidth: Double) {
        guard oldWidth > 0 else { return }
        let factor = size.width / oldWidth
        switch transition.mover {
        case .drag(let anchor, let translation):
            // The drag's translation stays the same; the anchor takes up the difference.
            transition.mover = .drag(anchor: (anchor + translation) * factor - translation, translation: translation)
        case .settle(let settle): transition.mover = .settle(settle.scaled(by: factor))
        case .program: break
        }
    }

    /// Takes a new snapshot of the lower page, if the current transition draws that page from a snapshot. Call this
    /// when the appearance of the lower page has changed.
    public func takeSnapshot() {
        guard let transition else { return }
        let mode = transition.lower.beneathMode ?? beneathMode
        // Removes the old snapshot and shows the live layers, so that they can be captured.
        scene.setSnapshot(nil, of: transition, size: size)
        let content =
            mode == .snapshot
            ? snapshots.flatMap { $0.capture(transition.lower.captured, size: size) } : nil
        // A new snapshot replaces the old one. Without a new one, the old one is released.
        if transition.hasSnapshot, content == nil { snapshots?.releaseSnapshot() }
        transition.hasSnapshot = content != nil
        scene.setSnapshot(content, of: transition, size: size)
    }
}
