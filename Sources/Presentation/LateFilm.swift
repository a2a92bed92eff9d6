public import Layers
public import Time

/// The film, for the thread that shows it while the main thread is late.
///
/// Threads: the film thread, which holds `RenderLock`.
public protocol LateFilm: AnyObject, Sendable {
    /// The surface in display lists whose target has the film's frames.
    var surface: SurfaceID { get }
    /// When the next frame is due; nil if there is none, or if the film does not run.
    var nextDue: HostTime? { get }
    /// Whether the film runs, so that another frame will be due.
    var isRunning: Bool { get }
    /// Takes the newest frame that is due by `time` and makes it the picture of the film's target. Returns whether there
    /// was one.
    func update(by time: HostTime) -> Bool
    /// The frame is on screen from `time` on; nil if it was left out, and is only the target's picture.
    func didShow(at time: HostTime?)
}
