public import Layers
public import Time

/// The film as used by the film thread, which shows its frames while the main thread is late.
///
/// Threads: the film thread, which holds `RenderLock` when it calls `update` and `didShow`. `surface` may be read on
/// any thread.
public protocol LateFilm: AnyObject, Sendable {
    /// The surface that shows the film in display lists.
    var surface: SurfaceID { get }
    /// When the next frame is due; nil if none is decoded yet, or if the film is not playing.
    var nextDue: HostTime? { get }
    /// Whether the film is playing, so that another frame will become due.
    var isRunning: Bool { get }
    /// Takes the newest frame that is due by `time` and uploads it to the film's target. Returns whether that
    /// succeeded; false if no frame is due.
    func update(by time: HostTime) -> Bool
    /// Called after `update`: the frame becomes visible at `time`. Nil if it was uploaded but not shown.
    func didShow(at time: HostTime?)
}
