public import GlissadeGeometry
public import GlissadeLayers

extension Button {
    /// The appearance of a button.
    public struct Style: Hashable, Sendable {
        /// The color of the icon or text.
        public var color: Color
        /// The color of the background while the button is hovered but does not look pressed.
        public var hoverColor: Color
        /// The color of the background while the button looks pressed.
        public var pressColor: Color
        /// The width and height of the icon, as a fraction of the button's shorter side.
        public var iconFraction: Double
        /// The color of the icon or text while the button is on; nil to use `color`.
        public var onColor: Color?
        /// The color of the outline while the button has the keyboard focus.
        public var focusColor = FocusOutline.defaultColor
        /// The opacity of the icon or text while the button is disabled, 0…1.
        public var disabledOpacity = Style.defaultDisabledOpacity
        /// The corner radius of the background, in points; nil for a circle around an icon or a capsule around text.
        public var cornerRadius: Double?
        /// The style of the text. `color` or `onColor` replaces the color of this style.
        public var text = Style.defaultText
        /// The duration of a highlight's fade, for example from hovered to pressed.
        public var fade = Style.defaultFade

        /// The default `hoverColor`: white at 10 %, visible on any dark background.
        public static let defaultHoverColor = Color(red: 1, green: 1, blue: 1, alpha: 0.10)
        /// The default `pressColor`: white at 20 %.
        public static let defaultPressColor = Color(red: 1, green: 1, blue: 1, alpha: 0.20)
        /// The default `disabledOpacity`: dim, but still readable.
        public static let defaultDisabledOpacity = 0.35
        /// The default `fade`: short enough not to lag behind the pointer.
        public static let defaultFade = Duration.milliseconds(120)
        /// The default `text` style. Its digits are tabular, so that the text does not shift when a digit changes.
        public static let defaultText = TextStyle(size: 14, weight: .medium, color: .white, hasTabularDigits: true)

        public init(
            color: Color, hoverColor: Color = Style.defaultHoverColor, pressColor: Color = Style.defaultPressColor,
            iconFraction: Double = 0.5, onColor: Color? = nil
        ) {
            self.color = color
            self.hoverColor = hoverColor
            self.pressColor = pressColor
            self.iconFraction = iconFraction
            self.onColor = onColor
        }
    }
}
