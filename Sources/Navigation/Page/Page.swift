public import Geometry
public import Gestures
public import Layers

/// One page of a stack: a layer as large as the container, with an optional bar and bottom view.
///
/// Main thread. Subclasses add their content to `layer` and lay it out in `layout`.
@MainActor open class Page {
    /// The page's content. The stack moves an enclosing layer; pages do not move this one.
    public let layer: Layer
    /// The navigation bar; nil for none.
    public var bar: NavigationBar? { didSet { setNeedsLayout() } }
    /// The bottom view; nil for none.
    public var bottomView: BottomView? { didSet { setNeedsLayout() } }
    /// Whether and where a drag may pop the page.
    public var popPolicy = PopPolicy()
    /// Creates the trailing page, which a drag to the left pulls in from the right. Called once for each such drag.
    public var trailingPage: (@MainActor () -> Page?)?
    /// The stack that the page is on; nil if it is on none.
    public internal(set) weak var stack: NavigationStack?

    /// The page's scrolling content, which is disabled while the page moves.
    public var scrollContainers: [any ScrollContainer] = []

    let appearance = PageAppearance()
    /// The layer that the stack moves. Contains the page, its bar and its bottom view.
    package let container = Layer()
    /// The layer that is captured in a snapshot: the page and its bar. The bottom view is above it and always drawn
    /// live.
    public let captured = Layer()
    let chrome = BarChrome()
    private var laidOutSize: Size?
    /// Called by `setNeedsLayout`. Set only while the page floats.
    var onNeedsLayout: (@MainActor () -> Void)?

    public init(layer: Layer = Layer()) {
        self.layer = layer
        container.clipsToBounds = true
        container.add(captured)
        captured.add(layer)
    }

    /// The bar's layer, for a page that fades its bar. `Page` sets the layer's frame.
    public var barLayer: Layer { chrome.bar }

    // MARK: - For subclasses

    /// Lays out the page's content in `size` points, of which `insets` are covered by the bar and the bottom view.
    open func layout(size: Size, insets: PageInsets) {}

    /// Called when the page begins to appear.
    open func willAppear() {}
    /// Called when the page is fully visible and at rest.
    open func didAppear() {}
    /// Called when the page begins to disappear.
    open func willDisappear() {}
    /// Called when the page is no longer visible.
    open func didDisappear() {}

    /// Called when a drag begins to pull the page aside, or its trailing page in.
    open func willBeginDragging() {}
    /// Called for each frame in which `progress` changes, until the dragged page settles. `progress` is how far the
    /// moving page is from its place, as a fraction of the width.
    open func didDrag(progress: Double) {}
    /// Called when the dragged page has settled. `popped` is whether the page was popped.
    open func didEndDragging(popped: Bool) {}

    /// How the page is drawn while another page moves over it; nil leaves that to the stack. A page with moving
    /// content, such as a video, should return `.live`.
    open var beneathMode: BeneathMode? { nil }

    /// Whether a drag that has just begun may pull the page aside.
    open func shouldBeginPop() -> Bool { true }
    /// Whether a drag that has just begun may pull in the trailing page.
    open func shouldBeginTrailingPush() -> Bool { true }

    // MARK: - Layout

    /// Requests a layout before the next frame.
    public func setNeedsLayout() {
        laidOutSize = nil
        stack?.layoutIsNeeded()
        onNeedsLayout?()
    }

    /// How much of the page the bar and the bottom view cover.
    public var insets: PageInsets {
        let top = bar.map { $0.isHidden ? 0 : $0.height } ?? 0
        return PageInsets(top: top, bottom: bottomView?.height ?? 0)
    }

    /// Lays the page out for a container of `size` before it is visible.
    public func prepare(_ size: Size) { layoutIfNeeded(size) }

    /// Lays the page out for a container of `size`, unless its layout is up to date.
    ///
    /// - Returns: Whether it was laid out.
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

/// How much of a page's top and bottom is covered, in points.
public struct PageInsets: Hashable, Sendable {
    /// The height covered by the bar.
    public var top: Double
    /// The height covered by the bottom view.
    public var bottom: Double

    public init(top: Double = 0, bottom: Double = 0) {
        self.top = top
        self.bottom = bottom
    }
}

/// Whether and where a drag may pop a page.
public struct PopPolicy: Hashable, Sendable {
    /// Where a pop can begin: anywhere within `range`, or only at the left edge, where it wins over every other
    /// recognizer.
    public var mode = PopPanRecognizer.Mode.full
    /// Whether interactive pops of the page are disabled.
    public var isDisabled = false
    /// How far from the left edge a press may be to start a pop, in points; nil for the whole width, 0 for nowhere.
    public var range: Double?
    /// Rectangles in which a drag never moves the page, in the page's points.
    public var gestureExclusionRects: [Rect] = []

    public init() {}
}
