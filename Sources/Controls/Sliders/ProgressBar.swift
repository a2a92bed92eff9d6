import Animation
public import Geometry
public import Layers
public import Time

/// Where playing is, in a bar that a hand can draw along.
///
/// Main thread; time is told. Values are shares of the length, 0…1: what lies beyond is held to the nearest end, and what
/// is no number is not taken.
///
/// The bar has a time of its own, which `pauseAnimation` stops and `resumeAnimation` lets go on: a timed movement that is
/// begun meanwhile waits. All goes by what is *seen*, the latest time that it was told.
///
/// A hand that draws along the bar has it alone. It removes what moves the bar, where that is; what is set from then on is
/// kept beneath it. When the hand lets go, where that is becomes the value, in place of whatever was set meanwhile, until
/// the next is; when the hand is lost, the bar is where playing is by then.
///
/// It moves by whole device pixels, and asks for the display's rate only where it moves by one at least each time, or grows
/// or shrinks; else it knows when its next step is due.
@MainActor public final class ProgressBar {
    public typealias Style = SliderTrackStyle
    /// How far beyond the bar it is hit, in points.
    public static let defaultHitMargin = 16.0
    /// How far an arrow key goes, as a share of the length.
    public static let defaultStep = 0.01
    /// The period of a display of 60 Hz.
    public static let defaultTick = Duration.nanoseconds(16_666_667)

    let track: SliderTrack
    private let animated = Animated(0.0)
    private var time = MediaTiming()
    /// When a timed movement ends, in the bar's time.
    private var end = LocalTime.zero
    private var hasCompletion = false
    private var isTimed = false

    /// How far an arrow key goes, as a share of the length.
    public var step = ProgressBar.defaultStep
    /// The display's period.
    public var tick = ProgressBar.defaultTick
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
    /// Whether a hand or a key can move it; one that they cannot is there to be looked at only.
    public var isDraggable: Bool {
        get { track.isDraggable }
        set { track.isDraggable = newValue }
    }
    /// What is there to be played at once, in any order.
    public var buffered: [ClosedRange<Double>] = [] {
        didSet {
            guard buffered != oldValue else { return }
            track.layers.setBuffered(buffered.mergedFractions())
            show()
        }
    }
    /// Where chapters begin; those at the very ends, or too near to one another to be told apart, are not shown.
    public var marks: [Double] = [] {
        didSet {
            guard marks != oldValue else { return }
            track.layers.setMarks(marks.markFractions())
            show()
        }
    }

    /// A hand took hold of the bar at a value: a press, also where it is let go of at the same place.
    public var onDragBegan: (@MainActor (_ value: Double, _ now: HostTime) -> Void)?
    /// The hand is at another value.
    public var onDrag: (@MainActor (_ value: Double, _ now: HostTime) -> Void)?
    /// The hand let go, at the value that it was last told to be at.
    public var onDragEnded: (@MainActor (_ value: Double, _ now: HostTime) -> Void)?
    /// The hand was lost: the bar is where playing is.
    public var onDragCancelled: (@MainActor (_ now: HostTime) -> Void)?
    /// The pointer is over a value, within the bar or its margin; nil where it has left. Also while a hand has the bar.
    public var onHover: (@MainActor (_ value: Double?, _ now: HostTime) -> Void)?
    /// A key asks for a value. The bar moves nowhere by itself.
    public var onStep: (@MainActor (_ value: Double, _ now: HostTime) -> Void)?

    public init(style: Style = Style()) {
        track = SliderTrack(style: style, hitMargin: Self.defaultHitMargin, name: "progress bar")
        track.owner = self
        layer.owner = self
        show()
    }

    /// Where the bar is; `layout` sets its frame. Its rectangle is the bar at rest, and does not grow.
    public var layer: Layer { track.layers.layer }

    /// Puts the bar in the middle of `frame`, in points of its parent, as wide as that.
    ///
    /// - Parameter scale: device pixels per point; nil leaves it as it is.
    public func layout(_ frame: Rect, scale: Double? = nil) {
        track.layers.layout(frame, scale: scale)
        show()
    }

    // MARK: - The value

    /// Where playing is, or will be when a timed movement has ended.
    public var value: Double { animated.model }
    /// Where the thumb is seen: a hand's, or where playing is, at the latest time that the bar was told.
    public var shownValue: Double { track.held ?? animated.presentation(at: now) }
    /// Whether a hand has it.
    public var isDragged: Bool { track.held != nil }
    /// Whether its time stands still.
    public var isPaused: Bool { time.isPaused }

    /// The bar's own time.
    private var now: LocalTime { time.activeTime(parent: LocalTime(track.seen)) }

    /// Is at `value`, at once. What moved it is removed.
    public func setValue(_ value: Double, now: HostTime) {
        track.note(now)
        guard let fraction = value.fraction else { return }
        jump(to: fraction)
    }

    /// Moves to `value` from where playing is seen, as fast all the way, in place of what moved it.
    ///
    /// - Parameters:
    ///   - duration: of the bar's time; not positive, it is there at once.
    ///   - completion: called once: from `advance`, with true, when it is there; with false when it was replaced or removed,
    ///     or `value` is no number.
    public func setValue(
        _ value: Double, duration: Duration, now: HostTime, completion: ((_ isFinished: Bool) -> Void)? = nil
    ) {
        track.note(now)
        guard let fraction = value.fraction else {
            completion?(false)
            return
        }
        isTimed = true
        hasCompletion = completion != nil
        end = self.now + max(.zero, duration)
        // The completion of what this replaces comes last, and may set all of the above anew.
        animated.animate(
            to: fraction, now: self.now, duration: max(.zero, duration), curve: .linear, completion: completion)
        show()
    }

    /// Stops the bar where it is seen.
    public func pauseAnimation(now: HostTime) {
        track.note(now)
        time.pause(at: LocalTime(track.seen))
        show()
    }

    /// Lets it go on from there.
    public func resumeAnimation(now: HostTime) {
        track.note(now)
        time.resume(at: LocalTime(track.seen))
        show()
    }

    /// Is where the timed movement would have ended.
    public func removeAnimation(now: HostTime) {
        track.note(now)
        jump(to: animated.model)
    }

    /// Is at 0 and moves no more, neither paused nor in a hand, which is lost: for another file.
    public func reset(now: HostTime) {
        track.note(now)
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

    /// Whether it moves by a device pixel at least at each tick of the display, or grows or shrinks.
    public var isAnimating: Bool { track.isGrowing || isFast }

    /// When it wants to be told the time again though it is not animating: at its next step, or where a movement ends
    /// whose end somebody waits for; at once, after a change that has not been drawn. Only `advance` says that it was: it is
    /// not to be asked of a bar that nobody advances.
    public var nextWake: HostTime? {
        guard !isAnimating else { return nil }
        if let due = track.changesDue { return due }
        guard animated.isAnimating, !time.isPaused else { return nil }
        let ending = hasCompletion ? hostTime(end) : nil
        guard let step = nextStep else { return ending }
        return ending.map { min($0, step) } ?? step
    }

    /// Is where it is at `now`. True where something is to be drawn anew.
    @discardableResult public func advance(to now: HostTime) -> Bool {
        track.note(now)
        animated.advance(to: self.now)
        show()
        return track.takeChanges()
    }

    private var isFast: Bool {
        guard track.held == nil, !time.isPaused, animated.isMoving else { return false }
        return abs(animated.velocity(at: now)) * track.layers.length * tick.inSeconds >= 1
    }

    /// When the edge will be seen on the next device pixel; nil where it stays on the one that it is on.
    private var nextStep: HostTime? {
        guard track.held == nil else { return nil }
        let velocity = animated.velocity(at: now)
        let shown = track.layers.edge
        if track.layers.pixel(at: shownValue) != shown { return track.seen }
        guard velocity != 0, track.layers.pixel(at: animated.model) != shown else { return nil }
        let border = (shown + (velocity > 0 ? 0.5 : -0.5)) / track.layers.length
        var due = now + .nanoseconds(max(0, Int64(clampingNanoseconds: (border - shownValue) / velocity)))
        // A rounding error must not have it wake before its time, again and again.
        var more = Duration.nanoseconds(1)
        while due < end, track.layers.pixel(at: animated.presentation(at: due)) == shown {
            due = due + more
            more = more * 2
        }
        return hostTime(min(due, end))
    }

    /// When the bar's time will be `local`, unless it is paused.
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
