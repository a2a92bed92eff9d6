import GlissadeGeometry
public import GlissadeTime

/// A slider for a value such as the volume. The user sets the value with the pointer, the wheel or the keyboard.
///
/// Values are clamped to `range`. NaN is ignored. When a drag is canceled, the slider restores the value from before
/// the drag. If that changes the value, the slider calls `onChange`.
///
/// Threads: main thread. Pure: the time is passed in.
@MainActor public final class Slider: SliderControl {
    /// The default `step`, for the default `range` of 0…1.
    public static let defaultStep = 0.05

    /// How much an arrow key or a wheel notch changes the value. If the result differs from a multiple of the step only
    /// by a rounding error, it is snapped to that multiple.
    public var step = Slider.defaultStep
    /// The slider's value. During a drag, this is the dragged value.
    public private(set) var value: Double
    private var valueBefore = 0.0

    /// The values at the left and right ends. Setting the range clamps `value` to it. A range that is not finite is
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
    /// The values marked on the bar, such as 100 % on a volume slider whose range exceeds 100 %.
    public var marks: [Double] = [] {
        didSet {
            guard marks != oldValue else { return }
            placeMarks()
            show()
        }
    }

    /// Called when the user changes the value, and when a canceled drag restores the earlier value.
    public var onChange: (@MainActor (_ value: Double, _ now: HostTime) -> Void)?
    /// Called when the pointer moves over the bar or its margin, and when it leaves them. `value` is the value under
    /// the pointer, or nil if the pointer has left.
    public var onHover: (@MainActor (_ value: Double?, _ now: HostTime) -> Void)?

    /// Creates a slider.
    ///
    /// - Parameter range: The values at the left and right ends. If they are not finite, the range is 0…1.
    public init(range: ClosedRange<Double> = 0...1, value: Double = 0, style: Style = Style()) {
        self.range = Self.isUsable(range) ? range : 0...1
        self.value = self.range.lowerBound
        super.init(style: style, name: "slider")
        self.value = held(value)
        track.owner = self
        show()
    }

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

    /// When `advance` must be called next: the latest time passed in if a change has not been drawn yet, otherwise nil.
    /// Also nil while `isAnimating` is true, because `advance` must then be called for every frame.
    public var nextWake: HostTime? { isAnimating ? nil : track.changesDue }

    /// Advances the slider to `now`. Returns whether it must be redrawn.
    @discardableResult public func advance(to now: HostTime) -> Bool {
        track.observe(now)
        show()
        return track.takeChanges()
    }

    // MARK: - Values

    /// Whether the difference between the ends of `range` is finite.
    private static func isUsable(_ range: ClosedRange<Double>) -> Bool {
        range.lowerBound <= range.upperBound && (range.upperBound - range.lowerBound).isFinite
    }

    private var extent: Double { range.upperBound - range.lowerBound }

    /// Returns `value` clamped to `range`, or the slider's current value if `value` is NaN.
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

    /// Returns the value `count` steps above the current value, not clamped to `range`. If the result differs from a
    /// multiple of `step` only by a rounding error, it is snapped to that multiple.
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
