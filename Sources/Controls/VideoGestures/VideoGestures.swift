public import Geometry
public import Gestures
public import Time

/// What a hand does on a video: recognizers for all of it, and which gesture each press, drag and scroll becomes.
///
/// Main thread. Hang it on the layer of the picture (`layer.owner`), or have the element that is there pass on
/// `recognizers` and `receive`; give it the picture's `frame`, and say in the callbacks what is to be done. Controls over
/// the picture belong beside that layer and not into it: recognizers hear of a press before the elements within theirs.
///
/// What a press becomes is decided once, where it begins, by its place and main direction. Drags across are the page's:
/// its stack asks `allows` whether they may be.
///
/// Each gesture can be turned off (`disabled`), and each can be replaced: by another callback, or by what `shouldTrigger`
/// does before it says no.
@MainActor public final class VideoGestures {
    /// The share of the frame's height that a drag crosses for the whole range of a level.
    public static let defaultDragSpan = 0.8
    /// How far a double click in an outer quarter goes.
    public static let defaultSkipStep = Duration.seconds(10)
    /// How long after a skip one more click in the same quarter skips again, instead of being a click.
    public static let defaultSkipPatience = Duration.milliseconds(500)
    /// What share of the width each outer quarter has.
    public static let quarterFraction = 0.25
    /// What share of the width lies at each side of the middle, from which a drag down dismisses.
    public static let thirdFraction = 1.0 / 3
    /// How far apart two fingers must have gone, as a factor, to fill the window, or together to fit into it.
    public static let defaultPinchThreshold = 1.1

    /// Something that a vertical drag changes.
    public enum Level: Hashable, Sendable { case brightness, volume }

    /// A vertical drag. `changed` tells by how much of the whole range the level is to be above (upwards) or below where
    /// it was when the drag began; not limited. Cancelled, it goes back there.
    ///
    /// The travel at which a drag is told from a press (`PanRecognizer.defaultMinimumTravel`) does not count, so that the
    /// level does not jump.
    public enum LevelDrag: Hashable, Sendable { case began, changed(Double), ended, cancelled }

    /// A drag that draws what is fullscreen down. `changed` tells how far the hand is from the press, in points; `ended` how
    /// fast it was, in points a second. Cancelled, it goes back up.
    public enum DismissDrag: Hashable, Sendable { case began, changed(Point), ended(velocity: Point), cancelled }

    /// A turn of the wheel that seeks, and the position that it has come to; `began` tells where it started.
    public enum Seek: Hashable, Sendable { case began(Duration), changed(Duration), ended(Duration) }

    public enum Scaling: Hashable, Sendable { case fit, fill }

    /// Two fingers. `changed` tells their distance as a share of what it was at first; `ended` what it comes to, nil
    /// where they were hardly moved, or lost.
    public enum Pinch: Hashable, Sendable { case began, changed(Double), ended(Scaling?) }

    /// Whose a sideways scroll is.
    public enum SidewaysScroll: Hashable, Sendable {
        /// The page's, as far as that can go its way; with Shift, and where no page goes, it seeks.
        case page
        /// It seeks.
        case video
    }

    // MARK: - To be set

    /// Where the video is, in window points: halves and quarters are counted in it. What needs a place is off without.
    public var frame = Rect(x: 0, y: 0, width: 0, height: 0)
    /// Gestures that are turned off; one that is under way is cancelled.
    public var disabled: Set<VideoGesture> = [] {
        didSet { if disabled != oldValue { dropDisabled() } }
    }
    /// Asked once, where a gesture begins or a click is complete, with its place in window points; a no makes it nothing.
    public var shouldTrigger: (@MainActor (VideoGesture, Point) -> Bool)?
    /// Shuts all of this off, but for clicks, which only tell `onLockedClick`; what is under way is cancelled.
    public var isLocked = false { didSet { if isLocked, !oldValue { cancel() } } }
    public var dragSpan = VideoGestures.defaultDragSpan
    public var skipStep = VideoGestures.defaultSkipStep
    public var skipPatience = VideoGestures.defaultSkipPatience
    public var pinchThreshold = VideoGestures.defaultPinchThreshold
    /// X11 reports a touchpad's two fingers and a tilting wheel alike, and both as whole notches: what a sideways scroll
    /// is for cannot be told from the events, and so is a choice.
    public var sidewaysScroll = SidewaysScroll.page {
        didSet { wheelPan.modifiers = sidewaysScroll == .page ? .shift : [] }
    }
    /// How far a notch seeks, in seconds, in a file so long, or of unknown length.
    public var secondsPerNotch: @MainActor (Duration?) -> Double = { WheelSeek.secondsPerNotch(duration: $0) }
    /// Where playing is, and how long the file is if that is known; asked when the wheel begins to seek. Nil where there
    /// is nothing to seek in.
    public var timeline: (@MainActor () -> (position: Duration, duration: Duration?)?)?

    /// Whether the video is where a drag down can take it out of, as in fullscreen; asked with a press in the middle third,
    /// and once more where its drag begins. Without it, no drag does.
    public var canDismiss: (@MainActor () -> Bool)?

    // MARK: - To be told

    public var onClick: (@MainActor (Point, HostTime) -> Void)?
    /// A click while it is locked, which may show the button that unlocks.
    public var onLockedClick: (@MainActor (Point, HostTime) -> Void)?
    public var onDoubleClick: (@MainActor (Point, HostTime) -> Void)?
    /// A double click in an outer quarter, and each further click soon after: go on by so much, or back where negative.
    public var onSkip: (@MainActor (Duration, Point, HostTime) -> Void)?
    public var onLevelDrag: (@MainActor (Level, LevelDrag, HostTime) -> Void)?
    public var onDismissDrag: (@MainActor (DismissDrag, HostTime) -> Void)?
    /// A long press is held (true), or was let go of or lost (false): both always come.
    public var onLongPress: (@MainActor (Bool, HostTime) -> Void)?
    /// Louder by so many notches of the wheel, or quieter where negative.
    public var onVolumeWheel: (@MainActor (Double, HostTime) -> Void)?
    public var onSeek: (@MainActor (Seek, HostTime) -> Void)?
    public var onPinch: (@MainActor (Pinch, HostTime) -> Void)?

    // MARK: - Inside

    public let recognizers: [GestureRecognizer]
    let clicks = TapRecognizer(count: 1, name: "click")
    let doubleClicks = TapRecognizer(count: 2, name: "double click")
    /// The clicks that follow upon a skip.
    let repeats = TapRecognizer(count: 1, name: "repeated click")
    let longPress = LongPressRecognizer()
    let drags = PanRecognizer(axes: .vertical, name: "level")
    let wheelPan = WheelPanRecognizer(name: "wheel seek")
    let pinch = PinchRecognizer()

    /// The level drag that is on.
    var levelDrag: LevelDragState?
    /// Whether the drag that is on draws the video down.
    var isDismissing = false
    var isLongPressed = false
    var isPinched = false
    /// The skips that one more click goes on with.
    var skips: (gesture: VideoGesture, until: HostTime)?
    var wheelTurn: WheelTurn?
    var seek: WheelSeek?
    /// How much of the present scroll the seek has had, in notches.
    var soughtNotches = 0.0

    public init() {
        recognizers = [pinch, drags, wheelPan, longPress, doubleClicks, repeats, clicks]
        // The wheel is for the volume, in both halves.
        drags.drivenByScroll = false
        clicks.requireFailure(of: doubleClicks)
        for recognizer in recognizers { recognizer.delegate = self }
        for tap in [clicks, doubleClicks, repeats] { tap.onChange = { [weak self] in self?.tapChanged($0) } }
        longPress.onChange = { [weak self] _ in self?.longPressChanged() }
        drags.onChange = { [weak self] _ in self?.dragChanged() }
        wheelPan.onChange = { [weak self] _ in self?.wheelPanChanged() }
        pinch.onChange = { [weak self] _ in self?.pinchChanged() }
    }

    /// Whether `gesture` may begin at `point`, in window points: it is not turned off, nothing is locked, and
    /// `shouldTrigger` has nothing against it. It is thereby asked; a page asks so, once, when a drag of its begins.
    public func allows(_ gesture: VideoGesture, at point: Point) -> Bool {
        isOn(gesture) && shouldTrigger?(gesture, point) != false
    }

    /// Whether a level or the video itself is dragged, a long press held, two fingers are down or the wheel seeks: no time for controls to go.
    public var isActive: Bool { levelDrag != nil || isDismissing || isLongPressed || isPinched || seek != nil }

    /// Whatever is under way is over: another film plays.
    public func cancel() {
        // The double click after the click, which would else take that for a no.
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

    // MARK: - Places

    /// What a double click at `point` is; nil where it is nothing.
    func doubleClick(at point: Point) -> VideoGesture? {
        if let outer = outerDoubleClick(at: point), isOn(outer) { return outer }
        return isOn(.doubleClick) ? .doubleClick : nil
    }

    func outerDoubleClick(at point: Point) -> VideoGesture? {
        guard !frame.size.isEmpty else { return nil }
        let quarter = frame.size.width * Self.quarterFraction
        if point.x < frame.minX + quarter { return .doubleClickLeft }
        return point.x >= frame.maxX - quarter ? .doubleClickRight : nil
    }

    /// Whether a drag down from `point` draws the video down.
    func canDismiss(from point: Point) -> Bool {
        let third = frame.size.width * Self.thirdFraction
        guard !frame.size.isEmpty, isOn(.dismissDrag), point.x >= frame.minX + third, point.x < frame.maxX - third
        else { return false }
        return canDismiss?() ?? false
    }

    /// What a vertical drag from `point` is that changes a level.
    func levelDrag(at point: Point) -> VideoGesture {
        point.x < frame.minX + frame.size.width / 2 ? .brightnessDrag : .volumeDrag
    }
}
