/// Something that a library's threads have found out.
public enum LibraryChange: Hashable, Sendable {
    /// The folder was read, for the first time or anew: the entries are others.
    case entries
    /// The folder could not be read; what was in it before remains.
    case failed(FolderError)
    /// What is in a medium became known, or why it cannot be opened.
    case details(LibraryItem.ID)
    /// A medium's poster came, or that it has none.
    case poster(LibraryItem.ID)
}
