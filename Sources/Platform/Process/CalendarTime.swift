public import Glibc

/// A time on the real-time clock, such as a file date. The clock may be set back. Any thread.
public struct CalendarTime: Hashable, Comparable, Sendable {
    /// Nanoseconds since 1970-01-01 UTC.
    public var nanoseconds: Int64

    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Converts a time from the C library's format. Clamps a time that is out of range.
    public init(_ time: timespec) {
        let (whole, isTooFar) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isJustTooFar) = whole.addingReportingOverflow(Int64(time.tv_nsec))
        nanoseconds = isTooFar || isJustTooFar ? (time.tv_sec < 0 ? .min : .max) : sum
    }

    /// Returns the current time of the real-time clock. Any thread.
    public static func now() -> CalendarTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return CalendarTime(time)
    }

    public static func < (a: CalendarTime, b: CalendarTime) -> Bool { a.nanoseconds < b.nanoseconds }
}
