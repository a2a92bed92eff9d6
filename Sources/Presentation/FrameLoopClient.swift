public import Geometry
public import Layers
import Platform
public import Rendering
public import Time

/// What the frame loop runs: takes in what happens, and says what there is to see.
@MainActor public protocol FrameLoopClient: AnyObject {
    /// Windows beside the loop's own; they may come and go at any time.
    var secondaryWindows: [any FrameLoopWindow] { get }
    /// One thing that happened, in its order.
    func handle(_ event: WindowEvent, now: HostTime)
    /// Time has passed; news from threads may have come.
    func advance(to now: HostTime)
    /// When the next video frame is to be seen.
    var nextFrameDue: HostTime? { get }
    /// When `advance` must be called again in any case.
    func nextWake(now: HostTime) -> HostTime?
    /// Whether something moves that wants the display's rate.
    var isAnimating: Bool { get }
    /// Whether something has changed that is not on screen yet.
    var needsRedraw: Bool { get }
    /// Whether what is on screen lies where it does not belong, in a window that has jumped: it is drawn at once, between
    /// two ticks of what moves.
    var needsImmediateRelayout: Bool { get }
    /// Nobody sees any window: lets go of the frames that are due by `time`.
    func skip(to time: HostTime)
    /// Takes the newest video frame that is due by `framesBy` and brings it where it is drawn from, for a draw that will be
    /// seen at `time`; whether there was one. Called once a draw, before anything is composed, with the loop's own context current.
    func update(visibleAt time: HostTime, framesBy: HostTime) -> Bool
    /// When the video frame that was taken last was due; nil where it had no time of its own.
    var takenFrameDue: HostTime? { get }
    /// Whether a draw now would change what the loop's own window shows. It is drawn in any case where it needs that.
    func wantsDraw(hasNewFrame: Bool) -> Bool
    /// Lays out what is to be seen at `time` in the loop's own window. May be called again for the same frame, where the
    /// window has changed meanwhile; `bringPicture` and `compose` follow each time.
    func layout(scale: Double, visibleAt time: HostTime)
    /// Brings the video frame that was taken where it is drawn from, unless `update` could do so: the size in which it is
    /// seen has changed, or was not known.
    func bringPicture()
    /// Lists what was laid out.
    func compose(_ list: inout DisplayList, scale: Double, visibleAt time: HostTime)
    /// The picture for a surface of the list.
    func videoTarget(for surface: SurfaceID) -> (any VideoTarget)?
    /// The frame was drawn and is about to be shown: it can still be read back.
    func willPresent(_ pixels: PixelSize)
    /// The frame is on screen since `time`.
    func didPresent(at time: HostTime)
    /// The frame will not be seen, and nothing of it was drawn. It is composed again later.
    func didLeaveOut()
    /// Whether the loop is to end.
    var isFinished: Bool { get }
    /// What kept a picture from being brought to the GPU, where the loop is to end with that.
    var failure: RenderingError? { get }
}

extension FrameLoopClient {
    public var secondaryWindows: [any FrameLoopWindow] { [] }
    public func wantsDraw(hasNewFrame: Bool) -> Bool { true }
    public var needsImmediateRelayout: Bool { false }
    public func layout(scale: Double, visibleAt time: HostTime) {}
    public func bringPicture() {}
    public func didLeaveOut() {}
    public var takenFrameDue: HostTime? { nil }
    public var failure: RenderingError? { nil }
}

/// Something that a frame loop can be run on: where it draws, and where its events come from.
@MainActor public protocol FrameSurface: DrawableSurface {
    /// Hands over what has happened since the last call.
    func drainEvents(into taken: inout [WindowEvent])
    /// Sleeps until an event, a wake-up from another thread, or `deadline`; nil waits for as long as it takes, a deadline
    /// that has passed only looks.
    func wait(until deadline: HostTime?)
    /// Sleeps until then, whatever happens: the few milliseconds for which a picture is held that is ready before it is due.
    func hold(until time: HostTime)
    /// Takes note of where the window is and how large: what is drawn next is for that. False where events that say so have
    /// not been taken yet.
    func beginFrame() -> Bool
    /// Whether that is still so, as the window system has it: asked right before a swap.
    var isCurrent: Bool { get }
    /// When `look` is to be called though nothing is drawn; nil where it need not be.
    var nextLook: HostTime? { get }
    /// Hands over the refreshes that the display has reported since the last call; none where it reports none.
    func takeRefreshes(into taken: inout [DisplayClock.Refresh])
    /// Asks the display to report the `count` refreshes that follow, beside those at which frames are shown.
    ///
    /// - Parameter last: the number of the last refresh reported; nil where there is none.
    func requestRefreshes(_ count: Int, after last: Int64?)
    /// Sees what the window system has made of the window since, of which no event may tell.
    func look(at now: HostTime)
}

extension FrameSurface {
    public func hold(until time: HostTime) { time.sleep() }
    public func beginFrame() -> Bool { true }
    public var isCurrent: Bool { true }
    public var nextLook: HostTime? { nil }
    public func look(at now: HostTime) {}
    public func takeRefreshes(into taken: inout [DisplayClock.Refresh]) {}
    public func requestRefreshes(_ count: Int, after last: Int64?) {}
}
