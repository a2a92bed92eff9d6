public import Geometry
public import Layers

extension Toast {
    /// Appearance and timing. Lengths are points.
    public struct Style: Hashable, Sendable {
        public var background = Color(red: 0.09, green: 0.09, blue: 0.098, alpha: 0.86)
        public var text = TextStyle(
            size: 15, weight: .medium, color: Color(red: 0.95, green: 0.95, blue: 0.965), hasTabularDigits: true)
        /// The level bar's colors: the whole bar, and the filled part.
        public var track = Color(red: 1, green: 1, blue: 1, alpha: 0.22)
        public var level = Color.white
        public var height = 44.0
        public var cornerRadius = 22.0
        public var padding = 18.0
        public var spacing = 10.0
        public var iconSide = 20.0
        public var levelLength = 120.0
        public var levelHeight = 4.0
        /// The duration of fading.
        public var fade = Duration.milliseconds(120)
        /// How long it stays.
        public var rest = Duration.milliseconds(1200)

        public init() {}

        /// The size needed for `message`.
        func width(for message: Message) -> Double {
            var width = 2 * padding
            if message.icon != nil { width += iconSide + spacing }
            if message.level != nil { width += levelLength + spacing }
            // In a short text, one wide letter exceeds the average.
            return width + text.roomyWidth(of: message.text) + text.size / 2
        }
    }
}
