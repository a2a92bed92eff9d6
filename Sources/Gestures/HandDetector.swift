import Motion

/// Tells what a hand does from what merely happens: a window that opens under a pointer hears of that too.
public struct HandDetector: Sendable {
    private var lastPointer: Point?

    public init() {}

    /// Whether `input` is a hand's doing: a key, a press, a pointer that moves. Inputs come in their order.
    public mutating func isHand(_ input: InputEvent) -> Bool {
        guard case .pointer(let event) = input else { return true }
        defer { lastPointer = event.position }
        switch event.phase {
        case .pressed: return true
        case .moved: return lastPointer.map { $0 != event.position } ?? false
        case .released, .entered, .left, .cancelled: return false
        }
    }
}
