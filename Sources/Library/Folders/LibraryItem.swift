public import Media
public import Platform

/// A media file or subfolder in a folder. A value; any thread.
public struct LibraryItem: Hashable, Sendable, Identifiable {
    /// The path: stable when the folder's order or the file's content changes.
    public var id: FilePath { path }
    /// The path, which identifies the item.
    public var path: FilePath
    /// The name as a single line of displayable text.
    public var displayName: String
    /// The kind, judged by its name.
    public var kind: LibraryItemKind
    /// The file size in bytes; 0 for a folder.
    public var byteCount: Int
    /// When its content last changed.
    public var modified: FileTime

    /// Whether this is the same unchanged file as `other`, judged by size and modification time.
    func isUnchanged(since other: LibraryItem) -> Bool {
        path == other.path && byteCount == other.byteCount && modified == other.modified && kind == other.kind
    }
}
