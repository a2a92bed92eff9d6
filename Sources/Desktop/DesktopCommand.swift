/// A request from the desktop, for example from a media key, a panel's button or a phone. A value; any thread.
public enum DesktopCommand: Hashable, Sendable {
    case play
    case pause
    case playPause
    case stop
    case next
    case previous
    /// Seeks by an offset from the current position. A negative offset leads at most back to the beginning.
    case seek(by: Duration)
    /// Seeks to a position, counted from the beginning.
    case setPosition(Duration)
    /// Sets the volume, 0…`DesktopSession.loudest`. 1 is the original level.
    case setVolume(Double)
    /// Sets the playback speed, within `DesktopState.rates`.
    case setRate(Double)
    /// Shows the window.
    case raise
    case quit
    /// Opens a URL, such as `file:///home/me/film.mkv`. Its scheme is one of `DesktopSession.Identity.schemes`.
    case open(String)
}
