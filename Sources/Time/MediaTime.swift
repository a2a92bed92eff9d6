/// A position on the timeline of a media file, in whole nanoseconds.
///
/// The range is ±292 years. Sums and differences saturate: an absurd time in a file must neither trap nor wrap around.
public struct MediaTime: Hashable, Comparable, Sendable {
    /// The time since the timeline's origin, in nanoseconds; may be negative.
    public var nanoseconds: Int64

    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Creates a time from `seconds`, rounded to nanoseconds. NaN becomes zero, and overflow saturates.
    public init(seconds: Double) { self.nanoseconds = Int64(clampingNanoseconds: seconds) }

    /// The origin of the timeline. A file's content may begin earlier or later.
    public static let zero = MediaTime(nanoseconds: 0)

    /// The time since the origin, in seconds. Rounded to the precision of a `Double`.
    public var seconds: Double { Double(nanoseconds) / 1e9 }

    public static func < (a: MediaTime, b: MediaTime) -> Bool { a.nanoseconds < b.nanoseconds }
    public static func + (a: MediaTime, b: Duration) -> MediaTime {
        .init(nanoseconds: a.nanoseconds.addingClamped(b.nanoseconds))
    }
    public static func - (a: MediaTime, b: Duration) -> MediaTime {
        .init(nanoseconds: a.nanoseconds.subtractingClamped(b.nanoseconds))
    }
    public static func - (a: MediaTime, b: MediaTime) -> Duration {
        .nanoseconds(a.nanoseconds.subtractingClamped(b.nanoseconds))
    }
}

/// An instant on the machine's monotonic clock, in whole nanoseconds since an arbitrary origin.
///
/// This module does not read the clock: callers pass the time in. Sums and differences saturate.
public struct HostTime: Hashable, Comparable, Sendable {
    /// The time since the clock's origin, in nanoseconds.
    public var nanoseconds: Int64

    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    public static func < (a: HostTime, b: HostTime) -> Bool { a.nanoseconds < b.nanoseconds }
    public static func + (a: HostTime, b: Duration) -> HostTime {
        .init(nanoseconds: a.nanoseconds.addingClamped(b.nanoseconds))
    }
    public static func - (a: HostTime, b: Duration) -> HostTime {
        .init(nanoseconds: a.nanoseconds.subtractingClamped(b.nanoseconds))
    }
    public static func - (a: HostTime, b: HostTime) -> Duration {
        .nanoseconds(a.nanoseconds.subtractingClamped(b.nanoseconds))
    }

    /// Returns the earlier of two times, each nil for never.
    ///
    /// Frames are scheduled with it: unlike `min` of an array, it allocates nothing.
    @inlinable public static func earliest(_ a: HostTime?, _ b: HostTime?) -> HostTime? {
        guard let a, let b else { return a ?? b }
        return Swift.min(a, b)
    }
}

extension Duration {
    /// The duration in nanoseconds, truncated toward zero; overflow saturates.
    @inlinable public var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isJustTooLong) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        return isTooLong || isJustTooLong ? (seconds < 0 ? .min : .max) : sum
    }

    /// The duration in seconds, after truncation to whole nanoseconds.
    @inlinable public var inSeconds: Double { Double(nanoseconds) / 1e9 }

    /// The duration in milliseconds, after truncation to whole nanoseconds.
    @inlinable public var inMilliseconds: Double { Double(nanoseconds) / 1e6 }
}
