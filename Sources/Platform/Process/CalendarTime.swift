public import Glibc

/// A time of the system's real-time clock, such as a file date. The clock may be set back. A value; any thread.
public struct CalendarTime: Hashable, Comparable, Sendable {
    /// Since 1970-01-01 UTC. Clamped if a file system reports a time out of range.
    public var nanoseconds: Int64

    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Converts the system's form; values that do not fit saturate.
    public init(_ time: timespec) {
        let (whole, isTooFar) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isJustTooFar) = whole.addingReportingOverflow(Int64(time.tv_nsec))
        nanoseconds = isTooFar || isJustTooFar ? (time.tv_sec < 0 ? .min : .max) : sum
    }

    /// The current time. Any thread.
    public static func now() -> CalendarTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return CalendarTime(time)
    }

    public static func < (a: CalendarTime, b: CalendarTime) -> Bool { a.nanoseconds < b.nanoseconds }
}
