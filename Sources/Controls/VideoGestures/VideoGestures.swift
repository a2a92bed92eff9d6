public import GlissadeGeometry
public import GlissadeGestures
public import GlissadeTime

/// Recognizes the gestures on a video, and reports them to callbacks.
///
/// Make this object the owner of the video's layer (`layer.owner`), or have the layer's owner forward `recognizers`,
/// `receive` and `targetOnMovingPage`. Set `frame` to the video's frame, and perform the gestures in the callbacks.
/// Controls over the video must be siblings of the video's layer, not sublayers, because the video's recognizers see
/// every press inside that layer.
///
/// The gesture of a drag is chosen when the drag begins, by the position of the press and the main direction of the
/// movement. Horizontal drags belong to the page, which calls `allows`. To disable a gesture, add it to `disabled`. To
/// replace a gesture, perform another action in `shouldTrigger` and return false.
///
/// Threads: main thread.
@MainActor public final class VideoGestures {
    /// The default `dragSpan`.
    public static let defaultDragSpan = 0.8
    /// The default `skipStep`.
    public static let defaultSkipStep = Duration.seconds(10)
    /// The default `skipTimeout`.
    public static let defaultSkipTimeout = Duration.milliseconds(500)
    /// The width of each outer quarter, as a fraction of the video's width.
    public static let quarterFraction = 0.25
    /// The width of each outer third, as a fraction of the video's width. Only a drag that begins in the middle third
    /// can dismiss the video.
    public static let thirdFraction = 1.0 / 3
    /// The change of the distance between two fingers at which they can no longer begin to drag, in points.
    public static let pinchTravel = 24.0
    /// The default `pinchThreshold`.
    public static let defaultPinchThreshold = 1.1

    /// A level that a vertical drag changes.
    public enum Level: Hashable, Sendable { case brightness, volume }

    /// The phase of a vertical drag that changes a level. `changed` reports the change of the level since the start of
    /// the drag, as a fraction of the level's range, not clamped. On `cancelled`, the owner must restore the initial
    /// level.
    ///
    /// The movement that turns a press into a drag (`PanRecognizer.defaultMinimumTravel`) does not change the level.
    public enum LevelDrag: Hashable, Sendable { case began, changed(Double), ended, cancelled }

    /// The phase of a drag that dismisses a fullscreen video. `changed` reports the pointer's offset from the press, in
    /// points. `ended` reports the pointer's velocity, in points per second. On `cancelled`, the owner must return the
    /// video to fullscreen.
    public enum DismissDrag: Hashable, Sendable { case began, changed(Point), ended(velocity: Point), cancelled }

    /// The phase of a wheel seek. `began` carries the initial position. `changed` and `ended` carry the position that
    /// the seek has reached.
    public enum Seek: Hashable, Sendable { case began(Duration), changed(Duration), ended(Duration) }

    /// The scaling of the video: `fit` shows all of it, `fill` covers the whole window.
    public enum Scaling: Hashable, Sendable { case fit, fill }

    /// The phase of a pinch. `changed` reports the distance between the fingers as a multiple of the initial distance.
    /// `ended` reports the chosen scaling, which is nil if the pinch was canceled or did not reach `pinchThreshold`.
    public enum Pinch: Hashable, Sendable { case began, changed(Double), ended(Scaling?) }

    /// A press on an item over the video, with positions in layout points. `cancelled` is reported when the pointer
    /// begins a drag, for example.
    public enum ItemPress: Hashable, Sendable { case began(Point), clicked(Point), cancelled }

    /// What a horizontal scroll does.
    public enum SidewaysScroll: Hashable, Sendable {
        /// Moves the page. With Shift, or if the page cannot be moved, seeks instead.
        case page
        /// Always seeks.
        case video
    }

    // MARK: - Configuration

    /// The video's frame in layout points. While the frame is empty, gestures that depend on the position are off.
    public var frame = Rect(x: 0, y: 0, width: 0, height: 0)
    /// The disabled gestures. Disabling a gesture cancels it if it is in progress.
    public var disabled: Set<VideoGesture> = [] {
        didSet { if disabled != oldValue { dropDisabled() } }
    }
    /// Returns whether a gesture may take effect. Called when the gesture begins or, for a click, when the click is
    /// complete. The point is the gesture's position in layout points. Not called for further clicks that repeat a
    /// skip.
    public var shouldTrigger: (@MainActor (VideoGesture, Point) -> Bool)?
    /// Whether the video is locked. While it is locked, clicks call `onLockedClick`, and all other gestures are off.
    /// Locking cancels gestures in progress.
    public var isLocked = false { didSet { if isLocked, !oldValue { cancel() } } }
    /// The fraction of the video's height that a drag must cover to change a level by its whole range.
    public var dragSpan = VideoGestures.defaultDragSpan
    /// How far a double click in an outer quarter skips.
    public var skipStep = VideoGestures.defaultSkipStep
    /// The time after a skip during which another click in the same quarter skips again.
    public var skipTimeout = VideoGestures.defaultSkipTimeout
    /// How far a pinch must go to take effect, as a factor. If the distance between the fingers grows by this factor,
    /// the video fills the window. If the distance shrinks by this factor, the video is fitted into the window.
    public var pinchThreshold = VideoGestures.defaultPinchThreshold
    /// What a horizontal scroll does.
    public var sidewaysScroll = SidewaysScroll.page {
        didSet { wheelPan.modifiers = sidewaysScroll == .page ? .shift : [] }
    }
    /// Returns the number of seconds that one wheel notch seeks. The argument is the file's length, or nil if the
    /// length is unknown.
    public var secondsPerNotch: @MainActor (Duration?) -> Double = { WheelSeek.secondsPerNotch(duration: $0) }
    /// Returns the playback position and, if known, the file's length. Returns nil if there is nothing to seek in.
    /// Called when a wheel seek begins.
    public var timeline: (@MainActor () -> (position: Duration, duration: Duration?)?)?

    /// Returns whether a drag down can dismiss the video. Should return true in fullscreen. May be called both when the
    /// pointer is pressed and when the drag begins. If this closure is nil, no drag can dismiss the video.
    public var canDismiss: (@MainActor () -> Bool)?

    /// Returns whether an item over the video, such as a moving comment, is at a point, in layout points. Called at
    /// each press, with the time of the press. A press on an item causes no click or long press of the video. Double
    /// clicks and drags begin there as anywhere else. While the video's page is moving, a press on an item also takes
    /// the page over, and there are no double clicks.
    public var hasItem: (@MainActor (Point, HostTime) -> Bool)?

    // MARK: - Callbacks

    /// Called for a click that is not part of a double click, with the position in layout points.
    public var onClick: (@MainActor (Point, HostTime) -> Void)?
    /// Called for a click while the video is locked, with the position in layout points.
    public var onLockedClick: (@MainActor (Point, HostTime) -> Void)?
    /// Called for a double click outside the quarters that skip.
    public var onDoubleClick: (@MainActor (Point, HostTime) -> Void)?
    /// Called for a double click in an outer quarter, and for each further click there within `skipTimeout`. The
    /// duration is negative for a skip back.
    public var onSkip: (@MainActor (Duration, Point, HostTime) -> Void)?
    /// Called for a press on an item (see `hasItem`), and when that press ends.
    public var onItemPress: (@MainActor (ItemPress, HostTime) -> Void)?
    /// Called for a vertical drag that changes the brightness (left half) or the volume (right half, or two fingers
    /// anywhere).
    public var onLevelDrag: (@MainActor (Level, LevelDrag, HostTime) -> Void)?
    /// Called for a drag that dismisses a fullscreen video.
    public var onDismissDrag: (@MainActor (DismissDrag, HostTime) -> Void)?
    /// Called when a long press begins (true), and when it ends or is canceled (false).
    public var onLongPress: (@MainActor (Bool, HostTime) -> Void)?
    /// Called when the wheel changes the volume. The first argument is the number of notches, positive for louder.
    public var onVolumeWheel: (@MainActor (Double, HostTime) -> Void)?
    /// Called when a wheel seek begins, reaches another position, or ends.
    public var onSeek: (@MainActor (Seek, HostTime) -> Void)?
    /// Called for a pinch with two fingers.
    public var onPinch: (@MainActor (Pinch, HostTime) -> Void)?

    // MARK: - State

    public let recognizers: [GestureRecognizer]
    let itemPress: ItemPressRecognizer
    let itemPressTarget: ItemPressTarget
    let clicks = TapRecognizer(count: 1, name: "click")
    let doubleClicks = TapRecognizer(count: 2, name: "double click")
    /// Recognizes the clicks that repeat a skip.
    let repeats = TapRecognizer(count: 1, name: "repeated click")
    let longPress = LongPressRecognizer()
    let drags = PanRecognizer(axes: .vertical, name: "level")
    let wheelPan = WheelPanRecognizer(name: "wheel seek")
    let pinch = PinchRecognizer()

    var levelDrag: LevelDragState?
    /// Whether a drag that dismisses the video is in progress.
    var isDismissing = false
    var isLongPressed = false
    var isPinched = false
    /// Whether two fingers can no longer turn from a pinch into a drag.
    var isPinchDecided = false
    /// The latest skip, and the time until which another click repeats the skip.
    var skips: (gesture: VideoGesture, until: HostTime)?
    var wheelTurn: WheelTurn?
    var seek: WheelSeek?
    /// The number of notches of the current scroll that have already been added to the wheel seek.
    var soughtNotches = 0.0

    public init() {
        itemPress = ItemPressRecognizer()
        itemPressTarget = ItemPressTarget(itemPress)
        recognizers = [pinch, drags, wheelPan, itemPress, longPress, doubleClicks, repeats, clicks]
        // The wheel changes the volume in both halves, not the level of the half under the pointer.
        drags.drivenByScroll = false
        clicks.requireFailure(of: doubleClicks)
        itemPress.requireFailure(of: doubleClicks)
        for recognizer in recognizers { recognizer.delegate = self }
        for tap in [clicks, doubleClicks, repeats] { tap.onChange = { [weak self] in self?.tapChanged($0) } }
        longPress.onChange = { [weak self] _ in self?.longPressChanged() }
        drags.onChange = { [weak self] _ in self?.dragChanged() }
        wheelPan.onChange = { [weak self] _ in self?.wheelPanChanged() }
        pinch.onChange = { [weak self] _ in self?.pinchChanged() }
        itemPress.onPress = { [weak self] in self?.onItemPress?(.began($0), $1) }
        itemPress.onChange = { [weak self] _ in self?.itemPressChanged() }
    }

    /// Returns whether `gesture` may begin at `point`, in layout points.
    ///
    /// If the gesture is enabled and the video is not locked, this method calls `shouldTrigger`. A page calls this
    /// method once when a drag of the page begins.
    public func allows(_ gesture: VideoGesture, at point: Point) -> Bool {
        isOn(gesture) && shouldTrigger?(gesture, point) != false
    }

    /// Whether a drag, long press, pinch or wheel seek is in progress. The controls should then stay visible.
    public var isActive: Bool { levelDrag != nil || isDismissing || isLongPressed || isPinched || seek != nil }

    /// Cancels all gestures in progress, and ends a wheel seek. Call this, for example, when another video opens.
    public func cancel() {
        // Reversed, so that `clicks` is canceled before `doubleClicks`: a click would be recognized once the double
        // click that it waits for had failed.
        for recognizer in recognizers.reversed() { recognizer.cancel() }
        skips = nil
        wheelTurn = nil
        endSeek()
    }

    func isOn(_ gesture: VideoGesture) -> Bool { !isLocked && !disabled.contains(gesture) }

    private func dropDisabled() {
        if let levelDrag, !isOn(levelDrag.gesture) {
            drags.cancel()
            pinch.cancel()
        }
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
