/// What the desktop asks for: a media key, a panel's button, a phone. A value; any thread.
public enum DesktopCommand: Hashable, Sendable {
    case play
    case pause
    case playPause
    case stop
    case next
    case previous
    /// By so much from where it is; it leads to nowhere before the beginning.
    case seek(by: Duration)
    /// To a place within what is open.
    case setPosition(Duration)
    /// 0…`DesktopSession.loudest`.
    case setVolume(Double)
    /// Within `DesktopState.rates`.
    case setRate(Double)
    /// To show the window.
    case raise
    case quit
    /// To open an address: `file://…`, `http://…`.
    case open(String)
}
