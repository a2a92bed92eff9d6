public import Layers
import Platform
public import Rendering
public import Time

/// A window beside the loop's own, and what is seen in it. Main thread.
@MainActor public protocol FrameLoopWindow: AnyObject {
    /// Where it is drawn, and where its events come from. Its swaps wait for no display (`Window.setSwapInterval`).
    var surface: any FrameSurface { get }
    /// Made with `makeSibling` of the loop's own; where it draws by OpenGL, while the surface's context was current.
    var renderer: any Renderer { get }
    /// One thing that happened to its window, in its order.
    func handle(_ event: WindowEvent, now: HostTime)
    /// Time has passed.
    func advance(to now: HostTime)
    /// Whether something in it moves that wants the display's rate.
    var isAnimating: Bool { get }
    /// Whether it is to be drawn at once.
    var needsRedraw: Bool { get }
    /// When `advance` must be called again in any case.
    func nextWake(now: HostTime) -> HostTime?
    /// Whether a draw now would change what it shows; `hasNewFrame`: a video frame was taken for this draw. A pane that
    /// says no is left alone.
    func wantsDraw(hasNewFrame: Bool) -> Bool
    /// What is to be seen at `time`. May be called again for the same frame, where the window has changed meanwhile.
    func compose(_ list: inout DisplayList, scale: Double, visibleAt time: HostTime)
    /// The picture for a surface of the list.
    func videoTarget(for surface: SurfaceID) -> (any VideoTarget)?
    /// What it drew is on screen since `time`.
    func didPresent(at time: HostTime)
}
