public import Geometry
public import Layers

/// What can be pressed in a bar, brought by whoever makes the bar: a button. The bar shows it as a square of 36 points.
///
/// Main thread. As long as it is the same one, it stays where it is, and a hand on it with it.
@MainActor public protocol BarItem: AnyObject {
    /// What is seen of it, and who gets the events on it; in the bar's layer while the bar shows it.
    var layer: Layer { get }

    /// Puts it in `frame`, in points of the bar.
    func layout(_ frame: Rect)
}

/// A page's own navigation bar. It belongs to its page, and moves with it.
@MainActor public final class NavigationBar {
    /// The usual height, in points.
    public static let defaultHeight = 48.0

    /// A change shows once the page was told `setNeedsLayout`, as with all that follows.
    public var isHidden: Bool
    /// With alpha: where it is less than 1, the page shows through, and reaches up beneath the bar.
    public var background: Color
    public var height: Double
    /// How far the background goes on below the bar, in points, becoming clear: over the whole of it, from the top edge on.
    /// 0 ends it with the bar.
    public var fade: Double
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
