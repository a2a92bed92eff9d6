import GlissadeAnimation
public import GlissadeGeometry
public import GlissadeGestures
public import GlissadeLayers
public import GlissadeTime

/// A button with an icon or text, activated by pointer or keyboard.
///
/// The button looks pressed while the pointer is down on it, and acts if the pointer is released on it. The highlights
/// for hovering, pressing and the keyboard focus fade in and out; other changes take effect at once. The owner of the
/// layer tree advances the fades (`Layer.advance`). A press does not change `isOn`.
///
/// Threads: main thread. Pure: the time is passed in.
@MainActor public final class Button {
    /// What a button shows: an icon or text.
    public enum Face: Hashable, Sendable {
        case icon(Icon)
        /// A word or two, such as "1.5×"; truncated if too long.
        case text(String)
    }

    /// The button's layer; `layout` sets its frame.
    public let layer = Layer()
    /// What the button shows while it is off.
    public var face: Face { didSet { if face != oldValue { show() } } }
    /// What the button shows while it is on; nil to show `face`.
    public var onFace: Face? { didSet { if onFace != oldValue { show() } } }
    /// Whether the button looks switched on. If so, it shows `onFace` in the style's `onColor`. Only the owner sets
    /// this.
    public var isOn = false { didSet { if isOn != oldValue { show() } } }
    /// Whether the button can be pressed. Disabling it cancels a press.
    public var isEnabled = true { didSet { if isEnabled != oldValue { enabledChanged() } } }
    /// The button's name, for a tooltip and for accessibility.
    public var name: String?
    /// The button's appearance. A new `cornerRadius` applies from the next `layout`.
    public var style: Style { didSet { if style != oldValue { show() } } }
    /// Called when the button is activated by pointer or keyboard.
    public var action: (@MainActor () -> Void)?
    /// Called when the button's appearance changes or begins to change.
    public var onChange: (@MainActor () -> Void)?

    public let recognizers: [GestureRecognizer]

    private let press = PressRecognizer()
    private let outline: FocusOutline
    private let hoverBackground = Layer()
    private let pressBackground = Layer()
    private let symbol = Layer()

    private(set) var isHovered = false
    /// Whether a press that began on the button is still down. Remains true while the pointer is outside the button.
    private(set) var isPressed = false
    /// Whether the pointer of the current press is over the button.
    private(set) var isUnderPointer = false
    /// Whether the button has the keyboard focus and shows the outline.
    public private(set) var isFocused = false

    public init(_ face: Face, style: Style, action: (@MainActor () -> Void)? = nil) {
        self.face = face
        self.style = style
        self.action = action
        outline = FocusOutline(color: style.focusColor)
        recognizers = [press]
        for part in [hoverBackground, pressBackground, symbol, outline.layer] {
            part.isHitTestable = false
            layer.add(part)
        }
        hoverBackground.opacity = 0
        pressBackground.opacity = 0
        layer.owner = self
        follow(press)
        show()
    }

    public convenience init(_ icon: Icon, style: Style, action: (@MainActor () -> Void)? = nil) {
        self.init(.icon(icon), style: style, action: action)
    }

    /// The icon of `face`; nil if `face` is text. Setting nil does nothing.
    public var icon: Icon? {
        get { if case .icon(let icon) = face { icon } else { nil } }
        set { if let newValue { face = .icon(newValue) } }
    }

    // MARK: - Layout and time

    /// Places the button in `frame`, in its parent's coordinates.
    ///
    /// If the style has a corner radius, the background fills the frame. Otherwise, the background is a centered circle
    /// if the button shows an icon, or a capsule that fills the frame if it shows text.
    public func layout(_ frame: Rect) {
        layer.frame = frame
        let bounds = Rect(origin: .zero, size: frame.size)
        let isRound = style.cornerRadius == nil && icon != nil
        let background = isRound ? bounds.fitting(aspect: Size(width: 1, height: 1)) : bounds
        let side = max(0, min(background.size.width, background.size.height))
        let radius = min(style.cornerRadius ?? side / 2, side / 2)
        for part in [hoverBackground, pressBackground] {
            part.frame = background
            part.cornerRadius = radius
        }
        outline.layout(around: background, cornerRadius: radius)
        placeSymbol()
    }

    private func placeSymbol() {
        let bounds = Rect(origin: .zero, size: layer.frame.size)
        switch shownFace {
        case .icon:
            let square = bounds.fitting(aspect: Size(width: 1, height: 1))
            let side = square.size.width
            let inset = side * (1 - style.iconFraction) / 2
            symbol.frame = Rect(
                x: square.minX + inset, y: square.minY + inset, width: side - 2 * inset, height: side - 2 * inset)
        case .text: symbol.frame = bounds
        }
    }

    /// Advances the button to `now`. Returns whether the button is animating. Need not be called if the owner advances
    /// the layer tree that contains the button.
    @discardableResult public func advance(to now: HostTime) -> Bool { layer.advance(to: LocalTime(now)) }

    // MARK: - Appearance

    private var shownFace: Face { isOn ? onFace ?? face : face }

    private func show() {
        let color = isOn ? style.onColor ?? style.color : style.color
        switch shownFace {
        case .icon(let icon): symbol.content = .icon(icon, color)
        case .text(let text):
            var textStyle = style.text
            textStyle.color = color
            symbol.content = .text(TextContent(text, style: textStyle, alignment: .center))
        }
        symbol.opacity = isEnabled ? 1 : style.disabledOpacity
        hoverBackground.content = .color(style.hoverColor)
        pressBackground.content = .color(style.pressColor)
        outline.color = style.focusColor
        placeSymbol()
        onChange?()
    }

    private func enabledChanged() {
        if !isEnabled {
            isPressed = false
            isUnderPointer = false
            isHovered = false
            for part in [hoverBackground, pressBackground] {
                part.opacity = 0
                part.animatedOpacity.removeAnimations()
            }
        }
        show()
    }

    /// Fades the highlights to the opacities that match the current state.
    private func fade(now: HostTime) {
        let isDown = isPressed && isUnderPointer
        fade(hoverBackground, isShown: isHovered && !isDown, now: now)
        fade(pressBackground, isShown: isDown, now: now)
        onChange?()
    }

    private func fade(_ part: Layer, isShown: Bool, now: HostTime) {
        let target = isShown ? 1.0 : 0
        guard part.opacity != target else { return }
        part.animatedOpacity.animate(to: target, now: LocalTime(now), duration: style.fade, curve: .easeOut)
    }

    // MARK: - Input

    func setHovered(_ isHovered: Bool, now: HostTime) {
        guard isEnabled, isHovered != self.isHovered else { return }
        self.isHovered = isHovered
        fade(now: now)
    }

    func setPressed(_ isPressed: Bool, isUnderPointer: Bool, now: HostTime) {
        guard isEnabled, isPressed != self.isPressed || isUnderPointer != self.isUnderPointer else { return }
        self.isPressed = isPressed
        self.isUnderPointer = isUnderPointer
        fade(now: now)
    }

    func focus(_ isFocused: Bool, now: HostTime) {
        guard isFocused != self.isFocused else { return }
        self.isFocused = isFocused
        outline.show(isFocused, now: now)
        onChange?()
    }

    /// Performs the action, and briefly shows the button as pressed. Does nothing while disabled.
    public func activate(now: HostTime) {
        guard isEnabled else { return }
        if !isPressed {
            pressBackground.animatedOpacity.run(
                Animation(
                    from: 1, to: 0,
                    timing: MediaTiming(
                        beginTime: LocalTime(now), duration: style.fade + style.fade,
                        fillMode: .backwards),
                    curve: .easeIn))
            onChange?()
        }
        action?()
    }
}
