public import GlissadeGeometry
public import GlissadeLayers
import GlissadePlatform
public import GlissadeRendering
public import GlissadeTime

/// The program that a frame loop runs. It handles events and decides what is drawn. Main thread.
@MainActor public protocol FrameLoopClient: AnyObject {
    /// The windows other than the main window. The list may change at any time.
    var secondaryWindows: [any FrameLoopWindow] { get }
    /// Handles one event of the main window. Events arrive in order.
    func handle(_ event: WindowEvent, now: HostTime)
    /// Advances the program to `now` and collects results from other threads. Called in each iteration of the loop.
    func advance(to now: HostTime)
    /// Called when the measured refresh rate of the display that paces the video has changed. `rate` is in Hz; nil if
    /// the rate is unknown or variable.
    func displayRateChanged(to rate: Double?)
    /// When the next video frame is due; nil if there is none.
    var nextFrameDue: HostTime? { get }
    /// The latest time by which `advance` must be called again; nil if there is none.
    func nextWake(now: HostTime) -> HostTime?
    /// Whether an animation needs a draw at every refresh.
    var isAnimating: Bool { get }
    /// Whether the main window's display refreshes whenever a frame arrives, rather than at a fixed rate.
    var usesVariableRefresh: Bool { get }
    /// Whether the main window is out of date and must be redrawn at once.
    var needsRedraw: Bool { get }
    /// Whether the main window's content is misplaced after a sudden change of the window's size. If true, a redraw
    /// does not wait for the next tick of an animation.
    var needsImmediateRelayout: Bool { get }
    /// Drops the video frames that are due by `time`. Called while no window is visible.
    func skip(to time: HostTime)
    /// Takes the newest video frame that is due by `framesBy` and uploads it. `time` is when the frame will be visible.
    /// Called at most once per draw, before layout, while the main window's context is current.
    ///
    /// - Returns: Whether a frame was taken.
    func update(visibleAt time: HostTime, framesBy: HostTime) -> Bool
    /// The due time of the frame that the last `update` took; nil if the frame has no due time, or if no frame was
    /// taken.
    var takenFrameDue: HostTime? { get }
    /// Whether drawing the main window now would change its appearance.
    ///
    /// - Parameter hasNewFrame: Whether a video frame was taken for this draw.
    func wantsDraw(hasNewFrame: Bool) -> Bool
    /// Lays out the main window for a frame that becomes visible at `time`. After each call, the loop calls
    /// `bringPicture` and `compose`. If the window changes before the frame is shown, all three are called again for
    /// the same frame.
    func layout(scale: Double, visibleAt time: HostTime)
    /// Uploads the current video frame if its size on screen was unknown at `update`, or has changed since then.
    func bringPicture()
    /// Replaces the items of `list` with items that draw the current layout.
    func compose(_ list: inout DisplayList, scale: Double, visibleAt time: HostTime)
    /// Returns the target that holds the frames of a surface in the display list; nil if the surface has no target.
    func videoTarget(for surface: SurfaceID) -> (any VideoTarget)?
    /// The surface that shows the frames taken by `update`; nil if there is no video.
    var videoSurface: SurfaceID? { get }
    /// Called just before a frame of the main window is shown, while the frame can still be read back. `pixels` is the
    /// frame's size.
    func willPresent(_ pixels: PixelSize)
    /// Called after a frame of the main window has been shown. `time` is the best estimate of when the frame becomes
    /// visible.
    func didPresent(at time: HostTime)
    /// Called when a frame of the main window was skipped because the renderer could not draw it. The loop composes the
    /// frame again later.
    func didLeaveOut()
    /// The film that the film thread shows while the main thread is late; nil if there is none.
    var filmThreadSource: (any FilmThreadSource)? { get }
    /// Whether the loop should end.
    var isFinished: Bool { get }
    /// The error that ends the loop; nil if there is none.
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
