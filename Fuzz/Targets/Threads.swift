import Glibc

/// The threads of this process.
enum Threads {
    static var count: Int {
        guard let folder = opendir("/proc/self/task") else { fatalError("the threads cannot be counted") }
        defer { closedir(folder) }
        var count = -2
        while readdir(folder) != nil { count += 1 }
        return count
    }

    /// Waits until there are no more than so many: for ever where one does not end, which is then a hang to whoever watches.
    static func wait(until wanted: Int) {
        while count > wanted { usleep(500) }
    }
}
