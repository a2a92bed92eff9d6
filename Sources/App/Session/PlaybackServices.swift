import GlissadePlayback
import GlissadePresentation
import GlissadeRendering

/// The services needed to play a file. Main thread.
@MainActor struct PlaybackServices {
    var renderer: any Renderer
    let log: FrameLog
    let console: Console
    /// The play history; nil if it is off.
    let history: PlayHistory?
    /// Wakes the frame loop. Callable from any thread.
    let wake: @Sendable () -> Void

    /// Opens the media at a path or URL in the background.
    func open(_ location: String, options: PlayerOptions) -> MediaItem {
        MediaItem(location, options: options, console: console, history: history, wake: wake)
    }
}
