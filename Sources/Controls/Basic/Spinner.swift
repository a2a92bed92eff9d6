import GlissadeAnimation
public import GlissadeGeometry
public import GlissadeLayers
public import GlissadeTime

/// A loading indicator: a ring of twelve dots with a bright spot that moves around the ring.
///
/// The spinner appears after a delay, so that nothing is shown for a short wait. The spot moves one dot at a time. By
/// default, the spinner therefore needs only about twelve frames a second.
///
/// Threads: main thread. Pure: the time is passed in.
@MainActor public final class Spinner {
    /// The appearance and timing of a spinner.
    public struct Style: Hashable, Sendable {
        /// The color of the dots. All dots but the brightest are translucent.
        public var color = Color.white
        /// The delay before the spinner appears.
        public var delay = Duration.milliseconds(300)
        /// The duration of fading in and out.
        public var fade = Duration.milliseconds(150)
        /// The duration of one rotation.
        public var turn = Duration.milliseconds(996)
        /// The diameter of a dot as a fraction of the spinner's diameter.
        public var dotFraction = 0.14
        /// The lower limit of the dots' opacities, 0…1. The twelve opacities are evenly spaced above this limit; the
        /// highest is 1.
        public var faintest = 0.12

        public init() {}
    }

    static let dotCount = 12
    /// The directions from the center to the dots: clockwise from the top, in steps of 30 degrees.
    private static let directions: [Point] = {
        let (long, short) = (0.75.squareRoot(), 0.5)
        return [
            (0, -1), (short, -long), (long, -short), (1, 0), (long, short), (short, long), (0, 1), (-short, long),
            (-long, short), (-1, 0), (-long, -short), (-short, -long),
        ].map { Point(x: $0.0, y: $0.1) }
    }()

    /// The layer that contains the dots. Hidden before the spinner fades in and after it has faded out.
    public let layer = Layer()
    /// The spinner's appearance and timing, fixed at creation.
    public let style: Style
    /// Whether the spinner has been requested. The spinner appears only after the delay.
    public private(set) var isWanted = false

    let dots: [Layer]
    private var showsAt: HostTime?
    /// When the spinner appeared; nil while it is hidden.
    private var appeared: HostTime?
    /// The number of steps since `appeared`; -1 before the first step.
    private var step = -1

    public init(style: Style = Style()) {
        self.style = style
        dots = (0..<Self.dotCount).map { _ in Layer(content: .color(style.color)) }
        layer.isHitTestable = false
        layer.isHidden = true
        layer.opacity = 0
        for dot in dots {
            dot.isHitTestable = false
            layer.add(dot)
        }
    }

    /// Centers the spinner in `frame`, in its parent's coordinates.
    public func layout(_ frame: Rect) {
        guard frame.isFinite else { return }
        layer.frame = frame
        let square = Rect(origin: .zero, size: frame.size).fitting(aspect: Size(width: 1, height: 1))
        let side = square.size.width
        // Whole points, so that all dots are equally round.
        let diameter = (side * style.dotFraction).rounded()
        let reach = (side - diameter) / 2
        for (dot, direction) in zip(dots, Self.directions) {
            dot.frame = Rect(
                x: (square.minX + side / 2 + reach * direction.x - diameter / 2).rounded(),
                y: (square.minY + side / 2 + reach * direction.y - diameter / 2).rounded(), width: diameter,
                height: diameter)
            dot.cornerRadius = diameter / 2
        }
    }

    /// Requests or hides the spinner. A requested spinner appears after the delay, or fades in at once if it is still
    /// fading out. Does nothing if the value is unchanged.
    public func setWanted(_ isWanted: Bool, now: HostTime) {
        guard isWanted != self.isWanted else { return }
        self.isWanted = isWanted
        showsAt = isWanted && layer.isHidden ? now + style.delay : nil
        guard !layer.isHidden else { return }
        fade(to: isWanted ? 1 : 0, now: now)
    }

    /// Whether the spinner is fading in or out, which needs frames at the display's rate.
    public var isAnimating: Bool { layer.animatedOpacity.isMoving }

    /// When `advance` must be called next, unless the spinner is fading: at the end of the delay or for the next step.
    /// Nil if the spinner is hidden and has not been requested.
    public var nextWake: HostTime? {
        if let showsAt { return showsAt }
        return appeared.map { $0 + stepDuration * (step + 1) }
    }

    /// Advances the spinner to `now`. Returns whether it must be redrawn.
    @discardableResult public func advance(to now: HostTime) -> Bool {
        if let showsAt, now >= showsAt { appear(now: now) }
        guard !layer.isHidden else { return false }
        let wasFading = isAnimating
        layer.advance(to: LocalTime(now))
        return turn(now: now) || wasFading
    }

    /// The duration of one step, at least 1 ms.
    private var stepDuration: Duration {
        max(.milliseconds(1), .nanoseconds(style.turn.nanoseconds / Int64(Self.dotCount)))
    }

    private func appear(now: HostTime) {
        showsAt = nil
        layer.isHidden = false
        appeared = now
        step = -1
        fade(to: 1, now: now)
    }

    private func fade(to opacity: Double, now: HostTime) {
        layer.animatedOpacity.animate(to: opacity, now: LocalTime(now), duration: style.fade, curve: .easeOut) {
            [weak self] isOver in
            guard let self, isOver, !self.isWanted else { return }
            layer.isHidden = true
            appeared = nil
        }
    }

    /// Moves the bright spot to its position at `now`. Returns whether the position has changed.
    private func turn(now: HostTime) -> Bool {
        guard let appeared else { return false }
        let reached = Int(max(0, (now - appeared).nanoseconds) / stepDuration.nanoseconds)
        guard reached != step else { return false }
        step = reached
        for (index, dot) in dots.enumerated() {
            let behind = ((reached - index) % Self.dotCount + Self.dotCount) % Self.dotCount
            dot.opacity = style.faintest + (1 - style.faintest) * (1 - Double(behind) / Double(Self.dotCount))
        }
        return true
    }
}
