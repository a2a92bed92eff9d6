/// A kind of page on which keys can have different commands.
enum KeyContext: Hashable, CaseIterable {
    /// A page with a list: the library, the file details or the key list.
    case list
    /// A library page.
    case library
}
