public import Layers
public import Time

/// The film as used by the film thread, which shows its frames while the main thread is late.
///
/// Threads: the film thread calls `update` and `didShow` while it holds `RenderLock`. The properties may be read on
/// any thread.
public protocol FilmThreadSource: AnyObject, Sendable {
    /// The surface that shows the film in display lists.
    var surface: SurfaceID { get }
    /// When the next frame is due; nil if none is decoded yet, or if the film is not playing.
    var nextDue: HostTime? { get }
    /// Whether the film is playing, so that another frame will become due.
    var isRunning: Bool { get }
    /// Takes the newest frame that is due by `time` and uploads it to the film's target. Returns false if no frame is
    /// due, or if it cannot be uploaded.
    func update(by time: HostTime) -> Bool
    /// Records that the frame uploaded by the last `update` becomes visible at `time`; nil if it was not shown.
    func didShow(at time: HostTime?)
}
