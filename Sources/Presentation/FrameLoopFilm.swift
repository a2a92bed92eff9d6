public import GlissadeLayers
public import GlissadeTime

/// The film that a frame loop shows: where its frames come from, and what is on screen of it. Main thread.
///
/// Where the film is seen is said by the client, which lays it out. How its frames get there is between the loop and
/// the film.
@MainActor public protocol FrameLoopFilm: AnyObject {
    /// The surface that stands for the film in display lists.
    var surface: SurfaceID { get }
    /// When the next frame is due; nil if there is none.
    var nextFrameDue: HostTime? { get }
    /// Takes the newest frame that is due by `time`. Returns nil if there is none.
    func take(by time: HostTime) -> TakenFrame?
    /// Uploads the newest frame for the film's size on screen, unless that has been done.
    ///
    /// - Parameter isLaidOut: Whether that size is up to date. If false during a transition, nothing is uploaded.
    func fit(isLaidOut: Bool)
    /// Called while `RenderLock` is held, right before what was drawn is shown.
    func willPresent()
    /// Gives up waiting for the frame that was taken last to be shown: it is not recorded, and decoding continues. It may
    /// still be drawn later if no newer frame comes.
    ///
    /// - Parameter isDropped: Whether the frame counts as dropped, because the display does not take frames. If not, the
    ///   film is hidden, and the frame does not count at all.
    func leaveOut(isDropped: Bool)
    /// Takes account of the last frames when the loop ends: one that was not shown is dropped.
    func end()
    /// Lets decoding continue although the frame that was taken last could not be shown yet. It is shown by the next draw,
    /// or replaced by the next frame.
    func postpone()
    /// Records that the frame that was taken last became visible at `time`. Does nothing without a new frame.
    func didPresent(at time: HostTime)
    /// The film as the film thread shows it while the main thread is late; nil if only the main thread may show it.
    var threadSource: (any FilmThreadSource)? { get }
}

/// A frame that a film has taken to be shown next.
public struct TakenFrame: Hashable, Sendable {
    /// When the frame was due; nil if it did not depend on the clock.
    public var due: HostTime?

    public init(due: HostTime?) { self.due = due }
}

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
