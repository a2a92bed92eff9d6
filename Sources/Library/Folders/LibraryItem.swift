public import Media
public import Platform

/// A media file or subfolder in a folder. A value; any thread.
public struct LibraryItem: Hashable, Sendable, Identifiable {
    /// The path, which identifies the item even if the folder's order or the file's content changes.
    public var id: FilePath { path }
    /// The path of the media file or subfolder.
    public var path: FilePath
    /// The file's name as text that is safe to show on one line.
    public var displayName: String
    /// The kind of media, judged by the name; `folder` for a subfolder.
    public var kind: LibraryItemKind
    /// The file size in bytes; 0 for a folder.
    public var byteCount: Int
    /// The modification time of the file or subfolder.
    public var modified: FileTime

    /// Whether the item is the same, unchanged file as `other`, judged by its path, kind, size and modification time.
    func isUnchanged(since other: LibraryItem) -> Bool {
        path == other.path && byteCount == other.byteCount && modified == other.modified && kind == other.kind
    }
}
