public import Geometry
public import Layers
import Platform
public import Rendering
public import Time

/// The program that a frame loop runs: it handles events and decides what is drawn. Main thread.
@MainActor public protocol FrameLoopClient: AnyObject {
    /// The windows besides the loop's own. They may come and go at any time.
    var secondaryWindows: [any FrameLoopWindow] { get }
    /// Handles one event of the loop's own window. Called in order.
    func handle(_ event: WindowEvent, now: HostTime)
    /// Handles the passing of time, and results of other threads.
    func advance(to now: HostTime)
    /// The measured refresh rate of the display with the video has changed, in Hz; nil if it is unknown or varies.
    func displayRateChanged(to rate: Double?)
    /// When the next video frame is due; nil if there is none.
    var nextFrameDue: HostTime? { get }
    /// When `advance` must be called again if nothing happens before.
    func nextWake(now: HostTime) -> HostTime?
    /// Whether something moves at the display's rate.
    var isAnimating: Bool { get }
    /// Whether the loop's own display refreshes when a frame arrives, instead of at a fixed rate.
    var usesVariableRefresh: Bool { get }
    /// Whether the window is out of date.
    var needsRedraw: Bool { get }
    /// Whether the window has jumped, so that its content is misplaced. It is then drawn immediately, even between two
    /// ticks of an animation.
    var needsImmediateRelayout: Bool { get }
    /// Drops the video frames that are due by `time`, since no window is visible.
    func skip(to time: HostTime)
    /// Takes the newest video frame due by `framesBy` and uploads it, for a draw that will be visible at `time`. Called
    /// once per draw, before layout, with the context of the loop's own window current.
    ///
    /// - Returns: Whether there was a frame.
    func update(visibleAt time: HostTime, framesBy: HostTime) -> Bool
    /// When the last video frame taken was due; nil if it had no due time.
    var takenFrameDue: HostTime? { get }
    /// Whether drawing the loop's own window now would change its appearance. Not called if `needsRedraw` is true.
    func wantsDraw(hasNewFrame: Bool) -> Bool
    /// Lays out the loop's own window for `time`, when it will be visible. May be called again for the same frame if
    /// the window has changed; `bringPicture` and `compose` follow each time.
    func layout(scale: Double, visibleAt time: HostTime)
    /// Uploads the video frame that was taken, if `update` could not because its size on screen has changed or was
    /// unknown.
    func bringPicture()
    /// Appends the layout to `list`.
    func compose(_ list: inout DisplayList, scale: Double, visibleAt time: HostTime)
    /// The target that holds the frames of a surface in the list; nil if there is none.
    func videoTarget(for surface: SurfaceID) -> (any VideoTarget)?
    /// The surface with the frames that `update` takes; nil if there is none.
    var videoSurface: SurfaceID? { get }
    /// Called when the frame is drawn and about to be shown: its pixels can still be read back.
    func willPresent(_ pixels: PixelSize)
    /// Called when the frame is visible, from `time` on as far as is known.
    func didPresent(at time: HostTime)
    /// Called when the frame was left out and no part of it was drawn. It is composed again later.
    func didLeaveOut()
    /// The film, for a thread that shows it while the main thread is late; nil if there is none.
    var lateFilm: (any LateFilm)? { get }
    /// Whether the loop ends.
    var isFinished: Bool { get }
    /// The error with which the loop ends; nil if there is none.
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
    public var lateFilm: (any LateFilm)? { nil }
}
