public import Geometry

/// Scrolling content, as seen by the pop pan.
public protocol ScrollContainer: AnyObject {
    /// The axes along which it scrolls.
    var axis: PanRecognizer.Axes { get }
    /// Whether it is at its left end or pulled beyond it.
    var isAtLeftEnd: Bool { get }
    /// Whether it is at its right end or pulled beyond it. Matters for a page with a trailing page.
    var isAtRightEnd: Bool { get }
    /// Whether it is still moving from an earlier scroll.
    var isDecelerating: Bool { get }
    /// Whether it scrolls by whole pages.
    var isPaged: Bool { get }
    /// Whether it shows its first page and no part of another one.
    var showsFirstPage: Bool { get }
    /// Whether it shows its last page and no part of another one.
    var showsLastPage: Bool { get }
    /// Whether it scrolls at all. A pop disables this for its duration and then restores it.
    var isScrollEnabled: Bool { get set }
    /// The scroll offset.
    var contentOffset: Point { get set }
}

extension ScrollContainer {
    public var isAtRightEnd: Bool { false }
    public var isPaged: Bool { false }
    public var showsFirstPage: Bool { isAtLeftEnd }
    public var showsLastPage: Bool { isAtRightEnd }
}
