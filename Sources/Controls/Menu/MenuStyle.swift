public import Geometry
public import Layers

extension Menu {
    /// How a menu looks; lengths are points.
    public struct Style: Hashable, Sendable {
        public var background = Color(red: 0.145, green: 0.145, blue: 0.158)
        public var shadow = Layer.Shadow(
            color: Color(red: 0, green: 0, blue: 0, alpha: 0.5), blur: 24, offset: Point(x: 0, y: 6))
        public var cornerRadius = 10.0
        /// Behind the item that Enter or a click would pick.
        public var highlight = Color(red: 1, green: 1, blue: 1, alpha: 0.09)
        /// Behind an item while it is pressed.
        public var press = Color(red: 1, green: 1, blue: 1, alpha: 0.16)
        public var separator = Color(red: 1, green: 1, blue: 1, alpha: 0.09)
        /// The check mark, and the icons.
        public var accent = Color(red: 0.48, green: 0.66, blue: 1)
        public var label = TextStyle(
            size: 14, color: Color(red: 0.95, green: 0.95, blue: 0.965), hasTabularDigits: true)
        public var detail = TextStyle(
            size: 13, color: Color(red: 0.62, green: 0.625, blue: 0.66), hasTabularDigits: true)
        public var title = TextStyle(
            size: 12, weight: .semibold, color: Color(red: 0.62, green: 0.625, blue: 0.66))
        /// How much is seen of an item that is disabled, 0…1.
        public var disabledOpacity = 0.4
        /// No wider than the room there is.
        public var width = 260.0
        /// At least one.
        public var rowHeight = 34.0
        /// Between the panel's edges and its rows.
        public var padding = 6.0
        /// Between the panel and what it belongs to.
        public var gap = 6.0
        /// Between the panel and the ends of the room.
        public var margin = 8.0
        /// How long it takes to open and to close, and how far it moves meanwhile.
        public var duration = Duration.milliseconds(150)
        public var travel = 6.0

        public init() {}
    }
}
