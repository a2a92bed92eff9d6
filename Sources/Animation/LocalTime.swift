public import GlissadeTime

/// A time on a layer's timeline, in whole nanoseconds.
///
/// Integers do not drift, however often the timeline is paused and resumed. Arithmetic saturates at ±292 years.
public struct LocalTime: Hashable, Comparable, Sendable {
    /// The time since the timeline's origin, in nanoseconds; may be negative.
    public var nanoseconds: Int64

    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Creates a time from `seconds`, rounded to nanoseconds; NaN becomes zero, and overflow saturates.
    public init(seconds: Double) { self.nanoseconds = Int64(clampingNanoseconds: seconds) }

    /// Converts a host time to the root timeline, which is the machine's monotonic clock.
    public init(_ host: HostTime) { self.nanoseconds = host.nanoseconds }

    /// The origin of the timeline.
    public static let zero = LocalTime(nanoseconds: 0)

    /// The time since the origin, in seconds, rounded to 53 bits.
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
