public import Media
public import Platform

/// A medium in a folder, or a folder in it. A value; any thread.
public struct LibraryItem: Hashable, Sendable, Identifiable {
    /// Which it is, whatever its folder's order or its content become: where it lies.
    public var id: FilePath { path }
    /// The path, which identifies the item.
    public var path: FilePath
    /// Its name in one line of text.
    public var displayName: String
    /// What it is, by its name.
    public var kind: LibraryItemKind
    /// The file's size; 0 for a folder.
    public var byteCount: Int
    /// When its content was last changed.
    public var modified: FileTime

    /// Whether another look at the same path found the same file unchanged, as far as size and time tell.
    func isUnchanged(since other: LibraryItem) -> Bool {
        path == other.path && byteCount == other.byteCount && modified == other.modified && kind == other.kind
    }
}
