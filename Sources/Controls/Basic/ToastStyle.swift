public import GlissadeGeometry
public import GlissadeLayers

extension Toast {
    /// The appearance and timing of a toast. Lengths are in points.
    public struct Style: Hashable, Sendable {
        /// The background color, which may be translucent.
        public var background = Color(red: 0.09, green: 0.09, blue: 0.098, alpha: 0.86)
        /// The style of the message's text.
        public var text = TextStyle(
            size: 15, weight: .medium, color: Color(red: 0.95, green: 0.95, blue: 0.965), hasTabularDigits: true)
        /// The color of the unfilled part of the level bar.
        public var track = Color(red: 1, green: 1, blue: 1, alpha: 0.22)
        /// The color of the filled part of the level bar.
        public var level = Color.white
        /// The height of the whole toast.
        public var height = 44.0
        /// The corner radius. Half of the height makes a capsule.
        public var cornerRadius = 22.0
        /// The distance from the content to the left and right edges.
        public var padding = 18.0
        /// The gaps between icon, level bar and text.
        public var spacing = 10.0
        /// The width and height of the icon at the left.
        public var iconSide = 20.0
        /// The length of the whole level bar.
        public var levelLength = 120.0
        /// The thickness of the level bar.
        public var levelHeight = 4.0
        /// The duration of fading in and out.
        public var fade = Duration.milliseconds(120)
        /// How long a message stays after fading in, unless it has its own `rest`.
        public var rest = Duration.milliseconds(1200)

        public init() {}

        /// An estimate of the width that the toast needs to show `message`, in points.
        func width(for message: Message) -> Double {
            var width = 2 * padding
            if message.icon != nil { width += iconSide + spacing }
            if message.level != nil { width += levelLength + spacing }
            // Half an em more, because a single wide letter in a short text can exceed the estimate.
            return width + text.roomyWidth(of: message.text) + text.size / 2
        }
    }
}
