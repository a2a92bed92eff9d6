public import Motion
public import Stage

/// A page's own navigation bar. It belongs to its page, and moves with it.
@MainActor public final class NavigationBar {
    /// What can be pressed in a bar.
    public struct Item {
        public var icon: Icon
        public var action: @MainActor () -> Void

        public init(_ icon: Icon, action: @escaping @MainActor () -> Void) {
            self.icon = icon
            self.action = action
        }
    }

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
    public var leadingItems: [Item]
    /// At the right end, from the left.
    public var trailingItems: [Item]

    public init(
        title: String = "", background: Color = .black, height: Double = NavigationBar.defaultHeight,
        fade: Double = 0, isHidden: Bool = false, leadingItems: [Item] = [], trailingItems: [Item] = []
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
