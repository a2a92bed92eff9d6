import Input

/// The buttons that are down, for all pointers.
struct PointerState {
    struct Entry {
        var pointer: Int
        var button: PointerEvent.Button
        /// Whether it belongs to a gesture: it began the gesture, or came during it.
        var isInGesture: Bool
        /// The target that received the press, if there was no gesture.
        weak var element: (any GestureTarget)?
    }

    /// More than a user can hold; beyond it, releases must have been lost.
    static let capacity = 32

    private(set) var entries: [Entry] = []

    /// Whether a button is down that a gesture must wait for.
    var hasGesture: Bool { entries.contains { $0.isInGesture } }
    /// Whether a button of `pointer` that belongs to a gesture is down.
    func isInGesture(_ pointer: Int) -> Bool { entries.contains { $0.pointer == pointer && $0.isInGesture } }
    var isFull: Bool { entries.count >= Self.capacity }

    mutating func add(_ entry: Entry) { entries.append(entry) }

    /// Removes the entry; nil if that button was not down.
    mutating func remove(_ pointer: Int, _ button: PointerEvent.Button) -> Entry? {
        guard let index = entries.firstIndex(where: { $0.pointer == pointer && $0.button == button }) else {
            return nil
        }
        return entries.remove(at: index)
    }

    mutating func removeAll() { entries.removeAll(keepingCapacity: true) }
}
