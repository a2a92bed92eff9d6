public import Geometry

/// Content that scrolls, as the pop pan sees it.
public protocol ScrollContainer: AnyObject {
    /// Along which axes it scrolls.
    var axis: PanRecognizer.Axes { get }
    /// Whether it cannot be scrolled any further to show what lies to the left, or is pulled beyond that.
    var isAtLeftEnd: Bool { get }
    /// The same for what lies to the right; it matters to a page that has another bound to its right.
    var isAtRightEnd: Bool { get }
    /// Whether it still moves from an earlier scroll.
    var isDecelerating: Bool { get }
    /// Whether it scrolls by whole pages.
    var isPaged: Bool { get }
    /// Whether it shows the first of its pages, and nothing of any other.
    var showsFirstPage: Bool { get }
    /// The same for the last.
    var showsLastPage: Bool { get }
    /// Whether it scrolls at all; a pop turns this off while it lasts, and puts it back as it was.
    var isScrollEnabled: Bool { get set }
    /// How far it is scrolled.
    var contentOffset: Point { get set }
}

extension ScrollContainer {
    public var isAtRightEnd: Bool { false }
    public var isPaged: Bool { false }
    public var showsFirstPage: Bool { isAtLeftEnd }
    public var showsLastPage: Bool { isAtRightEnd }
}
