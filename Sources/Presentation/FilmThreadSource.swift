public import GlissadeLayers
public import GlissadeTime

/// A film whose frames the film thread shows while the main thread is late.
///
/// Threads: the film thread calls `update` and `didShow` while it holds `RenderLock`. The properties may be read on any
/// thread.
public protocol FilmThreadSource: AnyObject, Sendable {
    /// The surface that stands for the film in display lists.
    var surface: SurfaceID { get }
    /// When the next frame is due; nil if no frame has been decoded yet, or if the film is not playing.
    var nextDue: HostTime? { get }
    /// Whether the film is playing, so that another frame will become due.
    var isRunning: Bool { get }
    /// Takes the newest frame that is due by `time` and uploads it to the film's target. Returns false if no frame is
    /// due, or if the frame cannot be uploaded.
    func update(by time: HostTime) -> Bool
    /// Records when the frame uploaded by the last `update` becomes visible. `time` is nil if the frame was not shown.
    func didShow(at time: HostTime?)
}
