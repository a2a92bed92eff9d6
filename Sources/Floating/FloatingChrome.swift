import Animation
public import Controls
public import Geometry
public import Layers
public import Time

/// The controls over a floating element while the pointer is on it: play or pause, return to page, close.
///
/// Main thread; the time is passed in. Appears with the pointer, and disappears when the pointer leaves or rests for a
/// while.
@MainActor public final class FloatingChrome {
    /// The appearance of the controls.
    public struct Style: Hashable, Sendable {
        /// The background over the element, so that buttons are visible on any frame.
        public var scrim = Color(red: 0, green: 0, blue: 0, alpha: 0.42)
        /// The style of all three buttons.
        public var button = Button.Style(color: .white, iconFraction: 0.5)
        /// The width and height of the buttons in the corners, in points.
        public var smallSide = 32.0
        /// The width and height of the play button, in points.
        public var largeSide = 48.0
        /// The distance of the buttons from the window's edges.
        public var margin = 6.0

        public init() {}
    }

    /// How long they stay while the pointer rests.
    public static let timeout = Duration.seconds(2)
    /// The duration of appearing.
    public static let fadeIn = Duration.milliseconds(120)
    /// The duration of disappearing, which may be slower.
    public static let fadeOut = Duration.milliseconds(200)

    /// The layer above the element's; as large as the window.
    public let layer = Layer()
    /// The button in the center.
    public let play: Button
    /// The button in the upper right corner, which returns the element to its page.
    public let restore: Button
    /// The button in the upper left corner.
    public let close: Button
    private let scrim: Layer
    private let style: Style
    private var deadline: HostTime?
    /// Whether the element can be played.
    public var hasPlay = true { didSet { play.layer.isHidden = !hasPlay } }
    /// Whether the element has a page to return to.
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

    /// Whether the controls are visible, even if they are fading.
    public var isShown: Bool { !layer.isHidden && layer.opacity > 0 }

    /// Lays the controls out for a window of `size` points.
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

    /// Call when the pointer has moved over the window. True if the controls appear.
    @discardableResult public func wake(now: HostTime) -> Bool {
        deadline = now + Self.timeout
        guard !isShown else { return false }
        layer.isHidden = false
        fade(to: 1, duration: Self.fadeIn, now: now)
        return true
    }

    /// Call when the pointer has left, or rests. True if the controls disappear.
    @discardableResult public func hide(now: HostTime) -> Bool {
        deadline = nil
        guard isShown else { return false }
        fade(to: 0, duration: Self.fadeOut, now: now)
        return true
    }

    /// Hides the controls without fading.
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

    /// When the controls disappear if the pointer rests.
    public var nextWake: HostTime? { deadline }

    /// Hides the controls when it is time. True if they start to disappear.
    public func advance(to now: HostTime) -> Bool {
        guard let deadline, now >= deadline else { return false }
        return hide(now: now)
    }
}
