public import Geometry
public import Layers

extension Button {
    /// The appearance of a button.
    public struct Style: Hashable, Sendable {
        /// The color of the icon or text.
        public var color: Color
        /// The background while hovered, and while pressed.
        public var hoverColor: Color
        /// The background while pressed; drawn in place of `hoverColor`.
        public var pressColor: Color
        /// The icon's side as a fraction of the button's.
        public var iconFraction: Double
        /// The color of the icon or text while it is on; nil for no difference.
        public var onColor: Color?
        /// The outline while it has the keyboard focus.
        public var focusColor = FocusOutline.defaultColor
        /// The opacity while disabled, 0…1.
        public var disabledOpacity = Style.defaultDisabledOpacity
        /// The corner radius of the background, in points; nil for fully rounded.
        public var cornerRadius: Double?
        /// The style of text. `color` sets its color.
        public var text = Style.defaultText
        /// The duration of a change of appearance.
        public var fade = Style.defaultFade

        /// White at 10 %: visible on any dark background.
        public static let defaultHoverColor = Color(red: 1, green: 1, blue: 1, alpha: 0.10)
        /// White at 20 %, twice the hover color.
        public static let defaultPressColor = Color(red: 1, green: 1, blue: 1, alpha: 0.20)
        /// Dim, but still readable.
        public static let defaultDisabledOpacity = 0.35
        /// Short enough not to lag behind the pointer.
        public static let defaultFade = Duration.milliseconds(120)
        /// Digits of equal width, for a speed or a time.
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
