import CSystem
import Glibc
import Time

/// The CPU time and memory that the process has used since it started. A value; any thread.
public struct ResourceUsage: Sendable {
    /// The CPU time of all threads: user and system time together.
    public var cpuTime: Duration
    /// The largest resident set size so far, or since `forgetPeak`, in bytes.
    public var peakMemory: Int

    /// Resets `peakMemory` to the current resident set size, if the system supports it (proc(5), `clear_refs`).
    public static func forgetPeak() {
        guard let file = fopen("/proc/self/clear_refs", "w") else { return }
        fputs("5", file)
        fclose(file)
    }

    /// The number of CPU cores that are online; 1 if the system does not tell.
    public static var coreCount: Int { max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN))) }

    /// Reads the current values for the process.
    public init() {
        var usage = rusage()
        _ = glissade_process_usage(&usage)
        func duration(_ time: timeval) -> Duration { .seconds(time.tv_sec) + .microseconds(time.tv_usec) }
        cpuTime = duration(usage.ru_utime) + duration(usage.ru_stime)
        peakMemory = usage.ru_maxrss * 1024  // Linux counts kibibytes.
    }
}
