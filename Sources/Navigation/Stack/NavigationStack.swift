public import Geometry
public import Layers
public import Time

/// A stack of pages with transitions between them. The last page is the visible one.
///
/// A transition only moves layers, so the contents of a page keep playing.
///
/// Threads: main thread. Pure: the time is passed in.
@MainActor public final class NavigationStack {
    /// The duration of a push or pop that the program starts.
    public static let programDuration = Duration.milliseconds(350)
    /// How far ahead a released drag is projected at its velocity, in seconds. The projected position decides where
    /// the page settles.
    public nonisolated static let coastTime = 0.25
    /// The default of `commitThreshold`.
    public nonisolated static let defaultCommitThreshold = 0.35
    /// The fraction of the width by which a trailing page must be pulled in to stay.
    public static let trailingCommitThreshold = 0.3

    /// The layer that contains the visible pages.
    public let layer = Layer()
    /// The pages, lowest first; never empty.
    public private(set) var pages: [Page]
    /// The appearance of the page beneath during a transition.
    public var style = TransitionStyle.system
    /// How the page beneath is drawn during a transition, unless that page specifies it.
    public var beneathMode = BeneathMode.snapshot
    /// The fraction of the width beyond which a released page is popped, 0…1.
    public var commitThreshold = NavigationStack.defaultCommitThreshold
    /// Whether interactive pops are disabled for all pages.
    public var arePopsDisabled = false
    /// Takes snapshots of the page beneath. If nil, that page is drawn live.
    public weak var snapshots: (any SnapshotSource)?
    /// Called when another page becomes the top page. After a drag, that is when the page has settled.
    public var onChange: (@MainActor () -> Void)?

    /// The recognizer of drags that pop the top page or pull in a trailing page.
    public let popPan = PopPanRecognizer()

    var transition: Transition?
    let scene = TransitionScene()
    private(set) var size = Size.zero
    /// Whether the next call of `layout` must lay out a page.
    public private(set) var needsLayout = true

    /// Whether the stack has been laid out.
    private(set) var hasLayout = false
    /// The pages that have been notified that they appear, and not yet that they have disappeared.
    var seen: [Page] = []
    /// The ended drags whose pages have not been notified yet.
    var dragEnds: [DragEnd] = []
    /// The top page that `onChange` last reported.
    var reportedTop: Page

    /// Creates a stack with one page.
    ///
    /// - Parameter root: The page at the bottom, which is never popped. It appears with the first layout.
    public init(root: Page) {
        pages = [root]
        reportedTop = root
        layer.clipsToBounds = true
        root.stack = self
        layer.add(root.container)
        popPan.context = self
        popPan.onChange = { [weak self] _ in self?.popPanChanged() }
    }

    /// The top page. During a push or pop that the program started, the page that will be on top.
    public var top: Page { pages[pages.count - 1] }
    /// The page that is never popped.
    public var root: Page { pages[0] }
    /// Whether a page is moving or held by a drag.
    public var isTransitioning: Bool { transition != nil }
    /// Whether a page is held by a drag.
    public var isHeld: Bool { transition?.isHeld ?? false }
    /// The upper page's distance from its place during a transition, as a fraction of the width; nil otherwise.
    public var progress: Double? { transition?.progress }
    /// The upper and the lower page during a transition; nil otherwise.
    public var transitioningPages: (upper: Page, lower: Page)? { transition.map { ($0.upper, $0.lower) } }
    /// Whether the current transition removes its upper page: a pop, or a push that was reversed. False while a drag
    /// holds the page.
    public var isPopping: Bool { transition.map { !$0.kind.isPush == $0.isGoingForward && !$0.isHeld } ?? false }

    // MARK: - Time

    /// Whether a page is moving without a drag.
    public var isAnimating: Bool { transition.map { !$0.isHeld } ?? false }

    /// Moves the pages to their positions at `now`. Returns whether something must be redrawn.
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

    /// Lays out the stack at `size` points, with its top-left corner at `origin` in the superlayer.
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

    /// Keeps the upper page at the same fraction of the width after a resize.
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

    /// Takes or retakes the snapshot of the page beneath, if it is drawn from one.
    public func takeSnapshot() {
        guard let transition else { return }
        let mode = transition.lower.beneathMode ?? beneathMode
        // Remove the old snapshot and show the live layers, so that they can be captured.
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
