public import GlissadeGeometry
public import GlissadeLayers

extension Menu {
    /// The appearance of a menu. Lengths are in points.
    public struct Style: Hashable, Sendable {
        /// The color of the panel.
        public var background = Color(red: 0.145, green: 0.145, blue: 0.158)
        /// The panel's shadow.
        public var shadow = Layer.Shadow(
            color: Color(red: 0, green: 0, blue: 0, alpha: 0.5), blur: 24, offset: Point(x: 0, y: 6))
        /// The radius of the panel's corners.
        public var cornerRadius = 10.0
        /// The background of the selected item.
        public var highlight = Color(red: 1, green: 1, blue: 1, alpha: 0.09)
        /// The background of a pressed item.
        public var press = Color(red: 1, green: 1, blue: 1, alpha: 0.16)
        /// The color of separators.
        public var separator = Color(red: 1, green: 1, blue: 1, alpha: 0.09)
        /// The color of the check mark.
        public var accent = Color(red: 0.48, green: 0.66, blue: 1)
        /// The text style of an item's label. Icons have the same color.
        public var label = TextStyle(
            size: 14, color: Color(red: 0.95, green: 0.95, blue: 0.965), hasTabularDigits: true)
        /// The text style of the detail at an item's right end. The chevron has the same color.
        public var detail = TextStyle(
            size: 13, color: Color(red: 0.62, green: 0.625, blue: 0.66), hasTabularDigits: true)
        /// The text style of a heading.
        public var title = TextStyle(
            size: 12, weight: .semibold, color: Color(red: 0.62, green: 0.625, blue: 0.66))
        /// The opacity of a disabled item, 0…1.
        public var disabledOpacity = 0.4
        /// The panel's preferred width.
        public var width = 260.0
        /// The height of each row.
        public var rowHeight = 34.0
        /// The distance between the panel's edges and its content.
        public var padding = 6.0
        /// The gap between the panel and its anchor.
        public var gap = 6.0
        /// The minimum distance between the panel and the edges of the menu's layer.
        public var margin = 8.0
        /// The duration of the opening and closing animations.
        public var duration = Duration.milliseconds(150)
        /// The distance that the panel moves while opening or closing.
        public var travel = 6.0

        public init() {}
    }
}
