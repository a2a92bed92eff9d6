import CCrash
import CSystem
import Glibc
import Synchronization

/// What a crash leaves for finding its cause: a small file each, with the signal, the thread, the backtrace as
/// addresses in files, and the names of the files that were open.
///
/// A report's name begins with the time at which its program had begun, and ends with `.new` until somebody was told of it.
public enum CrashReports {
    /// `$XDG_STATE_HOME/glissade/crashes`, or that in `~/.local/state`; nil where there is no home.
    public static var standardFolder: FilePath? { XDGDirectory.state.ofGlissade?.appending("crashes".utf8) }

    private static let hasBegun = Atomic(false)

    /// How many are kept, the latest.
    static let kept = 10

    /// From now on a crash, in whichever thread, leaves a report in a folder, which is made then. The process ends as it would
    /// without: by the signal. Of earlier reports only the latest are kept. On the main thread; nothing where it has begun.
    ///
    /// A signal that has a handler already, as a sanitizer's, is left to it.
    ///
    /// - Parameter program: name and version, as the report names them.
    public static func begin(program: String, folder: FilePath? = standardFolder) {
        guard let folder, !hasBegun.exchange(true, ordering: .relaxed) else { return }
        // The main thread's, for as long as it lives.
        _ = glissade_begin_fault_stack()
        removeOldest(in: folder)
        let path = folder.appending("\(timestamp())-\(getpid()).new".utf8)
        _ = path.withCString { glissade_report_crashes($0, program) }
    }

    /// Leaves as many reports as are kept.
    static func removeOldest(in folder: FilePath) {
        for name in names(in: folder).dropLast(kept) { _ = folder.appending(name.utf8).withCString { unlink($0) } }
    }

    /// The reports that nobody was told of yet, the oldest first.
    public static func takeNew(in folder: FilePath? = standardFolder) -> [FilePath] {
        guard let folder else { return [] }
        return names(in: folder).compactMap { name in
            guard name.hasSuffix(".new") else { return nil }
            let told = folder.appending((name.dropLast(4) + ".txt").utf8)
            // Of two programs that start at the same time, one tells.
            let isTaken = folder.appending(name.utf8).withCString { old in told.withCString { rename(old, $0) == 0 } }
            return isTaken ? told : nil
        }
    }

    /// The day on which the program of a report began, in UTC, as its name says: 2026-11-23.
    public static func day(_ report: FilePath) -> String? {
        let digits = report.displayName.prefix { $0.isASCII && $0.isNumber }
        guard digits.count == 8 else { return nil }
        return "\(digits.prefix(4))-\(digits.dropFirst(4).prefix(2))-\(digits.suffix(2))"
    }

    /// Our own files' names, the oldest first.
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

    /// Now, in UTC: 20261123-123456.
    private static func timestamp() -> String {
        var now = time(nil)
        var date = tm()
        gmtime_r(&now, &date)
        func digits(_ number: Int32) -> String { (number < 10 ? "0" : "") + String(number) }
        let day = String(1900 + date.tm_year) + digits(date.tm_mon + 1) + digits(date.tm_mday)
        return day + "-" + digits(date.tm_hour) + digits(date.tm_min) + digits(date.tm_sec)
    }
}
