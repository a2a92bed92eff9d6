public import Geometry
public import Layers

/// An item in a navigation bar, such as a button. The bar shows it as a square of 36 points.
///
/// Main thread. When the bar's items are set again, a remaining item keeps its layer, so that a press on it is not
/// interrupted.
@MainActor public protocol BarItem: AnyObject {
    /// The item's layer, which also receives its events. The bar adds the layer while the item is shown.
    var layer: Layer { get }

    /// Lays the item out in `frame`, in points of the bar.
    func layout(_ frame: Rect)
}

/// A page's navigation bar, which moves with the page. Changed properties take effect after the page's
/// `setNeedsLayout`.
@MainActor public final class NavigationBar {
    /// The default height, in points.
    public static let defaultHeight = 48.0

    /// Whether the bar is hidden.
    public var isHidden: Bool
    /// The background color. The page extends beneath the bar, and shows through if the color is translucent.
    public var background: Color
    /// The height, in points.
    public var height: Double
    /// How far the background extends below the bar, in points. If positive, the background fades out from its top
    /// edge to its bottom edge.
    public var fade: Double
    /// The title between the leading and trailing items.
    public var title: String
    /// The items at the left end, from left to right.
    public var leadingItems: [any BarItem]
    /// The items at the right end, from left to right.
    public var trailingItems: [any BarItem]

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
