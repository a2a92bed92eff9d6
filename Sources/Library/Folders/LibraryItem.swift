public import Media
public import Platform

/// A media file or subfolder in a folder.
public struct LibraryItem: Hashable, Sendable, Identifiable {
    /// The item's path, which identifies the item even after the file's content has changed.
    public var id: FilePath { path }
    /// The path of the media file or subfolder.
    public var path: FilePath
    /// The name of the file or subfolder, made safe to show on one line.
    public var displayName: String
    /// The kind of media, according to the file extension; `folder` for a subfolder.
    public var kind: LibraryItemKind
    /// The file size in bytes; 0 for a folder.
    public var byteCount: Int
    /// The modification time of the file or subfolder.
    public var modified: FileTime

    /// Whether this item and `other` have the same path, kind, size and modification time.
    func isUnchanged(since other: LibraryItem) -> Bool {
        path == other.path && byteCount == other.byteCount && modified == other.modified && kind == other.kind
    }
}
