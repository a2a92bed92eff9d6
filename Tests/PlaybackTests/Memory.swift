import Foundation

enum Memory {
    /// What the process holds in memory now, in bytes.
    static func resident() throws -> Int {
        let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
        return (fields.count > 1 ? Int(fields[1]) ?? 0 : 0) * 4096
    }

    /// How far the process' memory has risen at most while `body` ran, in bytes.
    static func peakGrowth(_ body: () throws -> Void) throws -> Int {
        // 5 makes the present memory the highest so far: proc(5).
        try "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
        let before = try resident()
        try body()
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
        let peak = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
        return peak * 1024 - before
    }

    /// How many threads the process has.
    static func threadCount() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
    }
}
