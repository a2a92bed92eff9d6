import GlissadeCCrash
import GlissadeCSystem
import Glibc
import Synchronization

/// Writes and lists crash reports. A report is a small file that describes one crash: the signal, the thread, a
/// backtrace and the names of the open files.
///
/// A report's name starts with the time at which the program was started. The name ends in `.new` until the user has
/// been told about the report, and then in `.txt`.
package enum CrashReports {
    /// The folder for crash reports: `glissade/crashes` in `$XDG_STATE_HOME` or, if that is not set, in
    /// `~/.local/state`. Nil if neither XDG_STATE_HOME nor HOME is set.
    package static var standardFolder: BytePath? { XDGDirectory.state.ofGlissade?.appending("crashes".utf8) }

    private static let hasBegun = Atomic(false)

    /// The number of reports from earlier runs to keep. Older reports are deleted.
    static let kept = 10

    /// Starts crash reporting: if a thread crashes, a report is written to `folder`, which is created if needed. The
    /// signal still ends the process. Also deletes all but the latest `kept` reports. Main thread. A second call does
    /// nothing.
    ///
    /// A signal that already has a handler, such as a sanitizer's, keeps that handler.
    ///
    /// - Parameters:
    ///   - program: The program's name and version, for the report.
    ///   - folder: The folder for reports; nil disables them.
    package static func begin(program: String, folder: BytePath? = standardFolder) {
        guard let folder, !hasBegun.exchange(true, ordering: .relaxed) else { return }
        // The main thread's stack for fault handlers. Never freed.
        _ = glissade_begin_fault_stack()
        removeOldest(in: folder)
        let path = folder.appending("\(timestamp())-\(getpid()).new".utf8)
        _ = path.withCString { glissade_report_crashes($0, program) }
    }

    /// Deletes all but the latest `kept` reports.
    static func removeOldest(in folder: BytePath) {
        for name in names(in: folder).dropLast(kept) { _ = folder.appending(name.utf8).withCString { unlink($0) } }
    }

    /// Returns the reports that the user has not been told about, oldest first. Renames them so that their names end in
    /// `.txt`.
    package static func takeNew(in folder: BytePath? = standardFolder) -> [BytePath] {
        guard let folder else { return [] }
        return names(in: folder).compactMap { name in
            guard name.hasSuffix(".new") else { return nil }
            let reported = folder.appending((name.dropLast(4) + ".txt").utf8)
            // If two instances start at the same time, only one of them succeeds in renaming the report.
            let isTaken = folder.appending(name.utf8).withCString { old in reported.withCString { rename(old, $0) == 0 }
            }
            return isTaken ? reported : nil
        }
    }

    /// Returns the UTC date on which the program was started, such as 2026-11-23, from a report's name. Nil if the name
    /// has no date.
    package static func day(_ report: BytePath) -> String? {
        let digits = report.displayName.prefix { $0.isASCII && $0.isNumber }
        guard digits.count == 8 else { return nil }
        return "\(digits.prefix(4))-\(digits.dropFirst(4).prefix(2))-\(digits.suffix(2))"
    }

    /// Returns the names of the crash reports in a folder, oldest first.
    private static func names(in folder: BytePath) -> [String] {
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

    /// Returns the current UTC time as a string, such as 20261123-123456.
    private static func timestamp() -> String {
        var now = time(nil)
        var date = tm()
        gmtime_r(&now, &date)
        func digits(_ number: Int32) -> String { (number < 10 ? "0" : "") + String(number) }
        let day = String(1900 + date.tm_year) + digits(date.tm_mon + 1) + digits(date.tm_mday)
        return day + "-" + digits(date.tm_hour) + digits(date.tm_min) + digits(date.tm_sec)
    }
}
