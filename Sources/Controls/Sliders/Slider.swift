public import Geometry
public import Layers
public import Time

/// A value set by pointer, wheel or key, such as the volume.
///
/// Values are clamped to `range`; values that are not numbers are ignored. During a drag, `setValue` does nothing, as
/// the owner only echoes the drag's own values. A cancelled drag restores the previous value and reports it.
///
/// Threads: main thread. Pure: the time is passed in.
@MainActor public final class Slider {
    /// Colors and lengths of the bar.
    public typealias Style = SliderTrackStyle
    /// How far outside the bar it is hit, in points.
    public static let defaultHitMargin = 16.0
    /// The step of an arrow key or wheel notch.
    public static let defaultStep = 0.05

    let track: SliderTrack
    /// The step of an arrow key or wheel notch. Values within rounding of a multiple snap to it.
    public var step = Slider.defaultStep
    /// The value; during a drag, the dragged one.
    public private(set) var value: Double
    private var valueBefore = 0.0

    /// From the left end to the right, finite. The value stays within.
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
    /// Values marked on the bar, such as 100 % volume where louder is possible.
    public var marks: [Double] = [] {
        didSet {
            guard marks != oldValue else { return }
            placeMarks()
            show()
        }
    }
    /// Colors and lengths; a change shows at once.
    public var style: Style {
        get { track.style }
        set {
            track.style = newValue
            show()
        }
    }
    /// How far outside the bar it is hit on every side, in points; also outside its parent.
    public var hitMargin: Double {
        get { layer.hitMargin }
        set { layer.hitMargin = newValue.usableLength }
    }
    /// Whether it takes input. If not, it is dimmed, and elements beneath are hit instead.
    public var isEnabled: Bool {
        get { track.isEnabled }
        set { track.isEnabled = newValue }
    }

    /// Called when the user sets another value.
    public var onChange: (@MainActor (_ value: Double, _ now: HostTime) -> Void)?
    /// Called when the pointer hovers over a value, within the bar or its margin; nil when it leaves.
    public var onHover: (@MainActor (_ value: Double?, _ now: HostTime) -> Void)?

    /// - Parameter range: Finite; otherwise 0…1 is used.
    public init(range: ClosedRange<Double> = 0...1, value: Double = 0, style: Style = Style()) {
        self.range = Self.isUsable(range) ? range : 0...1
        self.value = self.range.lowerBound
        track = SliderTrack(style: style, hitMargin: Self.defaultHitMargin, name: "slider")
        self.value = held(value)
        track.owner = self
        layer.owner = self
        show()
    }

    /// The slider's layer; `layout` sets its frame. Its rectangle is the bar at rest and does not grow.
    public var layer: Layer { track.layers.layer }

    /// Centers the bar in `frame`, in points of its parent, at full width.
    ///
    /// - Parameter scale: Device pixels per point; nil for unchanged.
    public func layout(_ frame: Rect, scale: Double? = nil) {
        track.layers.layout(frame, scale: scale)
        show()
    }

    /// Whether it is being dragged.
    public var isDragged: Bool { track.held != nil }

    /// Sets `value` at once without reporting it. Does nothing during a drag.
    public func setValue(_ value: Double, now: HostTime) {
        track.observe(now)
        guard !isDragged else { return }
        self.value = held(value)
        show()
    }

    // MARK: - Time

    /// Whether it is changing size.
    public var isAnimating: Bool { track.isGrowing }

    /// When it must be advanced even if it is not animating: immediately after a change that was not drawn. Only
    /// `advance` counts as drawing.
    public var nextWake: HostTime? { isAnimating ? nil : track.changesDue }

    /// Advances to `now`. True if something must be redrawn.
    @discardableResult public func advance(to now: HostTime) -> Bool {
        track.observe(now)
        show()
        return track.takeChanges()
    }

    // MARK: - Values

    /// Whether a range is valid. The difference of the ends must be finite.
    private static func isUsable(_ range: ClosedRange<Double>) -> Bool {
        range.lowerBound <= range.upperBound && (range.upperBound - range.lowerBound).isFinite
    }

    private var extent: Double { range.upperBound - range.lowerBound }

    /// The nearest value in the range; the current one for NaN.
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

    /// The value after `count` more steps. Single steps add up to the same value as one large one.
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
