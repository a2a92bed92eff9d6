public import Geometry
public import Layers

extension Toast {
    /// How it looks, and how long; lengths are points.
    public struct Style: Hashable, Sendable {
        public var background = Color(red: 0.09, green: 0.09, blue: 0.098, alpha: 0.86)
        public var text = TextStyle(
            size: 15, weight: .medium, color: Color(red: 0.95, green: 0.95, blue: 0.965), hasTabularDigits: true)
        /// The level bar's: all of it, and as far as the level goes.
        public var track = Color(red: 1, green: 1, blue: 1, alpha: 0.22)
        public var level = Color.white
        public var height = 44.0
        public var cornerRadius = 22.0
        public var padding = 18.0
        public var spacing = 10.0
        public var iconSide = 20.0
        public var levelLength = 120.0
        public var levelHeight = 4.0
        /// How long it takes to come and to go.
        public var fade = Duration.milliseconds(120)
        /// How long it stays.
        public var rest = Duration.milliseconds(1200)

        public init() {}

        /// Room for all that `message` says.
        func width(for message: Message) -> Double {
            var width = 2 * padding
            if message.icon != nil { width += iconSide + spacing }
            if message.level != nil { width += levelLength + spacing }
            // In a short text one wide sign is more than the average allows for.
            return width + text.roomyWidth(of: message.text) + text.size / 2
        }
    }
}
