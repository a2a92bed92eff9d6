public import Geometry
public import Layers

/// An item in a navigation bar, such as a button. The bar shows it as a square of 36 points.
///
/// Main thread. An item that is set again keeps its place and any press on it.
@MainActor public protocol BarItem: AnyObject {
    /// Its layer, which also receives its events. The bar adds the layer while the item is shown.
    var layer: Layer { get }

    /// Places it in `frame`, in points of the bar.
    func layout(_ frame: Rect)
}

/// A page's navigation bar. Belongs to its page and moves with it.
@MainActor public final class NavigationBar {
    /// The default height, in points.
    public static let defaultHeight = 48.0

    /// Whether the bar is hidden. Changes of this and all other properties show after the page's `setNeedsLayout`.
    public var isHidden: Bool
    /// The background color. If its alpha is less than 1, the page shows through and extends beneath the bar.
    public var background: Color
    /// The height, in points.
    public var height: Double
    /// How far the background continues below the bar, in points. It fades out from the top edge over the whole height.
    /// 0 ends it with the bar.
    public var fade: Double
    /// The text in the center.
    public var title: String
    /// At the left end, in order from the left.
    public var leadingItems: [any BarItem]
    /// At the right end, in order from the left.
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
