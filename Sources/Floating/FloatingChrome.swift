import GlissadeAnimation
public import GlissadeControls
public import GlissadeGeometry
public import GlissadeLayers
public import GlissadeTime

/// The controls over a floating element: buttons to play or pause the element, to return it to its page, and to close
/// the window.
///
/// The controls appear when the pointer moves over the window. They disappear when the pointer leaves the window or
/// rests for `timeout`. Main thread.
@MainActor public final class FloatingChrome {
    /// The appearance of the controls.
    public struct Style: Hashable, Sendable {
        /// The translucent color drawn over the element, beneath the buttons, to make the buttons stand out.
        public var scrim = Color(red: 0, green: 0, blue: 0, alpha: 0.42)
        /// The style of all three buttons.
        public var button = Button.Style(color: .white, iconFraction: 0.5)
        /// The width and height of the buttons in the upper corners, in points.
        public var smallSide = 32.0
        /// The width and height of the play button, in points.
        public var largeSide = 48.0
        /// The distance between the corner buttons and the window's edges, in points.
        public var margin = 6.0

        public init() {}
    }

    /// How long the controls stay visible while the pointer rests.
    public static let timeout = Duration.seconds(2)
    /// The duration of the fade-in.
    public static let fadeIn = Duration.milliseconds(120)
    /// The duration of the fade-out.
    public static let fadeOut = Duration.milliseconds(200)

    /// The layer of the controls, above the element's layer and as large as the window.
    public let layer = Layer()
    /// The button in the center, which plays or pauses the element.
    public let play: Button
    /// The button in the upper right corner, which returns the element to its page.
    public let restore: Button
    /// The button in the upper left corner, which closes the window.
    public let close: Button
    private let scrim: Layer
    private let style: Style
    private var deadline: HostTime?
    /// Whether there is a play button. False for an element that cannot be played or paused.
    public var hasPlay = true { didSet { play.layer.isHidden = !hasPlay } }
    /// Whether there is a restore button. False for an element without a page to return to.
    public var hasPage = true { didSet { restore.layer.isHidden = !hasPage } }

    public init(style: Style = Style()) {
        self.style = style
        play = Button(.pause, style: style.button)
        restore = Button(.back, style: style.button)
        close = Button(.close, style: style.button)
        scrim = Layer(content: .color(style.scrim))
        play.name = "Play or pause"
        restore.name = "Back to its page"
        close.name = "Close"
        scrim.isHitTestable = false
        layer.isHitTestable = false
        layer.opacity = 0
        layer.isHidden = true
        for part in [scrim, play.layer, restore.layer, close.layer] { layer.add(part) }
    }

    /// Whether the controls are visible or fading in. False once they start to fade out.
    public var isShown: Bool { !layer.isHidden && layer.opacity > 0 }

    /// Lays out the controls for a window of `size`, in points.
    public func layout(_ size: Size) {
        layer.frame = Rect(origin: .zero, size: size)
        scrim.frame = layer.frame
        let (side, margin) = (style.smallSide, style.margin)
        close.layout(Rect(x: margin, y: margin, width: side, height: side))
        restore.layout(Rect(x: size.width - margin - side, y: margin, width: side, height: side))
        let large = style.largeSide
        play.layout(
            Rect(
                x: ((size.width - large) / 2).rounded(), y: ((size.height - large) / 2).rounded(), width: large,
                height: large))
    }

    /// Shows the controls and restarts their timeout. Call when the pointer enters the window, moves or is pressed.
    /// Returns whether the controls start to fade in.
    @discardableResult public func wake(now: HostTime) -> Bool {
        deadline = now + Self.timeout
        guard !isShown else { return false }
        layer.isHidden = false
        fade(to: 1, duration: Self.fadeIn, now: now)
        return true
    }

    /// Fades the controls out. Call when the pointer leaves the window. Returns whether the controls start to fade out.
    @discardableResult public func hide(now: HostTime) -> Bool {
        deadline = nil
        guard isShown else { return false }
        fade(to: 0, duration: Self.fadeOut, now: now)
        return true
    }

    /// Hides the controls at once, without fading.
    func reset() {
        deadline = nil
        layer.animatedOpacity.removeAnimations()
        layer.opacity = 0
        layer.isHidden = true
    }

    private func fade(to opacity: Double, duration: Duration, now: HostTime) {
        layer.animatedOpacity.animate(to: opacity, now: LocalTime(now), duration: duration, curve: .easeOut) {
            [weak layer] isFinished in
            if isFinished, opacity == 0 { layer?.isHidden = true }
        }
    }

    /// The time at which the controls start to fade out, unless the pointer moves first; nil while the controls are
    /// hidden or fading out.
    public var nextWake: HostTime? { deadline }

    /// Fades the controls out if the pointer has rested for `timeout`. Returns whether the controls start to fade out.
    public func advance(to now: HostTime) -> Bool {
        guard let deadline, now >= deadline else { return false }
        return hide(now: now)
    }
}
