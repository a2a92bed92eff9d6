public import Geometry
public import Layers
public import Time

/// A value that a hand, a wheel or a key sets: a volume.
///
/// Main thread; time is told. Values lie in `range`: what lies beyond is held to the nearest end, and what is no number is
/// not taken.
///
/// While a hand has it, `setValue` moves nothing and is forgotten: what its owner reports then are the hand's own values,
/// late. A hand that is lost leaves it at the value that it had before, and says so.
@MainActor public final class Slider {
    public typealias Style = SliderTrackStyle
    /// How far beyond the bar it is hit, in points.
    public static let defaultHitMargin = 16.0
    /// How far an arrow key or a notch of a wheel goes.
    public static let defaultStep = 0.05

    let track: SliderTrack
    /// How far an arrow key or a notch of a wheel goes; a value that is a step's multiple, but for rounding, is that.
    public var step = Slider.defaultStep
    /// The value, in the middle of a drag the hand's.
    public private(set) var value: Double
    private var valueBefore = 0.0

    /// From the left end to the right one, both finite; the value stays within.
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
    /// Values that are marked on the bar, such as full volume where louder is possible.
    public var marks: [Double] = [] {
        didSet {
            guard marks != oldValue else { return }
            placeMarks()
            show()
        }
    }
    public var style: Style {
        get { track.style }
        set {
            track.style = newValue
            show()
        }
    }
    /// How far beyond the bar it is hit, in points, on every side; also beyond what the bar is in.
    public var hitMargin: Double {
        get { layer.hitMargin }
        set { layer.hitMargin = newValue.usableLength }
    }
    /// Whether it takes anything. One that does not looks dimmer, and what lies beneath is hit in its place.
    public var isEnabled: Bool {
        get { track.isEnabled }
        set { track.isEnabled = newValue }
    }

    /// Hand, wheel or key have set another value.
    public var onChange: (@MainActor (_ value: Double, _ now: HostTime) -> Void)?
    /// The pointer is over a value, within the bar or its margin; nil where it has left.
    public var onHover: (@MainActor (_ value: Double?, _ now: HostTime) -> Void)?

    /// - Parameter range: finite; where it is not, 0…1.
    public init(range: ClosedRange<Double> = 0...1, value: Double = 0, style: Style = Style()) {
        self.range = Self.isUsable(range) ? range : 0...1
        self.value = self.range.lowerBound
        track = SliderTrack(style: style, hitMargin: Self.defaultHitMargin, name: "slider")
        self.value = held(value)
        track.owner = self
        layer.owner = self
        show()
    }

    /// Where the slider is; `layout` sets its frame. Its rectangle is the bar at rest, and does not grow.
    public var layer: Layer { track.layers.layer }

    /// Puts the bar in the middle of `frame`, in points of its parent, as wide as that.
    ///
    /// - Parameter scale: device pixels per point; nil leaves it as it is.
    public func layout(_ frame: Rect, scale: Double? = nil) {
        track.layers.layout(frame, scale: scale)
        show()
    }

    /// Whether a hand has it.
    public var isDragged: Bool { track.held != nil }

    /// Is at `value`, at once; nobody is told. Nothing while a hand has it.
    public func setValue(_ value: Double, now: HostTime) {
        track.note(now)
        guard !isDragged else { return }
        self.value = held(value)
        show()
    }

    // MARK: - Time

    /// Whether it grows or shrinks.
    public var isAnimating: Bool { track.isGrowing }

    /// When it wants to be told the time again though it is not animating: at once, after a change that has not been drawn.
    /// Only `advance` says that it was.
    public var nextWake: HostTime? { isAnimating ? nil : track.changesDue }

    /// Is where it is at `now`. True where something is to be drawn anew.
    @discardableResult public func advance(to now: HostTime) -> Bool {
        track.note(now)
        show()
        return track.takeChanges()
    }

    // MARK: - Values

    /// Differences of its ends are finite.
    private static func isUsable(_ range: ClosedRange<Double>) -> Bool {
        range.lowerBound <= range.upperBound && (range.upperBound - range.lowerBound).isFinite
    }

    private var extent: Double { range.upperBound - range.lowerBound }

    /// The nearest value in the range; the present one for what is no number.
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

    /// The value so many steps on. After many steps it is what their product is.
    func value(stepsOn count: Double) -> Double {
        let target = value + count * step
        let whole = (target / step).rounded() * step
        return abs(target - whole) < abs(step) * 1e-6 ? whole : target
    }

    func change(to value: Double, now: HostTime) {
        track.note(now)
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
