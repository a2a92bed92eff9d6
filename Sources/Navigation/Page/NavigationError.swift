/// The reason why an operation has left the stack unchanged.
public enum NavigationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The page is not on the stack.
    case notOnStack
    /// No page of that type is on the stack.
    case noSuchPage(type: String)
    /// The page is already on the stack.
    case alreadyOnStack
    /// A stack needs at least one page.
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
