public import Geometry
public import Gestures

/// Supplies the properties of the stack and its top page that the pop pan needs. They are read at each press or drag.
public protocol PopPanDelegate: AnyObject {
    /// The container's rectangle, in window points.
    var containerFrame: Rect { get }
    /// Where a pop can begin.
    var popMode: PopPanRecognizer.Mode { get }
    /// Whether the page is the root, with no page beneath.
    var isRoot: Bool { get }
    /// Whether interactive pops are disabled for all pages.
    var arePopsDisabled: Bool { get }
    /// Whether interactive pops are disabled for this page.
    var isPopDisabled: Bool { get }
    /// Whether a pop may begin. Asked at the start of each pop.
    func shouldBeginPop() -> Bool
    /// How far from the container's left edge a press may be to start a pop, in points; nil for the whole width, 0
    /// for nowhere.
    var popRange: Double? { get }
    /// Whether `point`, in window points, is in one of the page's gesture exclusion rectangles.
    func isGestureExcluded(at point: Point) -> Bool
    /// Whether the page has a trailing page, which a drag to the left pulls in.
    var hasTrailingPage: Bool { get }
    /// Whether the trailing page may be pulled in. Asked at the start of each such drag.
    func shouldBeginPush() -> Bool
    /// The direction of the settling page that a press would catch; nil if no page is settling.
    var settlingDirection: PopPanRecognizer.Direction? { get }
    /// The page's scrolling content, wherever the press is. Disabled from the start of the drag until the page has
    /// settled.
    var scrollContainers: [any ScrollContainer] { get }
}

extension PopPanDelegate {
    public var popMode: PopPanRecognizer.Mode { .full }
    public var arePopsDisabled: Bool { false }
    public var isPopDisabled: Bool { false }
    public func shouldBeginPop() -> Bool { true }
    public var popRange: Double? { nil }
    public func isGestureExcluded(at point: Point) -> Bool { false }
    public var hasTrailingPage: Bool { false }
    public func shouldBeginPush() -> Bool { true }
    public var settlingDirection: PopPanRecognizer.Direction? { nil }
    public var scrollContainers: [any ScrollContainer] { [] }
}
