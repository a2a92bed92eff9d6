import Animation
public import Geometry
public import Layers
public import Time

/// The playback position, as a bar that can be dragged.
///
/// Values are fractions of the length, 0…1, clamped; values that are not numbers are ignored. The bar has a local time,
/// which `pauseAnimation` stops and `resumeAnimation` continues: timed movements started meanwhile wait. All values are
/// those *seen*: at the latest time passed in.
///
/// A drag takes over the bar. It removes the bar's movement, if any, and values set from then on are kept underneath.
/// When the drag ends, its value replaces them until the next is set; when it is cancelled, the bar shows the playback
/// position.
///
/// It moves by whole device pixels. It requests frames at the display's rate only if it moves by at least one pixel
/// each refresh, or changes size; otherwise it knows when its next step is due.
///
/// Threads: main thread. Pure: the time is passed in.
@MainActor public final class ProgressBar {
    /// Colors and lengths of the bar.
    public typealias Style = SliderTrackStyle
    /// How far outside the bar it is hit, in points.
    public static let defaultHitMargin = 16.0
    /// The step of an arrow key, as a fraction of the length.
    public static let defaultStep = 0.01
    /// The period of a 60 Hz display.
    public static let defaultTick = Duration.nanoseconds(16_666_667)

    let track: SliderTrack
    private let animated = Animated(0.0)
    private var time = MediaTiming()
    /// When a timed movement ends, in the bar's local time.
    private var end = LocalTime.zero
    private var hasCompletion = false
    private var isTimed = false

    /// The step of an arrow key, as a fraction of the length.
    public var step = ProgressBar.defaultStep
    /// The display's period.
    public var tick = ProgressBar.defaultTick
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
    /// Whether the user can move it; if not, it only displays.
    public var isDraggable: Bool {
        get { track.isDraggable }
        set { track.isDraggable = newValue }
    }
    /// The ranges that can be played at once, in any order.
    public var buffered: [ClosedRange<Double>] = [] {
        didSet {
            guard buffered != oldValue else { return }
            track.layers.setBuffered(buffered.mergedFractions())
            show()
        }
    }
    /// Chapter starts. Those at the ends, or too close together, are not shown.
    public var marks: [Double] = [] {
        didSet {
            guard marks != oldValue else { return }
            track.layers.setMarks(marks.markFractions())
            show()
        }
    }

    /// Called when a drag begins at a value: with the press, even if it is released in the same place.
    public var onDragBegan: (@MainActor (_ value: Double, _ now: HostTime) -> Void)?
    /// Called when the drag has moved to another value.
    public var onDrag: (@MainActor (_ value: Double, _ now: HostTime) -> Void)?
    /// Called when the drag ends at the value last reported.
    public var onDragEnded: (@MainActor (_ value: Double, _ now: HostTime) -> Void)?
    /// Called when the drag was cancelled; the bar shows the playback position again.
    public var onDragCancelled: (@MainActor (_ now: HostTime) -> Void)?
    /// Called when the pointer hovers over a value, within the bar or its margin; nil when it leaves. Also during a
    /// drag.
    public var onHover: (@MainActor (_ value: Double?, _ now: HostTime) -> Void)?
    /// Called when a key requests a value. The bar does not move on its own.
    public var onStep: (@MainActor (_ value: Double, _ now: HostTime) -> Void)?

    public init(style: Style = Style()) {
        track = SliderTrack(style: style, hitMargin: Self.defaultHitMargin, name: "progress bar")
        track.owner = self
        layer.owner = self
        show()
    }

    /// The bar's layer; `layout` sets its frame. Its rectangle is the bar at rest and does not grow.
    public var layer: Layer { track.layers.layer }

    /// Centers the bar in `frame`, in points of its parent, at full width.
    ///
    /// - Parameter scale: Device pixels per point; nil for unchanged.
    public func layout(_ frame: Rect, scale: Double? = nil) {
        track.layers.layout(frame, scale: scale)
        show()
    }

    // MARK: - The value

    /// The playback position, or the end of a timed movement.
    public var value: Double { animated.model }
    /// The position of the thumb, dragged or not, at the latest time observed.
    public var shownValue: Double { track.held ?? animated.presentation(at: now) }
    /// Whether it is being dragged.
    public var isDragged: Bool { track.held != nil }
    /// Whether its local time stands still.
    public var isPaused: Bool { time.isPaused }

    /// The bar's local time.
    private var now: LocalTime { time.activeTime(parent: LocalTime(track.seen)) }

    /// Sets `value` at once, removing any movement.
    public func setValue(_ value: Double, now: HostTime) {
        track.observe(now)
        guard let fraction = value.fraction else { return }
        jump(to: fraction)
    }

    /// Moves to `value` at constant speed from its visible position, replacing any movement.
    ///
    /// - Parameters:
    ///   - duration: In the bar's local time; if not positive, the bar moves there immediately.
    ///   - completion: Called once: with true from `advance` on arrival; with false if replaced or removed, or if `value`
    ///     is not a number.
    public func setValue(
        _ value: Double, duration: Duration, now: HostTime, completion: ((_ isFinished: Bool) -> Void)? = nil
    ) {
        track.observe(now)
        guard let fraction = value.fraction else {
            completion?(false)
            return
        }
        isTimed = true
        hasCompletion = completion != nil
        end = self.now + max(.zero, duration)
        // Called last, since the completion of the replaced movement may change all of this.
        animated.animate(
            to: fraction, now: self.now, duration: max(.zero, duration), curve: .linear, completion: completion)
        show()
    }

    /// Stops the bar at its visible position.
    public func pauseAnimation(now: HostTime) {
        track.observe(now)
        time.pause(at: LocalTime(track.seen))
        show()
    }

    /// Continues after `pauseAnimation`.
    public func resumeAnimation(now: HostTime) {
        track.observe(now)
        time.resume(at: LocalTime(track.seen))
        show()
    }

    /// Completes a timed movement at once.
    public func removeAnimation(now: HostTime) {
        track.observe(now)
        jump(to: animated.model)
    }

    /// Resets to 0 for another file: no movement, no pause, and a drag is cancelled.
    public func reset(now: HostTime) {
        track.observe(now)
        track.cancelDrag()
        time = MediaTiming()
        jump(to: 0)
    }

    private func jump(to fraction: Double) {
        isTimed = false
        animated.model = fraction
        animated.removeAnimations()
        show()
    }

    // MARK: - Time

    /// Whether it moves by at least a device pixel at each refresh, or changes size.
    public var isAnimating: Bool { track.isGrowing || isFast }

    /// When it must be advanced even if it is not animating: at its next step, at the end of a movement with a
    /// completion, or immediately after a change that was not drawn. Only `advance` counts as drawing, so do not ask a
    /// bar that is never advanced.
    public var nextWake: HostTime? {
        guard !isAnimating else { return nil }
        if let due = track.changesDue { return due }
        guard animated.isAnimating, !time.isPaused else { return nil }
        let ending = hasCompletion ? hostTime(end) : nil
        guard let step = nextStep else { return ending }
        return ending.map { min($0, step) } ?? step
    }

    /// Advances to `now`. True if something must be redrawn.
    @discardableResult public func advance(to now: HostTime) -> Bool {
        track.observe(now)
        animated.advance(to: self.now)
        show()
        return track.takeChanges()
    }

    private var isFast: Bool {
        guard track.held == nil, !time.isPaused, animated.isMoving else { return false }
        return abs(animated.velocity(at: now)) * track.layers.length * tick.inSeconds >= 1
    }

    /// When the edge reaches the next device pixel; nil if it stays.
    private var nextStep: HostTime? {
        guard track.held == nil else { return nil }
        let velocity = animated.velocity(at: now)
        let shown = track.layers.edge
        if track.layers.pixel(at: shownValue) != shown { return track.seen }
        guard velocity != 0, track.layers.pixel(at: animated.model) != shown else { return nil }
        let border = (shown + (velocity > 0 ? 0.5 : -0.5)) / track.layers.length
        var due = now + .nanoseconds(max(0, Int64(clampingNanoseconds: (border - shownValue) / velocity)))
        // A rounding error must not keep waking it too early.
        var more = Duration.nanoseconds(1)
        while due < end, track.layers.pixel(at: animated.presentation(at: due)) == shown {
            due = due + more
            more = more * 2
        }
        return hostTime(min(due, end))
    }

    /// When the bar's local time will be `local`, unless paused.
    private func hostTime(_ local: LocalTime) -> HostTime {
        HostTime(nanoseconds: (LocalTime(track.seen) + (local - now)).nanoseconds)
    }
}

extension ProgressBar: TrackOwner {
    func show() {
        let colors = isDragged ? style.dragged : isTimed && !isPaused ? style.inProgress : style.rest
        track.place(at: animated.presentation(at: now), colors: colors)
    }

    func dragBegan(_ fraction: Double, now: HostTime) {
        isTimed = false
        animated.freeze(at: self.now)
        show()
        onDragBegan?(fraction, now)
    }

    func dragMoved(_ fraction: Double, now: HostTime) {
        show()
        onDrag?(fraction, now)
    }

    func dragEnded(_ fraction: Double, now: HostTime) {
        jump(to: fraction)
        onDragEnded?(fraction, now)
    }

    func dragCancelled(now: HostTime) {
        show()
        onDragCancelled?(now)
    }

    func hovered(_ fraction: Double?, now: HostTime) { onHover?(fraction, now) }
}
