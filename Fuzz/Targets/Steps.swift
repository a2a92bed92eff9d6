import Synchronization

/// Ends what asks it so often: how far an input leads must not depend on how fast the machine is.
final class Steps: Sendable {
    private let left: Atomic<Int>

    init(_ count: Int) { left = Atomic(count) }

    /// Whether there are none left; takes one.
    var areSpent: Bool { left.subtract(1, ordering: .relaxed).newValue < 0 }
}
