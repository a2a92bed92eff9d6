public import Geometry
public import Layers

/// An item in a navigation bar, such as a button. The bar shows it as a square of 36 points.
///
/// Main thread. An item that is set again keeps its place and any press on it.
@MainActor public protocol BarItem: AnyObject {
    /// Its layer, which also receives its events. The bar adds it to its own layer while it is shown.
    var layer: Layer { get }

    /// Places it in `frame`, in points of the bar.
    func layout(_ frame: Rect)
}

/// A page's navigation bar. Belongs to its page and moves with it.
@MainActor public final class NavigationBar {
    /// The default height, in points.
    public static let defaultHeight = 48.0

    /// Changes show after the page's `setNeedsLayout`, as for all properties here.
    public var isHidden: Bool
    /// With alpha. If it is less than 1, the page shows through and extends beneath the bar.
    public var background: Color
    /// The height, in points.
    public var height: Double
    /// How far the background continues below the bar, in points, fading out over the whole of it from the top edge. 0
    /// ends it with the bar.
    public var fade: Double
    /// The text in the center.
    public var title: String
    /// At the left end, from the left.
    public var leadingItems: [any BarItem]
    /// At the right end, from the left.
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
