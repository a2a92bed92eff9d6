/// A request from the desktop, for example from a media key, a panel's button or a phone. A value; any thread.
public enum DesktopCommand: Hashable, Sendable {
    case play
    case pause
    case playPause
    case stop
    case next
    case previous
    /// Seeks relative to the current position; stops at the beginning.
    case seek(by: Duration)
    /// Seeks to a position in the open medium.
    case setPosition(Duration)
    /// Sets the volume, 0…`DesktopSession.loudest`.
    case setVolume(Double)
    /// Sets the playback speed, within `DesktopState.rates`.
    case setRate(Double)
    /// Shows the window.
    case raise
    case quit
    /// Opens an address: `file://…`, `http://…`.
    case open(String)
}
