/// A position on a media's own time line, in whole nanoseconds.
///
/// Nanoseconds hold every time base that FFmpeg's demuxers use (the finest common one is 1/90000 s) to well under a
/// sample of sound, and 292 years of it. Differences are `Duration`s. Sums and differences that do not fit stay at the end
/// of the range: times come from files, and an absurd one must neither trap nor come out on the other side.
public struct MediaTime: Hashable, Comparable, Sendable {
    public var nanoseconds: Int64

    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// The nearest position to `seconds`; not-a-number becomes zero, what is out of range is clamped.
    public init(seconds: Double) { self.nanoseconds = Int64(clampingNanoseconds: seconds) }

    public static let zero = MediaTime(nanoseconds: 0)

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

/// An instant of the machine's monotonic clock, in whole nanoseconds from an origin of its own.
///
/// This type only names instants; it cannot read a clock. Pure code is told the time. Sums and differences are clamped,
/// as those of `MediaTime` are.
public struct HostTime: Hashable, Comparable, Sendable {
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
}

extension Duration {
    /// The length in whole nanoseconds, towards zero; what does not fit is clamped.
    @inlinable public var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isJustTooLong) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        return isTooLong || isJustTooLong ? (seconds < 0 ? .min : .max) : sum
    }

    /// The length in seconds.
    @inlinable public var inSeconds: Double { Double(nanoseconds) / 1e9 }

    /// The length in milliseconds, for reports.
    @inlinable public var inMilliseconds: Double { Double(nanoseconds) / 1e6 }
}
