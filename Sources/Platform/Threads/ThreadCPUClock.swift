import CSystem
import Glibc

/// Reads how much of the processor a thread of this process has used: any thread, also one that somebody else's library
/// has made. A value; any thread may ask.
public struct ThreadCPUClock: Hashable, Sendable {
    private let id: pid_t

    /// The calling thread.
    public static var current: ThreadCPUClock { ThreadCPUClock(id: glissade_thread_id()) }

    /// Every thread that the process has now; empty where the system does not tell.
    public static func all() -> Set<ThreadCPUClock> {
        guard let folder = opendir("/proc/self/task") else { return [] }
        defer { closedir(folder) }
        var found: Set<ThreadCPUClock> = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if let id = pid_t(name) { found.insert(ThreadCPUClock(id: id)) }
        }
        return found
    }

    /// What it has worked since it began, for the program and within the system; nil once it is gone.
    public var cpuTime: Duration? {
        var time = timespec()
        // Linux has a clock for each thread, named by its number: `make_thread_cpuclock` of the kernel's
        // include/linux/posix-timers_types.h, which is how `pthread_getcpuclockid` makes its own.
        let clock = clockid_t(bitPattern: ~UInt32(bitPattern: id) << 3 | 6)
        guard clock_gettime(clock, &time) == 0 else { return nil }
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// As `top -H` calls it: a thread has its maker's name until it gives itself another. Nil once it is gone.
    public var name: String? {
        guard let file = fopen("/proc/self/task/\(id)/comm", "r") else { return nil }
        defer { fclose(file) }
        // Linux keeps 15 bytes, and writes a line.
        var line = [CChar](repeating: 0, count: 32)
        guard fgets(&line, CInt(line.count), file) != nil else { return nil }
        return String(decoding: line.lazy.map { UInt8(bitPattern: $0) }.prefix { $0 != 0 && $0 != 10 }, as: UTF8.self)
    }
}
