public import Time

/// An instant in a time space of the layer tree, in whole nanoseconds.
///
/// Whole, because pausing must be exact: a space that is stopped and started a thousand times is where it would have
/// been, which sums of fractions are not. What does not fit into 292 years stays at their end instead of wrapping
/// around, so that an absurd begin or offset gives a time far away, never one on the other side.
public struct LocalTime: Hashable, Comparable, Sendable {
    /// The distance from the origin of the space, in nanoseconds.
    public var nanoseconds: Int64

    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// The nearest instant to `seconds`; not-a-number becomes zero, what is out of range is clamped.
    public init(seconds: Double) { self.nanoseconds = Int64(clampingNanoseconds: seconds) }

    /// The time of the root space: the machine's monotonic clock.
    public init(_ host: HostTime) { self.nanoseconds = host.nanoseconds }

    /// The origin of every space.
    public static let zero = LocalTime(nanoseconds: 0)

    /// The distance from the origin, in seconds; rounded beyond 53 bits.
    public var seconds: Double { Double(nanoseconds) / 1e9 }

    public static func < (a: LocalTime, b: LocalTime) -> Bool { a.nanoseconds < b.nanoseconds }
    public static func + (a: LocalTime, b: Duration) -> LocalTime {
        LocalTime(nanoseconds: a.nanoseconds.addingClamped(b.nanoseconds))
    }
    public static func - (a: LocalTime, b: Duration) -> LocalTime {
        LocalTime(nanoseconds: a.nanoseconds.subtractingClamped(b.nanoseconds))
    }
    public static func - (a: LocalTime, b: LocalTime) -> Duration {
        .nanoseconds(a.nanoseconds.subtractingClamped(b.nanoseconds))
    }
}
