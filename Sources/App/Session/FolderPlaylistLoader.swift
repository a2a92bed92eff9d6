import GlissadeLibrary
import GlissadePlatform

/// Loads the playlist for a file that was opened alone: the media in the file's folder, in natural order.
///
/// Main thread. Folders are read on a background thread, which calls `wake`.
@MainActor final class FolderPlaylistLoader {
    struct Found: Sendable {
        /// The path or URL of the file for which the list was loaded.
        var location: String
        /// The folder's media, with the file as the current entry; nil if the folder cannot be read or lacks the
        /// file.
        var list: Playlist?
        /// The number of entries to skip, as passed to `find`; negative to skip backward.
        var step: Int
    }

    private let finished: Mailbox<Found>

    init(wake: @escaping @Sendable () -> Void) { finished = Mailbox(wake: wake) }

    /// Starts loading the playlist of a file's folder. `take` returns the playlist, together with `step`, once it is
    /// loaded.
    func find(around location: String, skip step: Int) {
        let path = LibraryFolder.absolute(location)
        let isStarted = NamedThread.detach(name: "folder list") { [finished] in
            finished.put(Found(location: location, list: Self.list(around: path), step: step))
        }
        if !isStarted { finished.put(Found(location: location, list: nil, step: step)) }
    }

    /// Takes the oldest result; nil if there is none.
    func take() -> Found? { finished.take() }

    private nonisolated static func list(around path: BytePath) -> Playlist? {
        let media = ((try? Folder(path.parent).entries()) ?? []).filter { $0.kind != .folder }
        guard let place = media.firstIndex(where: { $0.path == path }) else { return nil }
        return Playlist(media.map(\.path.location), at: place)
    }
}
