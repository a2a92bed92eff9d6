public import Media
public import Platform

/// A media file or subfolder in a folder. A value; any thread.
public struct LibraryItem: Hashable, Sendable, Identifiable {
    /// The path, which identifies the item even if the folder is sorted differently or the file's content changes.
    public var id: FilePath { path }
    /// The path of the media file or subfolder.
    public var path: FilePath
    /// The name of the file or subfolder, as text that is safe to show on one line.
    public var displayName: String
    /// The kind of media, according to the file extension; `folder` for a subfolder.
    public var kind: LibraryItemKind
    /// The file size in bytes; 0 for a folder.
    public var byteCount: Int
    /// The modification time of the file or subfolder.
    public var modified: FileTime

    /// Whether this is the same item as `other` and has not changed since, judged by path, kind, size and modification
    /// time.
    func isUnchanged(since other: LibraryItem) -> Bool {
        path == other.path && byteCount == other.byteCount && modified == other.modified && kind == other.kind
    }
}
