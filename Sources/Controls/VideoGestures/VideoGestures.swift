public import Geometry
public import Gestures
public import Time

/// The gestures on a video: their recognizers, and the choice of a gesture for each press, drag and scroll.
///
/// Make it the owner of the video's layer (`layer.owner`), or let that owner forward `recognizers` and `receive`. Set
/// `frame` to the video's frame, and perform the gestures in the callbacks. Controls over the video belong next to that
/// layer, not inside it, because recognizers see a press before the targets inside theirs.
///
/// The gesture is chosen once, when the press starts to move, by its position and main direction. Horizontal drags
/// belong to the page, whose stack asks `allows`. Each gesture can be disabled (`disabled`), given other callbacks, or
/// replaced by an action in `shouldTrigger` that then returns false.
///
/// Threads: main thread.
@MainActor public final class VideoGestures {
    /// The fraction of the frame's height that a drag crosses for the whole range of a level.
    public static let defaultDragSpan = 0.8
    /// The distance of a skip by double click.
    public static let defaultSkipStep = Duration.seconds(10)
    /// How long after a skip another click in the same quarter skips again.
    public static let defaultSkipTimeout = Duration.milliseconds(500)
    /// The width of an outer quarter, as a fraction.
    public static let quarterFraction = 0.25
    /// The fraction of the width on each side of the center from which a drag down dismisses.
    public static let thirdFraction = 1.0 / 3
    /// How far two fingers must spread, as a factor, to fill the window, or pinch to fit into it.
    public static let defaultPinchThreshold = 1.1

    /// A level that a vertical drag changes.
    public enum Level: Hashable, Sendable { case brightness, volume }

    /// A vertical drag. `changed` reports by how much of the whole range the level is above or below its initial value,
    /// not clamped. If cancelled, the level returns to that.
    ///
    /// The travel that distinguishes a drag from a press (`PanRecognizer.defaultMinimumTravel`) does not count, so that
    /// the level does not jump.
    public enum LevelDrag: Hashable, Sendable { case began, changed(Double), ended, cancelled }

    /// A drag of a fullscreen video. `changed` reports the pointer's distance from the press in points, `ended` its
    /// velocity in points per second. If cancelled, the video returns.
    public enum DismissDrag: Hashable, Sendable { case began, changed(Point), ended(velocity: Point), cancelled }

    /// A wheel seek and its current position; `began` reports the start.
    public enum Seek: Hashable, Sendable { case began(Duration), changed(Duration), ended(Duration) }

    /// How the video is scaled: to be fully visible, or to cover the whole window.
    public enum Scaling: Hashable, Sendable { case fit, fill }

    /// A pinch. `changed` reports the fingers' distance relative to the start; `ended` the result, nil if they hardly
    /// moved or were lost.
    public enum Pinch: Hashable, Sendable { case began, changed(Double), ended(Scaling?) }

    /// The effect of a horizontal scroll.
    public enum SidewaysScroll: Hashable, Sendable {
        /// It moves the page if that is possible; with Shift, or if no page moves, it seeks.
        case page
        /// It seeks.
        case video
    }

    // MARK: - To be set

    /// The video's frame in window points, for halves and quarters. Gestures that need a position are off without it.
    public var frame = Rect(x: 0, y: 0, width: 0, height: 0)
    /// Disabled gestures. Disabling one in progress cancels it.
    public var disabled: Set<VideoGesture> = [] {
        didSet { if disabled != oldValue { dropDisabled() } }
    }
    /// Asked once when a gesture begins or a click is complete, with its position in window points; false makes it do
    /// nothing.
    public var shouldTrigger: (@MainActor (VideoGesture, Point) -> Bool)?
    /// Whether all gestures are locked except clicks, which only call `onLockedClick`. Locking cancels gestures in
    /// progress.
    public var isLocked = false { didSet { if isLocked, !oldValue { cancel() } } }
    /// The fraction of the video's height that a drag must cover to change a level by its whole range.
    public var dragSpan = VideoGestures.defaultDragSpan
    /// How far a double click in an outer quarter skips.
    public var skipStep = VideoGestures.defaultSkipStep
    /// How long after a skip another click in the same quarter skips again.
    public var skipTimeout = VideoGestures.defaultSkipTimeout
    /// The factor by which two fingers must spread or pinch.
    public var pinchThreshold = VideoGestures.defaultPinchThreshold
    /// X11 reports a touchpad's two fingers and a tilting wheel alike, in whole notches, so events do not tell what a
    /// horizontal scroll is meant for; it is a setting.
    public var sidewaysScroll = SidewaysScroll.page {
        didSet { wheelPan.modifiers = sidewaysScroll == .page ? .shift : [] }
    }
    /// The seconds that a notch seeks, for a given or unknown length of the file.
    public var secondsPerNotch: @MainActor (Duration?) -> Double = { WheelSeek.secondsPerNotch(duration: $0) }
    /// The playback position and, if known, the length of the file; asked when a wheel seek begins. Nil if there is
    /// nothing to seek in.
    public var timeline: (@MainActor () -> (position: Duration, duration: Duration?)?)?

    /// Whether a drag down can dismiss the video, as in fullscreen; asked at a press in the middle third, and again
    /// when the drag begins. If nil, no drag can.
    public var canDismiss: (@MainActor () -> Bool)?

    // MARK: - To be told

    /// Called for a click with its position in window points, unless the click is the first half of a double click.
    public var onClick: (@MainActor (Point, HostTime) -> Void)?
    /// Called for a click while locked, which may show the unlock button.
    public var onLockedClick: (@MainActor (Point, HostTime) -> Void)?
    /// Called for a double click outside of the quarters that skip.
    public var onDoubleClick: (@MainActor (Point, HostTime) -> Void)?
    /// Called for a double click in an outer quarter, and for each further click soon after: skip forward, or back if
    /// negative.
    public var onSkip: (@MainActor (Duration, Point, HostTime) -> Void)?
    /// Called for a vertical drag in the left (brightness) or right half (volume).
    public var onLevelDrag: (@MainActor (Level, LevelDrag, HostTime) -> Void)?
    /// Called for a drag down from the middle third.
    public var onDismissDrag: (@MainActor (DismissDrag, HostTime) -> Void)?
    /// Called when a long press begins (true), and when it ends or is cancelled (false).
    public var onLongPress: (@MainActor (Bool, HostTime) -> Void)?
    /// Called to change the volume by notches of the wheel; positive is louder.
    public var onVolumeWheel: (@MainActor (Double, HostTime) -> Void)?
    /// Called for a seek by the wheel.
    public var onSeek: (@MainActor (Seek, HostTime) -> Void)?
    /// Called for a pinch by two fingers.
    public var onPinch: (@MainActor (Pinch, HostTime) -> Void)?

    // MARK: - Inside

    public let recognizers: [GestureRecognizer]
    let clicks = TapRecognizer(count: 1, name: "click")
    let doubleClicks = TapRecognizer(count: 2, name: "double click")
    /// The clicks that follow a skip.
    let repeats = TapRecognizer(count: 1, name: "repeated click")
    let longPress = LongPressRecognizer()
    let drags = PanRecognizer(axes: .vertical, name: "level")
    let wheelPan = WheelPanRecognizer(name: "wheel seek")
    let pinch = PinchRecognizer()

    /// The level drag in progress.
    var levelDrag: LevelDragState?
    /// Whether the current drag dismisses the video.
    var isDismissing = false
    var isLongPressed = false
    var isPinched = false
    /// The skips that another click continues.
    var skips: (gesture: VideoGesture, until: HostTime)?
    var wheelTurn: WheelTurn?
    var seek: WheelSeek?
    /// How much of the current scroll the seek has used, in notches.
    var soughtNotches = 0.0

    public init() {
        recognizers = [pinch, drags, wheelPan, longPress, doubleClicks, repeats, clicks]
        // The wheel changes the volume in both halves.
        drags.drivenByScroll = false
        clicks.requireFailure(of: doubleClicks)
        for recognizer in recognizers { recognizer.delegate = self }
        for tap in [clicks, doubleClicks, repeats] { tap.onChange = { [weak self] in self?.tapChanged($0) } }
        longPress.onChange = { [weak self] _ in self?.longPressChanged() }
        drags.onChange = { [weak self] _ in self?.dragChanged() }
        wheelPan.onChange = { [weak self] _ in self?.wheelPanChanged() }
        pinch.onChange = { [weak self] _ in self?.pinchChanged() }
    }

    /// Whether `gesture` may begin at `point`, in window points: it is enabled, nothing is locked, and `shouldTrigger`,
    /// which this calls, allows it. A page calls this once when one of its drags begins.
    public func allows(_ gesture: VideoGesture, at point: Point) -> Bool {
        isOn(gesture) && shouldTrigger?(gesture, point) != false
    }

    /// Whether a drag, long press, pinch or wheel seek is in progress, so that the controls should stay.
    public var isActive: Bool { levelDrag != nil || isDismissing || isLongPressed || isPinched || seek != nil }

    /// Cancels everything in progress, for another video.
    public func cancel() {
        // Otherwise the double click after this click would count as refused.
        for recognizer in recognizers.reversed() { recognizer.cancel() }
        skips = nil
        wheelTurn = nil
        endSeek()
    }

    func isOn(_ gesture: VideoGesture) -> Bool { !isLocked && !disabled.contains(gesture) }

    private func dropDisabled() {
        if let levelDrag, !isOn(levelDrag.gesture) { drags.cancel() }
        if isDismissing, !isOn(.dismissDrag) { drags.cancel() }
        if isLongPressed, !isOn(.longPress) { longPress.cancel() }
        if isPinched, !isOn(.pinch) { pinch.cancel() }
        if !isOn(.horizontalWheel) {
            wheelPan.cancel()
            endSeek()
        }
        wheelTurn = nil
    }
}
