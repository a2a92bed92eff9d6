import GlissadeCSystem
import Glibc
import GlissadeTime

/// The CPU time and memory that the process has used since it started. Any thread.
package struct ResourceUsage: Sendable {
    /// The CPU time of all threads, the sum of user and system time.
    package var cpuTime: Duration
    /// The peak resident set size in bytes, since the process started or since the last call of `forgetPeak`.
    package var peakMemory: Int

    /// Resets `peakMemory` to the current resident set size, if the system supports it (proc(5), `clear_refs`).
    package static func forgetPeak() {
        guard let file = fopen("/proc/self/clear_refs", "w") else { return }
        fputs("5", file)
        fclose(file)
    }

    /// The number of CPU cores that are online; 1 if the system does not report it.
    package static var coreCount: Int { max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN))) }

    /// Reads the current values of this process.
    package init() {
        var usage = rusage()
        _ = glissade_process_usage(&usage)
        func duration(_ time: timeval) -> Duration { .seconds(time.tv_sec) + .microseconds(time.tv_usec) }
        cpuTime = duration(usage.ru_utime) + duration(usage.ru_stime)
        peakMemory = usage.ru_maxrss * 1024  // Linux counts kibibytes.
    }
}
