public import GlissadeGeometry
public import GlissadeGestures

/// Supplies a `PopPanRecognizer` with the properties of the stack and its top page. The recognizer reads them at each
/// press and at the start of each drag.
public protocol PopPanDelegate: AnyObject {
    /// The container's rectangle, in layout points.
    var containerFrame: Rect { get }
    /// Where a drag can begin, for a pop or a push.
    var popMode: PopPanRecognizer.Mode { get }
    /// Whether the top page is the only page.
    var isRoot: Bool { get }
    /// Whether pops by dragging are disabled for all pages.
    var arePopsDisabled: Bool { get }
    /// Whether pops by dragging are disabled for the top page.
    var isPopDisabled: Bool { get }
    /// Whether the top page can be pulled aside now. Called when a drag to the right is about to begin, if the other
    /// properties allow the drag.
    func shouldBeginPop() -> Bool
    /// The maximum distance from the container's left edge at which a press can start a pop, in points. Nil allows a
    /// press anywhere, 0 nowhere.
    var popRange: Double? { get }
    /// Whether `point`, in layout points, is in one of the top page's `PopPolicy.gestureExclusionRects`.
    func isGestureExcluded(at point: Point) -> Bool
    /// Whether the top page has a trailing page, which a drag to the left pulls in.
    var hasTrailingPage: Bool { get }
    /// Whether the trailing page can be pulled in now. Called when a drag to the left is about to begin, if the other
    /// properties allow the drag.
    func shouldBeginPush() -> Bool
    /// The direction of the transition that a press would take over; nil if no page is moving by itself.
    var settlingDirection: PopPanRecognizer.Direction? { get }
    /// All scrolling content of the top page, whether or not the press is on it. When a drag moves the page, scrolling
    /// is disabled until the page has settled.
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
