public import Geometry
public import Gestures
public import Layers

/// One page of a stack: a layer as large as the container, with a bar and a bottom view of its own.
///
/// Main thread. Subclasses put their content into `layer` and lay it out in `layout`.
@MainActor open class Page {
    /// What the page shows. The stack moves the layer that this one is in; a page leaves this one's place alone.
    public let layer: Layer
    /// Nil has none.
    public var bar: NavigationBar? { didSet { setNeedsLayout() } }
    /// Nil has none.
    public var bottomView: BottomView? { didSet { setNeedsLayout() } }
    /// Who may pop the page by hand, and where.
    public var popPolicy = PopPolicy()
    /// What lies to the right of the page and is drawn in by a hand that moves left; called once for each such drag.
    public var trailingPage: (@MainActor () -> Page?)?
    /// The stack that the page is on.
    public internal(set) weak var stack: NavigationStack?

    /// What scrolls on the page; while the page moves it does not.
    public var scrollContainers: [any ScrollContainer] = []

    let appearance = PageAppearance()
    /// What moves: the page, its bar and its bottom view.
    package let container = Layer()
    /// The page and its bar: what a snapshot stands for. The bottom view is above it, and always live.
    public let captured = Layer()
    let chrome = BarChrome()
    private var laidOutSize: Size?
    /// Told by `setNeedsLayout` where the page is on no stack, but floats.
    var onNeedsLayout: (@MainActor () -> Void)?

    public init(layer: Layer = Layer()) {
        self.layer = layer
        container.clipsToBounds = true
        container.add(captured)
        captured.add(layer)
    }

    /// What the bar is drawn by, for a page that fades it. The page lays it out.
    public var barLayer: Layer { chrome.bar }

    // MARK: - For subclasses

    /// Lays out the page's content over `size` points, of which `insets` are beneath the bar and the bottom view.
    open func layout(size: Size, insets: PageInsets) {}

    /// Begins to come into sight.
    open func willAppear() {}
    /// Is wholly in sight, and rests.
    open func didAppear() {}
    /// Begins to go out of sight.
    open func willDisappear() {}
    /// Is out of sight.
    open func didDisappear() {}

    /// A hand begins to draw the page aside.
    open func willBeginDragging() {}
    /// The page is `progress` of the width away; once for each frame in which that changed, to the end of the settle.
    open func didDrag(progress: Double) {}
    /// The page has settled, popped or where it was.
    open func didEndDragging(popped: Bool) {}

    /// What the page is drawn from while another is moved over it; nil leaves it to the stack. A page on which something
    /// goes on, such as a film, is live.
    open var beneathMode: BeneathMode? { nil }

    /// Whether a hand that has just begun to draw the page aside may.
    open func shouldBeginPop() -> Bool { true }
    /// Whether a hand that has just begun to pull the bound page in may.
    open func shouldBeginBoundPush() -> Bool { true }

    // MARK: - Layout

    /// Has the page laid out anew before it is next drawn.
    public func setNeedsLayout() {
        laidOutSize = nil
        stack?.layoutIsNeeded()
        onNeedsLayout?()
    }

    /// What the bar and the bottom view cover of the page.
    public var insets: PageInsets {
        let top = bar.map { $0.isHidden ? 0 : $0.height } ?? 0
        return PageInsets(top: top, bottom: bottomView?.height ?? 0)
    }

    /// Lays the page out for a container of `size` before it is seen.
    public func prepare(_ size: Size) { layoutIfNeeded(size) }

    /// Lays the page out for a container of `size`, unless it is already.
    ///
    /// - Returns: whether it was to be.
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

/// How much of a page's upper and lower edge something covers, in points.
public struct PageInsets: Hashable, Sendable {
    public var top: Double
    public var bottom: Double

    public init(top: Double = 0, bottom: Double = 0) {
        self.top = top
        self.bottom = bottom
    }
}

/// Where, and whether, a hand may pop a page.
public struct PopPolicy: Hashable, Sendable {
    /// From anywhere within the range, or from the left edge, where it wins over everything else.
    public var mode = PopPanRecognizer.Mode.full
    /// Closes the page's pops to the hand.
    public var isClosed = false
    /// How far from the left edge a press may be, in points; nil is the whole width, 0 nowhere.
    public var range: Double?
    /// Where a press belongs to something else, in the page's points.
    public var gestureExclusionRects: [Rect] = []

    public init() {}
}
