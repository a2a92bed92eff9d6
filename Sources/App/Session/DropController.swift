import GlissadeTime

/// Opens files and folders that the user drops on the window or opens from the desktop: plays media, and adds subtitles
/// and comments to the current video. Main thread.
@MainActor final class DropController: Advancing {
    private let playback: PlaybackController
    private let pages: Pages
    private let navigator: PageNavigator
    private let tracks: TrackController
    private let comments: CommentController
    private let console: Console
    private let files: DroppedFiles
    /// Called before dropped media starts playing, to reopen the main window if it is closed.
    var onPlay: (@MainActor () -> Void)?

    init(
        playback: PlaybackController, pages: Pages, navigator: PageNavigator, tracks: TrackController,
        comments: CommentController, services: PlaybackServices
    ) {
        self.playback = playback
        self.pages = pages
        self.navigator = navigator
        self.tracks = tracks
        self.comments = comments
        console = services.console
        files = DroppedFiles(wake: services.wake)
    }

    /// Starts opening files, folders and URLs. A background thread examines them first, because disks may be slow.
    /// After that, `advance` opens them.
    func open(_ locations: [String]) { files.expand(locations) }

    /// Opens what has been examined.
    func advance(to now: HostTime) -> Bool {
        while let drop = files.take() { open(drop, now: now) }
        return false
    }

    private func open(_ drop: DroppedFiles.Drop, now: HostTime) {
        for failure in drop.failures { console.error("\(failure)") }
        if !drop.media.isEmpty {
            playback.setOpenedByUser()
            onPlay?()
            playback.play(Playlist(drop.media), keepsPicture: true, now: now)
            navigator.bringPlayer(animated: pages.stack.top !== pages.playerPage, now: now)
        }
        for file in drop.subtitles { tracks.addSubtitles(file, now: now) }
        if let file = drop.comments.last { comments.open(file, now: now) }
        if let first = drop.failures.first {
            pages.playerPage?.tell(.broken, "\(PlaybackSession.name(of: first.location)): \(first.reason)", now: now)
        }
    }
}
