import CCrash
import CSystem
import Glibc
import Synchronization

/// Crash reports: one small file per crash with the signal, the thread, the backtrace as addresses in files, and the
/// names of the open files.
///
/// A report's name starts with the time at which the program started, and ends in `.new` until the user has been told
/// of it.
public enum CrashReports {
    /// `$XDG_STATE_HOME/glissade/crashes`, else in `~/.local/state`; nil if there is no home.
    public static var standardFolder: FilePath? { XDGDirectory.state.ofGlissade?.appending("crashes".utf8) }

    private static let hasBegun = Atomic(false)

    /// The number of reports to keep; the latest are kept.
    static let kept = 10

    /// From now on, a crash in any thread writes a report to `folder`, which is created if needed. The process still
    /// ends by the signal. Deletes the oldest reports. Call on the main thread; a second call does nothing.
    ///
    /// Signals that already have a handler, such as a sanitizer's, are not changed.
    ///
    /// - Parameter program: Name and version, as shown in the report.
    public static func begin(program: String, folder: FilePath? = standardFolder) {
        guard let folder, !hasBegun.exchange(true, ordering: .relaxed) else { return }
        // Sets up the main thread's stack. Never freed.
        _ = glissade_begin_fault_stack()
        removeOldest(in: folder)
        let path = folder.appending("\(timestamp())-\(getpid()).new".utf8)
        _ = path.withCString { glissade_report_crashes($0, program) }
    }

    /// Deletes all but the latest `kept` reports.
    static func removeOldest(in folder: FilePath) {
        for name in names(in: folder).dropLast(kept) { _ = folder.appending(name.utf8).withCString { unlink($0) } }
    }

    /// Returns the reports that the user has not been told of, oldest first, and marks them as told.
    public static func takeNew(in folder: FilePath? = standardFolder) -> [FilePath] {
        guard let folder else { return [] }
        return names(in: folder).compactMap { name in
            guard name.hasSuffix(".new") else { return nil }
            let reported = folder.appending((name.dropLast(4) + ".txt").utf8)
            // If two instances start at the same time, only one reports it.
            let isTaken = folder.appending(name.utf8).withCString { old in reported.withCString { rename(old, $0) == 0 }
            }
            return isTaken ? reported : nil
        }
    }

    /// The UTC date in a report's name, which is when its program started: 2026-11-23.
    public static func day(_ report: FilePath) -> String? {
        let digits = report.displayName.prefix { $0.isASCII && $0.isNumber }
        guard digits.count == 8 else { return nil }
        return "\(digits.prefix(4))-\(digits.dropFirst(4).prefix(2))-\(digits.suffix(2))"
    }

    /// The names of crash reports, oldest first. Ignores other files.
    private static func names(in folder: FilePath) -> [String] {
        guard let listing = folder.withCString({ opendir($0) }) else { return [] }
        defer { closedir(listing) }
        var names: [String] = []
        while let entry = readdir(listing) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            let isOurs = name.first?.isNumber == true && (name.hasSuffix(".new") || name.hasSuffix(".txt"))
            if isOurs { names.append(name) }
        }
        return names.sorted()
    }

    /// The current time in UTC: 20261123-123456.
    private static func timestamp() -> String {
        var now = time(nil)
        var date = tm()
        gmtime_r(&now, &date)
        func digits(_ number: Int32) -> String { (number < 10 ? "0" : "") + String(number) }
        let day = String(1900 + date.tm_year) + digits(date.tm_mon + 1) + digits(date.tm_mday)
        return day + "-" + digits(date.tm_hour) + digits(date.tm_min) + digits(date.tm_sec)
    }
}
