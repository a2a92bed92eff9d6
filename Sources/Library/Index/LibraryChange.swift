/// A change that `LibraryIndex.drainChanges` has applied.
package enum LibraryChange: Hashable, Sendable {
    /// The folder was read: its items have changed, or the previous attempt to read it had failed.
    case entries
    /// The folder could not be read. The items found before remain.
    case failed(FolderError)
    /// A media file's summary, or the reason why it has none, is now known.
    case details(LibraryItem.ID)
    /// A media file's poster is ready, or could not be made.
    case poster(LibraryItem.ID)
}
