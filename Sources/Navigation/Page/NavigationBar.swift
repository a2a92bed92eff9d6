public import GlissadeGeometry
public import GlissadeLayers

/// An item in a navigation bar, such as a button. Each item gets a frame of 36 × 36 points.
///
/// Main thread. When the bar's items are replaced, the layer of an item that remains is not removed. A press on such an
/// item is therefore not interrupted.
@MainActor public protocol BarItem: AnyObject {
    /// The item's layer. The bar adds it as a sublayer, and removes it when the item is no longer in the bar.
    var layer: Layer { get }

    /// Lays the item out in `frame`, which is in the bar's coordinates (points).
    func layout(_ frame: Rect)
}

/// The content and appearance of a page's navigation bar, which moves with the page. A change takes effect at the
/// page's next layout (`Page.setNeedsLayout`).
@MainActor public final class NavigationBar {
    /// The default height of a bar, in points.
    public static let defaultHeight = 48.0

    /// Whether the bar is hidden. A hidden bar does not cover any part of the page (see `Page.insets`).
    public var isHidden: Bool
    /// The background color. The page extends beneath the bar, and shows through if the color is translucent.
    public var background: Color
    /// The bar's height without `fade`, in points.
    public var height: Double
    /// How far the background extends below the bar, in points. Negative values count as 0. If positive, the background
    /// fades out over its whole height, from top to bottom.
    public var fade: Double
    /// The title between the leading and trailing items. A title that is too long is truncated in the middle.
    public var title: String
    /// The items at the left end, from left to right.
    public var leadingItems: [any BarItem]
    /// The items at the right end, from left to right.
    public var trailingItems: [any BarItem]
    /// The width between the title and the trailing items that is kept free for the page's own content, in points.
    public var trailingSpace = 0.0

    public init(
        title: String = "", background: Color = .black, height: Double = NavigationBar.defaultHeight,
        fade: Double = 0, isHidden: Bool = false, leadingItems: [any BarItem] = [], trailingItems: [any BarItem] = []
    ) {
        self.title = title
        self.background = background
        self.height = height
        self.fade = fade
        self.isHidden = isHidden
        self.leadingItems = leadingItems
        self.trailingItems = trailingItems
    }
}
