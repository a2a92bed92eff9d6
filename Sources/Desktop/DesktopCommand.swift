/// A request from the desktop: a media key, a panel's button, a phone. A value; any thread.
public enum DesktopCommand: Hashable, Sendable {
    case play
    case pause
    case playPause
    case stop
    case next
    case previous
    /// Relative to the current position; stops at the beginning.
    case seek(by: Duration)
    /// To a position in the open medium.
    case setPosition(Duration)
    /// 0…`DesktopSession.loudest`.
    case setVolume(Double)
    /// Within `DesktopState.rates`.
    case setRate(Double)
    /// Show the window.
    case raise
    case quit
    /// Open an address: `file://…`, `http://…`.
    case open(String)
}
