/// Where a key has a meaning of its own, before its usual one.
enum KeyContext: Hashable, CaseIterable {
    /// Pages that are lists: the library, the details and the keys.
    case list
    /// The library.
    case library
}
