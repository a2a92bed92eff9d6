import GlissadeCSystem
import Glibc

/// The CPU clock of one thread of this process. Any thread.
package struct ThreadCPUClock: Hashable, Sendable {
    private let id: pid_t

    /// The clock of the calling thread.
    package static var current: ThreadCPUClock { ThreadCPUClock(id: glissade_thread_id()) }

    /// Returns the clocks of all threads of the process. Returns an empty set if the system does not list the threads.
    package static func all() -> Set<ThreadCPUClock> {
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

    /// The thread's CPU time so far, the sum of user and system time. Nil once the thread has ended.
    package var cpuTime: Duration? {
        var time = timespec()
        // Linux has a clock for each thread, with an ID computed from the thread's ID: see `make_thread_cpuclock` in
        // the kernel's include/linux/posix-timers_types.h. `pthread_getcpuclockid` computes the same.
        let clock = clockid_t(bitPattern: ~UInt32(bitPattern: id) << 3 | 6)
        guard clock_gettime(clock, &time) == 0 else { return nil }
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// The thread's name, as shown by `top -H`. A new thread starts with the name of the thread that created it. Nil
    /// once the thread has ended.
    package var name: String? {
        guard let file = fopen("/proc/self/task/\(id)/comm", "r") else { return nil }
        defer { fclose(file) }
        // The file holds at most 15 bytes and a newline.
        var line = [CChar](repeating: 0, count: 32)
        guard fgets(&line, CInt(line.count), file) != nil else { return nil }
        return String(decoding: line.lazy.map { UInt8(bitPattern: $0) }.prefix { $0 != 0 && $0 != 10 }, as: UTF8.self)
    }
}
