public import GlissadeLayers
import GlissadePlatform
public import GlissadeRendering
public import GlissadeTime

/// A secondary window of a frame loop, and its content. Main thread.
@MainActor public protocol FrameLoopWindow: AnyObject {
    /// The window's surface. Its swap interval must be 0 (`Window.setSwapInterval`), so that swaps do not wait for
    /// the display.
    var surface: any FrameSurface { get }
    /// The window's renderer, created by calling `makeSibling` on the main window's renderer. With OpenGL, the context
    /// of `surface` must be current when the renderer is created.
    var renderer: any Renderer { get }
    /// Handles one event of the window. Events arrive in order.
    func handle(_ event: WindowEvent, now: HostTime)
    /// Advances the content to `now`. Called in each iteration of the loop.
    func advance(to now: HostTime)
    /// What the window wants now.
    var demand: WindowDemand { get }
    /// The latest time by which `advance` must be called again; nil if there is none.
    func nextWake(now: HostTime) -> HostTime?
    /// Replaces the items of `list` with items that draw the content for a frame that becomes visible at `time`. Called
    /// again for the same frame if the window changes before the frame is shown.
    func compose(_ list: inout DisplayList, scale: Double, visibleAt time: HostTime)
    /// Returns the target that holds the frames of a surface in the display list; nil if the surface has no target.
    func videoTarget(for surface: SurfaceID) -> (any VideoTarget)?
    /// Called after a frame has been shown. `time` is the best estimate of when the frame becomes visible.
    func didPresent(at time: HostTime)
}
