/// The reason why a stack or `FloatingPage` refused a call. A refused call changes nothing.
public enum NavigationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The page is not on the stack.
    case notOnStack
    /// No page of the type named `type` is on the stack, or the caller's `choose` closure picked none of these pages.
    case noSuchPage(type: String)
    /// The page is already on a stack, or is listed twice in the new list of pages.
    case alreadyOnStack
    /// The new list of pages is empty; a stack needs at least one page.
    case emptyStack

    public var description: String {
        switch self {
        case .notOnStack: "the page is not on the stack"
        case .noSuchPage(let type): "no page of type \(type) is on the stack"
        case .alreadyOnStack: "the page is already on the stack"
        case .emptyStack: "a stack needs at least one page"
        }
    }
}
