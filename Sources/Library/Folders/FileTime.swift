import Glibc

/// When a file was last changed, by the system's calendar clock.
public struct FileTime: Hashable, Comparable, Sendable {
    /// Since the beginning of 1970, UTC; clamped where a file system says nonsense.
    public var nanoseconds: Int64

    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    init(_ time: timespec) {
        let (whole, isTooFar) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isJustTooFar) = whole.addingReportingOverflow(Int64(time.tv_nsec))
        nanoseconds = isTooFar || isJustTooFar ? (time.tv_sec < 0 ? .min : .max) : sum
    }

    public static func < (a: FileTime, b: FileTime) -> Bool { a.nanoseconds < b.nanoseconds }
}
