/// A place where keys can have commands of their own.
enum KeyContext: Hashable, CaseIterable {
    /// Pages that are lists: the library, the details and the keys.
    case list
    /// The library.
    case library
}
