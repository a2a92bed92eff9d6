import Synchronization

/// Interrupts an operation after a number of queries: how far an input gets must not depend on the machine's speed.
final class Steps: Sendable {
    private let left: Atomic<Int>

    init(_ count: Int) { left = Atomic(count) }

    /// Takes a step. Returns whether there was none left.
    var areSpent: Bool { left.subtract(1, ordering: .relaxed).newValue < 0 }
}
