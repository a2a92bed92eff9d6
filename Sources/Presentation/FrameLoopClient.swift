public import Geometry
public import Layers
import Platform
public import Rendering
public import Time

/// The program that a frame loop runs: it handles events and decides what is drawn. Main thread.
@MainActor public protocol FrameLoopClient: AnyObject {
    /// The windows besides the main window. May change at any time.
    var secondaryWindows: [any FrameLoopWindow] { get }
    /// Handles one event of the main window. Events arrive in order.
    func handle(_ event: WindowEvent, now: HostTime)
    /// Advances the program to `now` and takes results of other threads. Called in each iteration of the loop.
    func advance(to now: HostTime)
    /// Called when the measured refresh rate of the display that paces the video has changed. `rate` is in Hz; nil if
    /// the rate is unknown or variable.
    func displayRateChanged(to rate: Double?)
    /// When the next video frame is due; nil if there is none.
    var nextFrameDue: HostTime? { get }
    /// When `advance` must be called again at the latest; nil if no time is set.
    func nextWake(now: HostTime) -> HostTime?
    /// Whether an animation needs a draw at every refresh.
    var isAnimating: Bool { get }
    /// Whether the main window's display refreshes when a frame arrives, instead of at a fixed rate.
    var usesVariableRefresh: Bool { get }
    /// Whether the main window is out of date and must be redrawn at once.
    var needsRedraw: Bool { get }
    /// Whether the main window's size has jumped, so that its content is misplaced. The window is then drawn
    /// immediately, even between two ticks of an animation.
    var needsImmediateRelayout: Bool { get }
    /// Drops the video frames that are due by `time`. Called while no window is visible.
    func skip(to time: HostTime)
    /// Takes the newest video frame due by `framesBy` and uploads it, for a draw that will be visible at `time`.
    /// Called at most once per draw, before layout, while the main window's context is current.
    ///
    /// - Returns: Whether there was a frame.
    func update(visibleAt time: HostTime, framesBy: HostTime) -> Bool
    /// The due time of the frame that the last `update` took; nil if the frame has none, or if no frame was taken.
    var takenFrameDue: HostTime? { get }
    /// Whether drawing the main window now would change its appearance.
    ///
    /// - Parameter hasNewFrame: Whether a video frame was taken for this draw.
    func wantsDraw(hasNewFrame: Bool) -> Bool
    /// Lays out the main window as it will be visible at `time`. Called again for the same frame if the window
    /// changes in the meantime. `bringPicture` and `compose` follow each call.
    func layout(scale: Double, visibleAt time: HostTime)
    /// Uploads the current video frame if its size on screen has changed since `update`, or was unknown then.
    func bringPicture()
    /// Replaces the items of `list` with those of the layout.
    func compose(_ list: inout DisplayList, scale: Double, visibleAt time: HostTime)
    /// The target that holds the frames of a surface in the display list; nil if there is none.
    func videoTarget(for surface: SurfaceID) -> (any VideoTarget)?
    /// The surface that shows the frames taken by `update`; nil without video.
    var videoSurface: SurfaceID? { get }
    /// Called just before a frame of the main window is shown, while it can still be read back. `pixels` is the frame's
    /// size.
    func willPresent(_ pixels: PixelSize)
    /// Called after a frame of the main window was shown. `time` is the best estimate of when it becomes visible.
    func didPresent(at time: HostTime)
    /// Called when a frame of the main window was skipped because the renderer could not draw it. It is composed
    /// again later.
    func didLeaveOut()
    /// The film as used by the film thread while the main thread is late; nil if there is none.
    var filmThreadSource: (any FilmThreadSource)? { get }
    /// Whether the loop should end.
    var isFinished: Bool { get }
    /// The error to end the loop with; nil if there is none.
    var failure: RenderingError? { get }
}

extension FrameLoopClient {
    public var secondaryWindows: [any FrameLoopWindow] { [] }
    public var usesVariableRefresh: Bool { false }
    public func displayRateChanged(to rate: Double?) {}
    public func wantsDraw(hasNewFrame: Bool) -> Bool { true }
    public var needsImmediateRelayout: Bool { false }
    public func layout(scale: Double, visibleAt time: HostTime) {}
    public func bringPicture() {}
    public var videoSurface: SurfaceID? { nil }
    public func didLeaveOut() {}
    public var takenFrameDue: HostTime? { nil }
    public var failure: RenderingError? { nil }
    public var filmThreadSource: (any FilmThreadSource)? { nil }
}
