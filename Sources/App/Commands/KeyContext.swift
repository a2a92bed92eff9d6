/// A kind of page that can have its own key bindings.
enum KeyContext: Hashable, CaseIterable {
    /// A page with a list: the library, the file details or the key list.
    case list
    /// A library page.
    case library
}
