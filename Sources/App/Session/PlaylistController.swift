import GlissadeLibrary
import GlissadeMedia
import GlissadeTime

/// Plays the next or previous entry of the playlist. For a file that was opened alone, the media in its folder become
/// the playlist. Main thread.
@MainActor final class PlaylistController: Advancing {
    private let playback: PlaybackController
    private let pages: Pages
    private let history: HistoryController
    private let folders: FolderPlaylistLoader

    init(
        playback: PlaybackController, pages: Pages, history: HistoryController, wake: @escaping @Sendable () -> Void
    ) {
        self.playback = playback
        self.pages = pages
        self.history = history
        folders = FolderPlaylistLoader(wake: wake)
    }

    func skip(by step: Int, now: HostTime) {
        guard let session = playback.session else { return }
        if hasPlaylist(session) {
            skip(session, by: step, now: now)
        } else {
            // Reading the folder may take a while. `advance` carries out the skip once the playlist is known.
            folders.find(around: session.location, skip: step)
        }
    }

    /// Carries out the waiting skips whose folders have been read, successfully or not. Drops a skip if another file
    /// has become the current one.
    func advance(to now: HostTime) -> Bool {
        while let found = folders.take() {
            guard let session = playback.session, session.location == found.location else { continue }
            if session.playlist.locations.count == 1, let list = found.list { session.continueIn(list) }
            skip(session, by: found.step, now: now)
            playback.stateChanged(now: now)
        }
        return false
    }

    private func skip(_ session: PlaybackSession, by step: Int, now: HostTime) {
        history.recordLast(session, now: now)
        if session.skip(by: step) {
            playback.sessionChanged(now: now)
        } else {
            pages.playerPage?.tell(
                step > 0 ? .next : .previous, step > 0 ? "End of playlist" : "Start of playlist", now: now)
        }
    }

    /// Returns whether the session's playlist is known.
    ///
    /// For a file that was opened alone, first tries to take the playlist from a library page that has already read the
    /// file's folder.
    private func hasPlaylist(_ session: PlaybackSession) -> Bool {
        guard session.playlist.locations.count == 1, !isAddress(session.location) else { return true }
        let path = LibraryFolder.absolute(session.location)
        for case let library as LibraryPage in pages.stack.pages.reversed() {
            guard let list = library.rows.playlist(from: path) else { continue }
            session.continueIn(list)
            return true
        }
        return false
    }
}
