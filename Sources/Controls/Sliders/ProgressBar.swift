import GlissadeAnimation
import GlissadeGeometry
public import GlissadeTime

/// A bar that shows the playback position and lets the user change it by dragging.
///
/// Values are fractions of the bar's length, clamped to 0…1. NaN is ignored. All properties refer to the latest time
/// passed in.
///
/// A timed movement (`setValue` with a duration) runs in the bar's local time, which `pauseAnimation` stops and
/// `resumeAnimation` continues. A timed movement set during a pause starts when the local time continues.
///
/// A drag ends a timed movement. During a drag, the bar shows the dragged value. A value that the owner sets during the
/// drag is stored, but not shown. When the drag ends, the dragged value replaces the stored value. If the drag is
/// canceled, the bar shows the stored value again.
///
/// The bar moves in steps of whole device pixels. During a slow movement, it need not be advanced for every frame:
/// `nextWake` is the time of the next step.
///
/// Threads: main thread. Pure: the time is passed in.
@MainActor public final class ProgressBar: SliderControl {
    /// The default `step`, as a fraction of the bar's length.
    public static let defaultStep = 0.01
    /// The default `tick`: the refresh period of a 60 Hz display.
    public static let defaultTick = Duration.nanoseconds(16_666_667)

    private let animated = Animated(0.0)
    private var time = MediaTiming()
    /// When the latest timed movement ends, in the bar's local time.
    private var end = LocalTime.zero
    private var hasCompletion = false
    private var isTimed = false

    /// How far an arrow key moves the bar, as a fraction of the bar's length.
    public var step = ProgressBar.defaultStep
    /// The display's refresh period. `isAnimating` is true if the bar moves by at least one device pixel in this time.
    public var tick = ProgressBar.defaultTick
    /// Whether the user can drag the bar. If false, the bar takes no input and only shows the position.
    public var isDraggable: Bool {
        get { track.isDraggable }
        set { track.isDraggable = newValue }
    }
    /// The buffered ranges, as fractions of the bar's length, in any order.
    public var buffered: [ClosedRange<Double>] = [] {
        didSet {
            guard buffered != oldValue else { return }
            track.layers.setBuffered(buffered.mergedFractions())
            show()
        }
    }
    /// The positions of the marks, such as chapter starts, as fractions of the bar's length. A mark at an end of the
    /// bar, or too close to the previous mark, is not shown.
    public var marks: [Double] = [] {
        didSet {
            guard marks != oldValue else { return }
            track.layers.setMarks(marks.markFractions())
            show()
        }
    }

    /// Called when a press on the bar begins a drag, before the pointer has moved.
    public var onDragBegan: (@MainActor (_ value: Double, _ now: HostTime) -> Void)?
    /// Called during a drag when the dragged value changes.
    public var onDrag: (@MainActor (_ value: Double, _ now: HostTime) -> Void)?
    /// Called when a drag ends. `value` is the last dragged value.
    public var onDragEnded: (@MainActor (_ value: Double, _ now: HostTime) -> Void)?
    /// Called when a drag has been canceled and the bar shows its stored value again.
    public var onDragCancelled: (@MainActor (_ now: HostTime) -> Void)?
    /// Called when the pointer moves over the bar or its margin, and when it leaves them. `value` is the value under
    /// the pointer, or nil if the pointer has left.
    public var onHover: (@MainActor (_ value: Double?, _ now: HostTime) -> Void)?
    /// Called when a key requests `value`. The bar does not move unless the owner sets that value.
    public var onStep: (@MainActor (_ value: Double, _ now: HostTime) -> Void)?

    public init(style: Style = Style()) {
        super.init(style: style, name: "progress bar")
        track.owner = self
        show()
    }

    // MARK: - The value

    /// The bar's value: the playback position, or the target of a timed movement.
    public var value: Double { animated.model }
    /// The position of the thumb at the latest time passed in. During a drag, this is the dragged value.
    public var shownValue: Double { track.held ?? animated.presentation(at: now) }
    /// Whether the bar's local time is paused.
    public var isPaused: Bool { time.isPaused }

    /// The current local time of the bar.
    private var now: LocalTime { time.activeTime(parent: LocalTime(track.seen)) }

    /// Sets the bar's value without animation. Ends a timed movement in progress.
    public func setValue(_ value: Double, now: HostTime) {
        track.observe(now)
        guard let fraction = value.fraction else { return }
        jump(to: fraction)
    }

    /// Starts a timed movement: the bar moves at constant speed from its current position to `value`. Replaces a timed
    /// movement in progress.
    ///
    /// - Parameters:
    ///   - duration: The duration of the movement, in the bar's local time. A negative duration counts as zero.
    ///   - completion: Called at most once. `advance` calls it with true when the bar arrives. It is called with false
    ///     if the movement is replaced, removed or ended by a drag, or if `value` is NaN.
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
        // Comes last, because `animate` calls the completion of the replaced movement, which may set another value.
        animated.animate(
            to: fraction, now: self.now, duration: max(.zero, duration), curve: .linear, completion: completion)
        show()
    }

    /// Pauses the bar's local time. A timed movement stops at its current position.
    public func pauseAnimation(now: HostTime) {
        track.observe(now)
        time.pause(at: LocalTime(track.seen))
        show()
    }

    /// Continues the bar's local time after `pauseAnimation`.
    public func resumeAnimation(now: HostTime) {
        track.observe(now)
        time.resume(at: LocalTime(track.seen))
        show()
    }

    /// Ends a timed movement early: the bar jumps to the movement's target. The movement's completion is called with
    /// false.
    public func removeAnimation(now: HostTime) {
        track.observe(now)
        jump(to: animated.model)
    }

    /// Resets the bar to 0 for another file. Ends a timed movement, ends a pause, and cancels a drag.
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

    /// Whether the bar is changing size, or moving by at least one device pixel per refresh.
    public var isAnimating: Bool { track.isGrowing || isFast }

    /// When `advance` must be called next; nil if nothing is going to change. Also nil while `isAnimating` is true,
    /// because `advance` must then be called for every frame.
    ///
    /// This is the time of the next one-pixel step, or the end of a movement with a completion, whichever is earlier.
    /// If a change has not been drawn yet, this is the latest time passed in.
    public var nextWake: HostTime? {
        guard !isAnimating else { return nil }
        if let due = track.changesDue { return due }
        guard animated.isAnimating, !time.isPaused else { return nil }
        let ending = hasCompletion ? hostTime(end) : nil
        guard let step = nextStep else { return ending }
        return ending.map { min($0, step) } ?? step
    }

    /// Advances the bar to `now`. Returns whether it must be redrawn.
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

    /// When the thumb moves to the next device pixel; nil during a drag, or if no timed movement moves the thumb any
    /// further.
    private var nextStep: HostTime? {
        guard track.held == nil else { return nil }
        let velocity = animated.velocity(at: now)
        let shown = track.layers.edge
        if track.layers.pixel(at: shownValue) != shown { return track.seen }
        guard velocity != 0, track.layers.pixel(at: animated.model) != shown else { return nil }
        let border = (shown + (velocity > 0 ? 0.5 : -0.5)) / track.layers.length
        var due = now + .nanoseconds(max(0, Int64(clampingNanoseconds: (border - shownValue) / velocity)))
        // Rounding can put `due` just before the pixel changes. Moving `due` later prevents the bar from waking again
        // and again without a step.
        var more = Duration.nanoseconds(1)
        while due < end, track.layers.pixel(at: animated.presentation(at: due)) == shown {
            due = due + more
            more = more * 2
        }
        return hostTime(min(due, end))
    }

    /// The host time at which the bar's local time reaches `local`, assuming that the bar is not paused.
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
