public import Geometry
public import Gestures

/// What the pop pan has to know of the page that shows, asked afresh at each press.
public protocol PopPanDelegate: AnyObject {
    /// The rectangle in which pages move, in window points.
    var containerFrame: Rect { get }
    /// Where a pop can begin.
    var popMode: PopPanRecognizer.Mode { get }
    /// Whether there is nothing below the page.
    var isRoot: Bool { get }
    /// Whether pops are closed for all pages.
    var arePopsClosed: Bool { get }
    /// Whether pops are closed for this page.
    var isPopClosed: Bool { get }
    /// The page's own word, at the begin of each pop.
    func shouldBeginPop() -> Bool
    /// How far from the container's left edge a press can be, in points; nil for its whole width, 0 closes it.
    var popRange: Double? { get }
    /// Whether `point`, in window points, lies in one of the page's blind areas.
    func gestureExclusionRects(containing point: Point) -> Bool
    /// Whether there is a page bound to the right of this one, which a drag to the left pulls in.
    var hasBoundPage: Bool { get }
    /// The page's own word, at the begin of each drag that would pull the bound page in.
    func shouldBeginPush() -> Bool
    /// Which way a page is settling that a press takes hold of; nil while none moves.
    var settlingDirection: PopPanRecognizer.Direction? { get }
    /// What scrolls on the page, wherever the press was; it does not, from the begin to the end of the settle.
    var scrollContainers: [any ScrollContainer] { get }
}

extension PopPanDelegate {
    public var popMode: PopPanRecognizer.Mode { .full }
    public var arePopsClosed: Bool { false }
    public var isPopClosed: Bool { false }
    public func shouldBeginPop() -> Bool { true }
    public var popRange: Double? { nil }
    public func gestureExclusionRects(containing point: Point) -> Bool { false }
    public var hasBoundPage: Bool { false }
    public func shouldBeginPush() -> Bool { true }
    public var settlingDirection: PopPanRecognizer.Direction? { nil }
    public var scrollContainers: [any ScrollContainer] { [] }
}
