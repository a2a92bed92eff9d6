import Synchronization

/// Interrupts an operation after a fixed number of steps rather than after a time, so that the machine's speed does
/// not matter.
final class Steps: Sendable {
    private let left: Atomic<Int>

    init(_ count: Int) { left = Atomic(count) }

    /// Whether all steps are used up. Each read takes a step.
    var areSpent: Bool { left.subtract(1, ordering: .relaxed).newValue < 0 }
}
