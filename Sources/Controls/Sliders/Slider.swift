public import Geometry
public import Layers
public import Time

/// A slider for a value such as the volume, set by pointer, wheel or key.
///
/// Values are clamped to `range`. NaN is ignored. During a drag, `setValue` does nothing, because the owner would only
/// echo the dragged values. When a drag is canceled, the slider restores the value from before the drag, and calls
/// `onChange` if that changes the value.
///
/// Threads: main thread. Pure: the time is passed in.
@MainActor public final class Slider {
    /// The appearance of a slider.
    public typealias Style = SliderTrackStyle
    /// The default `hitMargin`, in points.
    public static let defaultHitMargin = 16.0
    /// The default `step`, which suits the default `range` of 0…1.
    public static let defaultStep = 0.05

    let track: SliderTrack
    /// How much an arrow key or a wheel notch changes the value. A result within rounding error of a multiple of the
    /// step snaps to it.
    public var step = Slider.defaultStep
    /// The slider's value. During a drag, this is the dragged value.
    public private(set) var value: Double
    private var valueBefore = 0.0

    /// The values at the left and right ends. Setting the range clamps the value to it. A range that is not finite is
    /// ignored.
    public var range: ClosedRange<Double> {
        didSet {
            guard range != oldValue else { return }
            if !Self.isUsable(range) { range = oldValue }
            value = held(value)
            valueBefore = held(valueBefore)
            placeMarks()
            show()
        }
    }
    /// The values that are marked on the bar, such as 100 % on a volume slider that goes higher.
    public var marks: [Double] = [] {
        didSet {
            guard marks != oldValue else { return }
            placeMarks()
            show()
        }
    }
    /// The slider's appearance.
    public var style: Style {
        get { track.style }
        set {
            track.style = newValue
            show()
        }
    }
    /// How far outside the bar a press still hits it, on every side, in points. May extend beyond the parent layer.
    public var hitMargin: Double {
        get { layer.hitMargin }
        set { layer.hitMargin = newValue.usableLength }
    }
    /// Whether the slider takes input. A disabled slider is dimmed, and presses on it go to the elements beneath.
    public var isEnabled: Bool {
        get { track.isEnabled }
        set { track.isEnabled = newValue }
    }

    /// Called when the user changes the value, and when the cancellation of a drag restores an earlier value.
    public var onChange: (@MainActor (_ value: Double, _ now: HostTime) -> Void)?
    /// Called when the pointer hovers over the bar or its margin, or leaves them. `value` is the value under the
    /// pointer; nil when the pointer leaves.
    public var onHover: (@MainActor (_ value: Double?, _ now: HostTime) -> Void)?

    /// Creates a slider.
    ///
    /// - Parameter range: The values at the left and right ends. Must be finite; otherwise 0…1 is used.
    public init(range: ClosedRange<Double> = 0...1, value: Double = 0, style: Style = Style()) {
        self.range = Self.isUsable(range) ? range : 0...1
        self.value = self.range.lowerBound
        track = SliderTrack(style: style, hitMargin: Self.defaultHitMargin, name: "slider")
        self.value = held(value)
        track.owner = self
        layer.owner = self
        show()
    }

    /// The slider's layer. Its frame, set by `layout`, is that of the bar at rest, and does not grow with the bar.
    public var layer: Layer { track.layers.layer }

    /// Places the bar in `frame`, in the parent's coordinates: over the whole width, centered vertically.
    ///
    /// - Parameter scale: Device pixels per point; nil keeps the current scale.
    public func layout(_ frame: Rect, scale: Double? = nil) {
        track.layers.layout(frame, scale: scale)
        show()
    }

    /// Whether the user is dragging the slider.
    public var isDragged: Bool { track.held != nil }

    /// Sets `value` without calling `onChange`. Does nothing during a drag.
    public func setValue(_ value: Double, now: HostTime) {
        track.observe(now)
        guard !isDragged else { return }
        self.value = held(value)
        show()
    }

    // MARK: - Time

    /// Whether the bar is changing size.
    public var isAnimating: Bool { track.isGrowing }

    /// When `advance` must be called next; nil if nothing has changed. Also nil while `isAnimating` is true, because
    /// `advance` must then be called for every frame. If a change has not been drawn yet, this is the latest time
    /// passed in. Only `advance` marks changes as drawn.
    public var nextWake: HostTime? { isAnimating ? nil : track.changesDue }

    /// Advances the slider to `now`. Returns whether it must be redrawn.
    @discardableResult public func advance(to now: HostTime) -> Bool {
        track.observe(now)
        show()
        return track.takeChanges()
    }

    // MARK: - Values

    /// Whether `range` is valid, which means that the difference between its ends is finite.
    private static func isUsable(_ range: ClosedRange<Double>) -> Bool {
        range.lowerBound <= range.upperBound && (range.upperBound - range.lowerBound).isFinite
    }

    private var extent: Double { range.upperBound - range.lowerBound }

    /// Returns `value` clamped to `range`; the slider's current value if `value` is NaN.
    private func held(_ value: Double) -> Double {
        value.isNaN ? self.value : min(max(value, range.lowerBound), range.upperBound)
    }

    private func fraction(of value: Double) -> Double {
        extent > 0 ? ((value - range.lowerBound) / extent).fraction ?? 0 : 0
    }

    private func value(at fraction: Double) -> Double {
        held(range.lowerBound.mixed(with: range.upperBound, fraction: fraction))
    }

    private func placeMarks() { track.layers.setMarks(marks.map { ($0 - range.lowerBound) / extent }.markFractions()) }

    /// The value `count` steps above the current one, not clamped. Snapping makes many small steps add up to the same
    /// value as one large step.
    func value(stepsOn count: Double) -> Double {
        let target = value + count * step
        let whole = (target / step).rounded() * step
        return abs(target - whole) < abs(step) * 1e-6 ? whole : target
    }

    func change(to value: Double, now: HostTime) {
        track.observe(now)
        let value = held(value)
        guard value != self.value else { return }
        self.value = value
        show()
        onChange?(value, now)
    }
}

extension Slider: TrackOwner {
    func show() { track.place(at: fraction(of: value), colors: isDragged ? style.dragged : style.rest) }

    func dragBegan(_ fraction: Double, now: HostTime) {
        valueBefore = value
        change(to: value(at: fraction), now: now)
    }

    func dragMoved(_ fraction: Double, now: HostTime) { change(to: value(at: fraction), now: now) }
    func dragEnded(_ fraction: Double, now: HostTime) {}
    func dragCancelled(now: HostTime) { change(to: valueBefore, now: now) }
    func hovered(_ fraction: Double?, now: HostTime) { onHover?(fraction.map { value(at: $0) }, now) }
}
