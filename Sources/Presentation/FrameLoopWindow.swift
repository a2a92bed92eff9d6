public import Layers
import Platform
public import Rendering
public import Time

/// A window besides the loop's own, and its content. Main thread.
@MainActor public protocol FrameLoopWindow: AnyObject {
    /// The window. Its swaps do not wait for the display (`Window.setSwapInterval`).
    var surface: any FrameSurface { get }
    /// Made by `makeSibling` of the loop's own renderer; with OpenGL, while the surface's context was current.
    var renderer: any Renderer { get }
    /// Handles one event of the window. Called in order.
    func handle(_ event: WindowEvent, now: HostTime)
    /// Handles the passing of time.
    func advance(to now: HostTime)
    /// Whether something in it moves at the display's rate.
    var isAnimating: Bool { get }
    /// Whether it must be drawn at once.
    var needsRedraw: Bool { get }
    /// When `advance` must be called again if nothing happens before.
    func nextWake(now: HostTime) -> HostTime?
    /// Whether drawing it now would change its appearance.
    ///
    /// - Parameter hasNewFrame: Whether a video frame was taken for this draw.
    func wantsDraw(hasNewFrame: Bool) -> Bool
    /// Appends what will be visible at `time` to `list`. May be called again for the same frame if the window has
    /// changed.
    func compose(_ list: inout DisplayList, scale: Double, visibleAt time: HostTime)
    /// The target that holds the frames of a surface in the list; nil if there is none.
    func videoTarget(for surface: SurfaceID) -> (any VideoTarget)?
    /// Called when the frame is visible, from `time` on as far as is known.
    func didPresent(at time: HostTime)
}
