import Foundation

/// What the kernel says of this process.
package enum ProcessStatus {
    /// The process's resident memory, in bytes.
    package static func resident() throws -> Int {
        let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
        return (fields.count > 1 ? Int(fields[1]) ?? 0 : 0) * 4096
    }

    /// The highest the process's memory rose above its first size while `body` ran, in bytes.
    package static func peakGrowth(_ body: () throws -> Void) throws -> Int {
        // 5 makes the present memory the highest so far: proc(5).
        try "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
        let before = try resident()
        try body()
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
        let peak = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
        return peak * 1024 - before
    }

    /// The number of threads in the process.
    package static func threadCount() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
    }

    /// The number of threads with the name `name`.
    package static func threadCount(named name: String) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count { task in
            (try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)) == name + "\n"
        }
    }

    /// The number of threads with one of the names that are not asleep, that is, that wait for no lock, condition or file.
    package static func awakeThreadCount(named names: String...) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count { task in
            // The thread's number, its name in parentheses, its state; nil where it has just ended.
            guard let status = try? String(contentsOfFile: "/proc/self/task/\(task)/stat", encoding: .utf8),
                let start = status.firstIndex(of: "("), let end = status.lastIndex(of: ")"),
                names.contains(String(status[start..<end].dropFirst()))
            else { return false }
            return status[end...].dropFirst(2).first != "S"
        }
    }
}
