public import Geometry
public import Layers
public import Time

/// A stack of pages, of which the last is visible, with transitions between them.
///
/// A transition only moves layers; the contents of a page keep playing while it moves.
///
/// Threads: main thread. Pure: the time is passed in.
@MainActor public final class NavigationStack {
    /// The duration of a push or pop by the program, in seconds.
    public static let programDuration = Duration.milliseconds(350)
    /// A released page settles where it would be after this many seconds at the drag's velocity.
    public nonisolated static let coastTime = 0.25
    /// The fraction of the width beyond which a released page is popped.
    public nonisolated static let defaultCommitThreshold = 0.35
    /// The fraction of the width that a trailing page must be pulled in to stay.
    public static let trailingCommitThreshold = 0.3

    /// Contains all visible parts of the pages.
    public let layer = Layer()
    /// Lowest first; never empty.
    public private(set) var pages: [Page]
    /// The appearance of the page beneath, from the next transition on.
    public var style = TransitionStyle.system
    /// How pages beneath are drawn if they do not specify it.
    public var beneathMode = BeneathMode.snapshot
    /// The fraction of the width beyond which a released page is popped, 0…1.
    public var commitThreshold = NavigationStack.defaultCommitThreshold
    /// Disables interactive pops for all pages.
    public var arePopsDisabled = false
    /// Takes snapshots of pages beneath; if nil, they are drawn live.
    public weak var snapshots: (any SnapshotSource)?
    /// Called when another page becomes the top page, as soon as that is certain.
    public var onChange: (@MainActor () -> Void)?

    /// The drag that pops, and pulls in trailing pages.
    public let popPan = PopPanRecognizer()

    var transition: Transition?
    let scene = TransitionScene()
    private(set) var size = Size.zero
    /// Whether the next call of `layout` must lay out a page again.
    public private(set) var needsLayout = true

    /// Whether `layout` has been called.
    private(set) var hasLayout = false
    /// The pages that are visible or about to be, according to the notifications they have received.
    var seen: [Page] = []
    /// Drags that have ended and whose pages have not been notified yet.
    var dragEnds: [DragEnd] = []
    /// The top page that `onChange` last reported.
    var reportedTop: Page

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

    /// The top page, or the one that will be on top once the current push or pop finishes.
    public var top: Page { pages[pages.count - 1] }
    /// The page that is never popped.
    public var root: Page { pages[0] }
    /// Whether a page is moving or being dragged.
    public var isTransitioning: Bool { transition != nil }
    /// Whether a page is being dragged.
    public var isHeld: Bool { transition?.isHeld ?? false }
    /// During a transition, the distance that the upper page is aside, as a fraction of the width.
    public var progress: Double? { transition?.progress }
    /// The upper and the lower page during a transition.
    public var transitioningPages: (upper: Page, lower: Page)? { transition.map { ($0.upper, $0.lower) } }
    /// Whether the current transition, if nothing stops it, removes its upper page.
    public var isPopping: Bool { transition.map { !$0.kind.isPush == $0.isGoingForward && !$0.isHeld } ?? false }

    // MARK: - Time

    /// Whether something is moving.
    public var isAnimating: Bool { transition.map { !$0.isHeld } ?? false }

    /// Moves everything to its position at `now`. True if something must be redrawn.
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
        // The page may have ended or reversed it.
        if transition === self.transition, transition.isFinished(at: now) {
            conclude(transition, forward: transition.isGoingForward)
            notify()
            return true
        }
        return isNew
    }

    // MARK: - Layout

    /// Lays out the container at `size` points, with its corner at `origin` in its superlayer.
    ///
    /// If the size has no area, as in a minimized window, nothing is visible and transitions continue at their previous
    /// size.
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

    /// Keeps a page at the same fraction of a changed width.
    private func rescale(_ transition: Transition, from oldWidth: Double) {
        guard oldWidth > 0 else { return }
        let factor = size.width / oldWidth
        switch transition.mover {
        case .drag(let anchor, let translation):
            // The drag keeps its pixels; the anchor takes up the difference.
            transition.mover = .drag(anchor: (anchor + translation) * factor - translation, translation: translation)
        case .settle(let settle): transition.mover = .settle(settle.scaled(by: factor))
        case .program: break
        }
    }

    /// Takes the snapshot of the page beneath now.
    public func takeSnapshot() {
        guard let transition else { return }
        let mode = transition.lower.beneathMode ?? beneathMode
        // Layers that are drawn live must not be in the snapshot as well.
        scene.setSnapshot(nil, of: transition, size: size)
        let content =
            mode == .snapshot
            ? snapshots.flatMap { $0.capture(transition.lower.captured, size: size) } : nil
        // A new snapshot replaces the old one; if there is none, the old one is released.
        if transition.hasSnapshot, content == nil { snapshots?.releaseSnapshot() }
        transition.hasSnapshot = content != nil
        scene.setSnapshot(content, of: transition, size: size)
    }
}
