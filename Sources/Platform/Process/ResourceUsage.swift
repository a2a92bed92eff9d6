import CSystem
import Glibc
import Time

/// What the process has used of the machine since it began.
public struct ResourceUsage: Sendable {
    /// Of all threads, user and system together.
    public var cpuTime: Duration
    /// The largest resident set so far, in bytes.
    public var peakMemory: Int

    /// Has the largest resident set counted anew from here on, where the system can (proc(5), `clear_refs`).
    public static func forgetPeak() {
        guard let file = fopen("/proc/self/clear_refs", "w") else { return }
        fputs("5", file)
        fclose(file)
    }

    /// Cores that the system may run us on.
    public static var coreCount: Int { max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN))) }

    /// As of now. Any thread.
    public init() {
        var usage = rusage()
        _ = glissade_process_usage(&usage)
        func duration(_ time: timeval) -> Duration { .seconds(time.tv_sec) + .microseconds(time.tv_usec) }
        cpuTime = duration(usage.ru_utime) + duration(usage.ru_stime)
        peakMemory = usage.ru_maxrss * 1024  // Linux counts kibibytes.
    }
}
