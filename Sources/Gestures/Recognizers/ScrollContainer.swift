public import GlissadeGeometry

/// Scrolling content on a page. `PopPanRecognizer` reads these properties to decide whether a drag scrolls the
/// content or pulls the page aside.
public protocol ScrollContainer: AnyObject {
    /// The axes along which the content scrolls.
    var axis: PanRecognizer.Axes { get }
    /// Whether the content is scrolled to its left end, or pulled beyond it.
    var isAtLeftEnd: Bool { get }
    /// Whether the content is scrolled to its right end, or pulled beyond it. Needed only if a drag to the left can
    /// pull in another page.
    var isAtRightEnd: Bool { get }
    /// Whether the content is still moving from an earlier scroll.
    var isDecelerating: Bool { get }
    /// Whether the content scrolls by whole pages.
    var isPaged: Bool { get }
    /// Whether only the first page of the content is visible.
    var showsFirstPage: Bool { get }
    /// Whether only the last page of the content is visible.
    var showsLastPage: Bool { get }
    /// Whether scrolling is enabled. `PopPanRecognizer` disables scrolling while a drag pulls the page aside, and
    /// restores the previous value once the page has settled.
    var isScrollEnabled: Bool { get set }
    /// The scroll offset, in points. `PopPanRecognizer` restores this offset together with `isScrollEnabled`.
    var contentOffset: Point { get set }
}

extension ScrollContainer {
    public var isAtRightEnd: Bool { false }
    public var isPaged: Bool { false }
    public var showsFirstPage: Bool { isAtLeftEnd }
    public var showsLastPage: Bool { isAtRightEnd }
}
