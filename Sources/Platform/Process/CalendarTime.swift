public import Glibc

/// An instant of the system's calendar clock, which people and files go by. It may be set back.
public struct CalendarTime: Hashable, Comparable, Sendable {
    /// Since the beginning of 1970, UTC; clamped where a file system says nonsense.
    public var nanoseconds: Int64

    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Converts the system's form; what does not fit saturates.
    public init(_ time: timespec) {
        let (whole, isTooFar) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isJustTooFar) = whole.addingReportingOverflow(Int64(time.tv_nsec))
        nanoseconds = isTooFar || isJustTooFar ? (time.tv_sec < 0 ? .min : .max) : sum
    }

    /// The calendar's time now. Any thread.
    public static func now() -> CalendarTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return CalendarTime(time)
    }

    public static func < (a: CalendarTime, b: CalendarTime) -> Bool { a.nanoseconds < b.nanoseconds }
}
