public import Geometry
public import Gestures

/// The properties of the visible page that the pop pan needs. They are read at each press.
public protocol PopPanDelegate: AnyObject {
    /// The container's rectangle, in window points.
    var containerFrame: Rect { get }
    /// Where a pop can begin.
    var popMode: PopPanRecognizer.Mode { get }
    /// Whether there is no page beneath.
    var isRoot: Bool { get }
    /// Whether interactive pops are disabled for all pages.
    var arePopsDisabled: Bool { get }
    /// Whether interactive pops are disabled for this page.
    var isPopDisabled: Bool { get }
    /// Asks the page at the start of each pop.
    func shouldBeginPop() -> Bool
    /// How far from the container's left edge a press may be, in points; nil for the whole width, 0 for nowhere.
    var popRange: Double? { get }
    /// Whether `point`, in window points, is in one of the page's gesture exclusion rectangles.
    func isGestureExcluded(at point: Point) -> Bool
    /// Whether there is a trailing page, which a drag to the left pulls in.
    var hasTrailingPage: Bool { get }
    /// Asks the page at the start of each drag that would pull in the trailing page.
    func shouldBeginPush() -> Bool
    /// The direction of a settling page that a press would catch; nil if none moves.
    var settlingDirection: PopPanRecognizer.Direction? { get }
    /// The page's scrolling content, no matter where the press is. Disabled from the start of the drag until the page
    /// has settled.
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
