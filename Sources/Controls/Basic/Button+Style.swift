public import Geometry
public import Layers

extension Button {
    /// How a button looks.
    public struct Style: Hashable, Sendable {
        /// Of the icon or the text.
        public var color: Color
        /// Behind it while the pointer is over it, and while it is pressed.
        public var hoverColor: Color
        public var pressColor: Color
        /// The icon's side as a share of the button's.
        public var iconFraction: Double
        /// Of the icon or the text while it is on; nil is the same as off.
        public var onColor: Color?
        /// The outline of the one on which the keyboard is.
        public var focusColor = FocusOutline.defaultColor
        /// How much is seen of it while it is disabled, 0…1.
        public var disabledOpacity = Style.defaultDisabledOpacity
        /// Of the background, in points; nil makes it as round as can be.
        public var cornerRadius: Double?
        /// How a text is set; its colour is `color`.
        public var text = Style.defaultText
        /// How long one look takes to become another.
        public var fade = Style.defaultFade

        public static let defaultHoverColor = Color(red: 1, green: 1, blue: 1, alpha: 0.10)
        public static let defaultPressColor = Color(red: 1, green: 1, blue: 1, alpha: 0.20)
        public static let defaultDisabledOpacity = 0.35
        public static let defaultFade = Duration.milliseconds(120)
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
