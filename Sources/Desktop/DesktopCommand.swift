/// A request from the desktop, for example from a media key or a phone.
package enum DesktopCommand: Hashable, Sendable {
    case play
    case pause
    case playPause
    case stop
    case next
    case previous
    /// Seeks by an offset from the current position, to the beginning at the earliest.
    case seek(by: Duration)
    /// Seeks to a position, measured from the beginning of the media.
    case setPosition(Duration)
    /// Sets the volume, from 0 to `DesktopSession.loudest`. 1 is the original level.
    case setVolume(Double)
    /// Sets the playback speed, within `DesktopState.rates`.
    case setRate(Double)
    /// Shows the window.
    case raise
    case quit
    /// Opens a URL, such as `file:///home/me/film.mkv`. The URL's scheme is one of `DesktopSession.Identity.schemes`.
    case open(String)
}
