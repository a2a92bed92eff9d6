/// A change reported by a library's background threads.
public enum LibraryChange: Hashable, Sendable {
    /// The folder was read: its items have changed, or it was unreadable before.
    case entries
    /// The folder could not be read; the previous items remain.
    case failed(FolderError)
    /// A media file's details are known, or the reason why it cannot be opened.
    case details(LibraryItem.ID)
    /// A media file's poster is ready, or known to be missing.
    case poster(LibraryItem.ID)
}
