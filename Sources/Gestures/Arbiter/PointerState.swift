import GlissadeInput

/// The pressed buttons of all pointers.
struct PointerState {
    struct Entry {
        var pointer: Int
        var button: PointerEvent.Button
        /// Whether the press began a gesture or happened during one.
        var isInGesture: Bool
        /// The target that received the press, if the press happened outside a gesture; otherwise nil.
        weak var element: (any GestureTarget)?
    }

    /// The maximum number of entries. No user holds down that many buttons, so a full list means that releases were
    /// lost.
    static let capacity = 32

    private(set) var entries: [Entry] = []

    /// Whether a button that belongs to a gesture is down.
    var hasGesture: Bool { entries.contains { $0.isInGesture } }
    /// Whether a button of `pointer` that belongs to a gesture is down.
    func isInGesture(_ pointer: Int) -> Bool { entries.contains { $0.pointer == pointer && $0.isInGesture } }
    var isFull: Bool { entries.count >= Self.capacity }

    mutating func add(_ entry: Entry) { entries.append(entry) }

    /// Removes and returns the entry of a button; nil if the button was not down.
    mutating func remove(_ pointer: Int, _ button: PointerEvent.Button) -> Entry? {
        guard let index = entries.firstIndex(where: { $0.pointer == pointer && $0.button == button }) else {
            return nil
        }
        return entries.remove(at: index)
    }

    mutating func removeAll() { entries.removeAll(keepingCapacity: true) }
}
