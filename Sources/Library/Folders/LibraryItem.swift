import Glibc
package import GlissadeMedia
import GlissadePlatform

/// A media file or subfolder in a folder.
package struct LibraryItem: Hashable, Sendable, Identifiable {
    /// The item's path, which identifies the item even after the file's content has changed.
    package var id: BytePath { path }
    /// The path of the media file or subfolder.
    package var path: BytePath
    /// The name of the file or subfolder, made safe to show on one line.
    package var displayName: String
    /// The kind of media, according to the file extension; `folder` for a subfolder.
    package var kind: LibraryItemKind
    /// The file size in bytes; 0 for a folder.
    package var byteCount: Int
    /// The modification time of the file or subfolder.
    package var modified: FileTime

    /// Creates an item for a single media file, with its current size and modification time. Returns nil if there is no
    /// regular file at `path`. A file without a media extension counts as a video. Blocks, so it must not be called on
    /// the main thread.
    package init?(file path: BytePath) {
        var status = stat()
        guard path.withCString({ stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        self.init(
            path: path, displayName: path.displayName, kind: LibraryItemKind(fileName: path.name) ?? .video,
            byteCount: Int(status.st_size), modified: FileTime(status.st_mtim))
    }

    /// Creates an item from its properties.
    init(path: BytePath, displayName: String, kind: LibraryItemKind, byteCount: Int, modified: FileTime) {
        self.path = path
        self.displayName = displayName
        self.kind = kind
        self.byteCount = byteCount
        self.modified = modified
    }

    /// Whether this item and `other` have the same path, kind, size and modification time.
    func isUnchanged(since other: LibraryItem) -> Bool {
        path == other.path && byteCount == other.byteCount && modified == other.modified && kind == other.kind
    }
}
