import Input

/// The buttons that are down, of every pointer.
struct PointerState {
    struct Entry {
        var pointer: Int
        var button: PointerEvent.Button
        /// Whether it is part of a gesture: the press that began it, or one that came while it was on.
        var isInGesture: Bool
        /// Who got the press, where it was outside of any gesture.
        weak var element: (any GestureTarget)?
    }

    /// More than any hand holds. Beyond it, releases have been lost.
    static let capacity = 32

    private(set) var entries: [Entry] = []

    /// Whether anything is down that a gesture has to wait for.
    var hasGesture: Bool { entries.contains { $0.isInGesture } }
    /// Whether a button of `pointer` is down that is part of a gesture.
    func isInGesture(_ pointer: Int) -> Bool { entries.contains { $0.pointer == pointer && $0.isInGesture } }
    var isFull: Bool { entries.count >= Self.capacity }

    mutating func add(_ entry: Entry) { entries.append(entry) }

    /// Takes the entry out; nil where that button was not down.
    mutating func remove(_ pointer: Int, _ button: PointerEvent.Button) -> Entry? {
        guard let index = entries.firstIndex(where: { $0.pointer == pointer && $0.button == button }) else {
            return nil
        }
        return entries.remove(at: index)
    }

    mutating func removeAll() { entries.removeAll(keepingCapacity: true) }
}
