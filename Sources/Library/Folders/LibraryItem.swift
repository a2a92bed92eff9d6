public import Media
public import Platform

/// A media file or subfolder in a folder. A value; any thread.
public struct LibraryItem: Hashable, Sendable, Identifiable {
    /// The path, which stays the same when the folder's order or the file's content changes.
    public var id: FilePath { path }
    /// The path of the file or subfolder, which identifies the item.
    public var path: FilePath
    /// The name as a single line of displayable text.
    public var displayName: String
    /// Whether the item is a folder; if not, its kind of media, judged by its name.
    public var kind: LibraryItemKind
    /// The file size in bytes; 0 for a folder.
    public var byteCount: Int
    /// The time of the last change to the content.
    public var modified: FileTime

    /// Whether the item is the same unchanged file as `other`, judged by its kind, size and modification time.
    func isUnchanged(since other: LibraryItem) -> Bool {
        path == other.path && byteCount == other.byteCount && modified == other.modified && kind == other.kind
    }
}
