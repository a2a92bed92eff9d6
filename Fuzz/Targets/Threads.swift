import Glibc

/// Counts the threads of this process and waits for them to end.
enum Threads {
    static var count: Int {
        guard let folder = opendir("/proc/self/task") else { fatalError("cannot count threads") }
        defer { closedir(folder) }
        var count = -2
        while readdir(folder) != nil { count += 1 }
        return count
    }

    /// Waits until at most `wanted` threads are left. If a thread never ends, libFuzzer or the campaign reports a
    /// hang.
    static func wait(until wanted: Int) {
        while count > wanted { usleep(500) }
    }
}
