public import Time

/// A time in a time space of the layer tree, in whole nanoseconds.
///
/// Integers make pausing exact: a space that is paused and resumed a thousand times does not drift, as sums of
/// floating-point numbers would. Values beyond ±292 years saturate instead of wrapping around, so that an absurd begin
/// time or offset is far away, never on the other side.
public struct LocalTime: Hashable, Comparable, Sendable {
    /// The distance from the origin of the space, in nanoseconds.
    public var nanoseconds: Int64

    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Rounds `seconds` to nanoseconds; NaN becomes zero, overflow saturates.
    public init(seconds: Double) { self.nanoseconds = Int64(clampingNanoseconds: seconds) }

    /// The time in the root space: the machine's monotonic clock.
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
