public import Motion
public import Stage

/// An icon that can be pressed.
///
/// Main thread. It looks pressed while the pointer is down on it, and acts where it is released on it.
@MainActor public final class Button {
    public struct Style: Hashable, Sendable {
        public var color: Color
        /// Behind the icon while the pointer is over it, and while it is pressed.
        public var hoverColor: Color
        public var pressColor: Color
        /// The icon's side as a share of the button's.
        public var iconShare: Double

        public init(
            color: Color, hoverColor: Color = Color(red: 1, green: 1, blue: 1, alpha: 0.10),
            pressColor: Color = Color(red: 1, green: 1, blue: 1, alpha: 0.20), iconShare: Double = 0.5
        ) {
            self.color = color
            self.hoverColor = hoverColor
            self.pressColor = pressColor
            self.iconShare = iconShare
        }
    }

    /// Where the button is; its frame is set by `layout`.
    public let layer = Layer()
    /// What it shows.
    public var icon: Icon { didSet { show() } }
    /// How it looks.
    public var style: Style { didSet { show() } }
    /// What it does.
    public var action: (@MainActor () -> Void)?
    /// Called where it looks otherwise.
    public var onChange: (@MainActor () -> Void)?

    private let background = Layer()
    private let symbol = Layer()
    private var isHovered = false
    private(set) var isPressed = false

    public init(_ icon: Icon, style: Style, action: (@MainActor () -> Void)? = nil) {
        self.icon = icon
        self.style = style
        self.action = action
        layer.add(background)
        layer.add(symbol)
        background.isHitTestable = false
        symbol.isHitTestable = false
        layer.owner = self
        show()
    }

    /// Puts the button, which is round, in the middle of `frame`, in points of its parent.
    public func layout(_ frame: Rect) {
        layer.frame = frame
        let side = min(frame.size.width, frame.size.height)
        let middle = Rect(origin: .zero, size: frame.size)
        background.frame = middle.fitting(aspect: Size(width: 1, height: 1))
        background.cornerRadius = side / 2
        let inset = side * (1 - style.iconShare) / 2
        symbol.frame = Rect(
            x: background.frame.minX + inset, y: background.frame.minY + inset, width: side - 2 * inset,
            height: side - 2 * inset)
    }

    func setHovered(_ isHovered: Bool) {
        guard isHovered != self.isHovered else { return }
        self.isHovered = isHovered
        show()
    }

    func setPressed(_ isPressed: Bool) {
        guard isPressed != self.isPressed else { return }
        self.isPressed = isPressed
        show()
    }

    private func show() {
        symbol.content = .icon(icon, style.color)
        background.content = isPressed ? .color(style.pressColor) : isHovered ? .color(style.hoverColor) : .none
        onChange?()
    }
}
