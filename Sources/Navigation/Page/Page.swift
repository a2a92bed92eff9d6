public import GlissadeGeometry
public import GlissadeGestures
public import GlissadeLayers

/// A page of a `NavigationStack`: content as large as the stack, with an optional navigation bar and bottom view.
/// `FloatingPage` can show a page outside of a stack.
///
/// Main thread. Subclasses add their content to `layer` and lay it out in `layout`.
@MainActor open class Page {
    /// The layer for the page's content, as large as the page. Do not move it: transitions move a layer that contains
    /// it.
    public let layer: Layer
    /// The page's navigation bar; nil for none.
    public var bar: NavigationBar? { didSet { setNeedsLayout() } }
    /// The page's bottom view; nil for none.
    public var bottomView: BottomView? { didSet { setNeedsLayout() } }
    /// Whether and where a drag may pop the page.
    public var popPolicy = PopPolicy()
    /// Returns the trailing page: the page that a drag to the left pulls in from the right. Called at the start of
    /// each such drag. Nothing is pulled in if this is nil, or if the returned page is nil or already on the stack.
    public var trailingPage: (@MainActor () -> Page?)?
    /// The stack that contains the page or shows it in a transition; nil if there is none.
    public internal(set) weak var stack: NavigationStack?

    /// The page's scrolling content. When a drag moves the page, scrolling is disabled until the page has settled.
    public var scrollContainers: [any ScrollContainer] = []

    let appearance = PageAppearance()
    /// The layer that transitions move. It contains the page's content, bar and bottom view.
    package let container = Layer()
    /// The layer from which snapshots are taken. It contains the page's content and bar, but not the bottom view, which
    /// is always drawn live.
    public let captured = Layer()
    let chrome = BarChrome()
    private var laidOutSize: Size?
    /// Called by `setNeedsLayout`. Set only while a `FloatingPage` shows the page.
    var onNeedsLayout: (@MainActor () -> Void)?

    public init(layer: Layer = Layer()) {
        self.layer = layer
        container.clipsToBounds = true
        container.add(captured)
        captured.add(layer)
    }

    /// The layer of the navigation bar. A page may change this layer's opacity, but not its frame, which the page's
    /// layout sets.
    public var barLayer: Layer { chrome.bar }

    // MARK: - For subclasses

    /// Lays out the page's content. `size` is the page's size, in points. `insets` are the heights at the page's top
    /// and bottom that the bar and the bottom view cover.
    open func layout(size: Size, insets: PageInsets) {}

    /// Called when the page begins to appear.
    open func willAppear() {}
    /// Called when the page is fully visible and at rest.
    open func didAppear() {}
    /// Called when the page begins to disappear.
    open func willDisappear() {}
    /// Called when the page is no longer visible.
    open func didDisappear() {}

    /// Called when a drag begins to pull this page aside, or to pull another page over it. Called at most once per
    /// transition, even if the transition is dragged several times.
    open func willBeginDragging() {}
    /// Called in each frame in which `progress` changes, from the start of a drag until the pages have settled.
    ///
    /// - Parameter progress: The distance from the stack's left edge to the upper page's left edge, as a fraction of
    ///   the stack's width.
    open func didDrag(progress: Double) {}
    /// Called when the pages have settled after a drag. `popped` tells whether the drag popped this page.
    open func didEndDragging(popped: Bool) {}

    /// How the page is drawn while it is the lower page of a transition. If this is nil, the stack's `beneathMode`
    /// applies. A page with moving content, such as a video, should return `.live`.
    open var beneathMode: BeneathMode? { nil }

    /// Whether the page can be pulled aside now. Called when a drag to the right is about to begin.
    open func shouldBeginPop() -> Bool { true }
    /// Whether the trailing page can be pulled in now. Called when a drag to the left is about to begin.
    open func shouldBeginTrailingPush() -> Bool { true }

    // MARK: - Layout

    /// Marks the page's layout as outdated. A visible page is laid out again before the next frame.
    public func setNeedsLayout() {
        laidOutSize = nil
        stack?.layoutIsNeeded()
        onNeedsLayout?()
    }

    /// The heights at the page's top and bottom that the bar and the bottom view cover. A hidden bar covers nothing.
    public var insets: PageInsets {
        let top = bar.map { $0.isHidden ? 0 : $0.height } ?? 0
        return PageInsets(top: top, bottom: bottomView?.height ?? 0)
    }

    /// Lays the page out at `size` points before the page is visible. Does nothing if the layout is up to date.
    public func prepare(_ size: Size) { layoutIfNeeded(size) }

    /// Lays the page out at `size` points, unless the last layout was at this size and no layout has been requested
    /// since.
    ///
    /// - Returns: Whether the page was laid out.
    @discardableResult func layoutIfNeeded(_ size: Size) -> Bool {
        guard laidOutSize != size else { return false }
        laidOutSize = size
        let bounds = Rect(origin: .zero, size: size)
        container.frame = bounds
        captured.frame = bounds
        layer.frame = bounds
        chrome.layout(self, size: size)
        layout(size: size, insets: insets)
        return true
    }
}

/// The heights at a page's top and bottom that the bar and the bottom view cover, in points.
public struct PageInsets: Hashable, Sendable {
    /// The height that the bar covers.
    public var top: Double
    /// The height that the bottom view covers.
    public var bottom: Double

    public init(top: Double = 0, bottom: Double = 0) {
        self.top = top
        self.bottom = bottom
    }
}

/// Whether and where a drag may pop a page. `mode` and `gestureExclusionRects` also apply to drags that pull in the
/// page's trailing page.
public struct PopPolicy: Hashable, Sendable {
    /// Where a drag can begin: anywhere, or only near the left edge for a pop and near the right edge for the trailing
    /// page.
    public var mode = PopPanRecognizer.Mode.full
    /// Whether popping the page by a drag is disabled. A drag can still pull in the page's trailing page.
    public var isDisabled = false
    /// The maximum distance from the page's left edge at which a press can start a pop, in points. Nil allows a press
    /// anywhere, 0 nowhere.
    public var range: Double?
    /// Rectangles in which a press cannot start a drag of the page, in the page's coordinates (points). They do not
    /// apply while the page is already moving.
    public var gestureExclusionRects: [Rect] = []

    public init() {}
}
