import GlissadeAnimation
public import GlissadeGeometry
public import GlissadeLayers
public import GlissadeTime

/// A short message about a change made by a key or gesture. It disappears by itself.
///
/// The toast fades in, stays, and fades out. A new message replaces the current one without fading. If both messages
/// are of the same kind, the toast may become wider but not narrower. Hit testing ignores the toast.
///
/// Threads: main thread. Pure: the time is passed in.
@MainActor public final class Toast {
    /// The content of a toast.
    public struct Message: Hashable, Sendable {
        /// What the message is about, such as "volume". The toast does not become narrower when a message of the same
        /// kind replaces the current one.
        public var kind: String
        /// The icon at the left; nil for no icon.
        public var icon: Icon?
        /// The text, on one line; truncated if it does not fit.
        public var text: String
        /// The level, 0…1, shown as a bar; nil for no bar.
        public var level: Double?
        /// How long the message stays after fading in; nil to use `Style.rest`.
        public var rest: Duration?

        public init(kind: String, icon: Icon? = nil, text: String, level: Double? = nil, rest: Duration? = nil) {
            self.kind = kind
            self.icon = icon
            self.text = text
            self.level = level
            self.rest = rest
        }
    }

    /// The toast's layer. Add it above the content that the messages are about.
    public let layer = Layer()
    /// The toast's appearance and timing, fixed at creation.
    public let style: Style
    /// The current message, including one that is fading out; nil while the toast is hidden.
    public private(set) var message: Message?

    private let sign = Layer()
    private let label: Label
    private let track = Layer()
    private let level = Layer()
    /// The center of the top edge, in the parent's coordinates.
    private var place = Point.zero
    private var availableWidth = Double.infinity
    private var width = 0.0
    /// When the toast will begin to fade out; nil while it is fading out or hidden.
    private var until: HostTime?

    public init(style: Style = Style()) {
        self.style = style
        label = Label(style: style.text)
        layer.content = .color(style.background)
        layer.opacity = 0
        layer.isHidden = true
        track.content = .color(style.track)
        level.content = .color(style.level)
        for part in [layer, sign, label.layer, track, level] { part.isHitTestable = false }
        for part in [sign, label.layer, track, level] { layer.add(part) }
    }

    /// Places the toast. `top` is the center of the toast's top edge, in the coordinates of the parent layer.
    /// `maxWidth` is in points.
    public func layout(top: Point, maxWidth: Double) {
        guard top.x.isFinite, top.y.isFinite, !maxWidth.isNaN, top != place || maxWidth != availableWidth else {
            return
        }
        place = top
        availableWidth = max(0, maxWidth)
        arrange()
    }

    // MARK: - Showing and hiding

    /// Shows `message`, and restarts the time until the toast fades out.
    public func show(_ message: Message, now: HostTime) {
        let isSameKind = !layer.isHidden && message.kind == self.message?.kind
        until = now + style.fade + (message.rest ?? style.rest)
        if message != self.message {
            self.message = message
            let wanted = style.width(for: message)
            width = isSameKind ? max(width, wanted) : wanted
            sign.content = message.icon.map { .icon($0, style.text.color) } ?? .none
            label.text = message.text
            arrange()
        }
        layer.isHidden = false
        fade(to: 1, now: now)
    }

    /// Starts to fade out. Does nothing if the toast is already fading out or hidden.
    public func hide(now: HostTime) {
        guard until != nil else { return }
        until = nil
        fade(to: 0, now: now)
    }

    private func fade(to opacity: Double, now: HostTime) {
        guard layer.opacity != opacity else { return }
        layer.animatedOpacity.animate(to: opacity, now: LocalTime(now), duration: style.fade, curve: .easeOut) {
            [weak self] isOver in
            guard let self, isOver, until == nil else { return }
            layer.isHidden = true
            message = nil
        }
    }

    /// Whether the toast is fading in or out.
    public var isAnimating: Bool { layer.animatedOpacity.isMoving }

    /// When `advance` must be called next to begin the fade-out; nil while the toast is fading out or hidden.
    public var nextWake: HostTime? { until }

    /// Advances the toast to `now`. Returns whether it must be redrawn.
    @discardableResult public func advance(to now: HostTime) -> Bool {
        guard !layer.isHidden else { return false }
        if let until, now >= until { hide(now: now) }
        let wasMoving = isAnimating
        layer.advance(to: LocalTime(now))
        return wasMoving
    }

    // MARK: - Layout

    private func arrange() {
        guard let message else { return }
        let (height, padding) = (style.height, style.padding)
        let width = min(self.width, availableWidth)
        layer.frame = Rect(x: (place.x - width / 2).rounded(), y: place.y, width: width, height: height)
        layer.cornerRadius = max(0, min(style.cornerRadius, height / 2, width / 2))
        var left = padding
        if message.icon != nil {
            let side = style.iconSide
            sign.frame = Rect(x: left, y: ((height - side) / 2).rounded(), width: side, height: side)
            left += side + style.spacing
        }
        let fraction = message.level.map { $0 > 0 ? min($0, 1) : 0 }
        track.isHidden = fraction == nil
        level.isHidden = fraction == nil
        if let fraction {
            let length = max(0, min(style.levelLength, width - left - padding))
            let bar = Rect(
                x: left, y: ((height - style.levelHeight) / 2).rounded(), width: length, height: style.levelHeight)
            track.frame = bar
            level.frame = Rect(x: bar.minX, y: bar.minY, width: length * fraction, height: bar.size.height)
            for part in [track, level] { part.cornerRadius = style.levelHeight / 2 }
            left += length + style.spacing
        }
        label.layout(Rect(x: left, y: 0, width: max(0, width - left - padding), height: height))
    }
}
