import Glibc
import GlissadePlatform

/// Operations on the history's file and folder while this process does not have the file open. All functions block.
extension HistoryDatabase {
    /// The suffixes of the files that SQLite creates beside a database: the write-ahead log and its index.
    private static let companions = ["-wal", "-shm"]

    /// Creates a folder and its missing parents, accessible only to this user. Returns the reason for a failure; nil if
    /// the folder was created or already exists.
    static func makeFolder(_ path: BytePath) -> String? {
        if path.withCString({ mkdir($0, 0o700) }) == 0 || errno == EEXIST { return nil }
        let parent = path.parent
        guard errno == ENOENT, parent != path else { return systemError() }
        if let reason = makeFolder(parent) { return reason }
        return path.withCString { mkdir($0, 0o700) } == 0 || errno == EEXIST ? nil : systemError()
    }

    /// Returns why the path cannot be a database, such as "is a folder"; nil if there is a regular file or nothing at
    /// the path.
    static func fault(at path: BytePath) -> String? {
        var status = stat()
        guard path.withCString({ stat($0, &status) }) == 0 else { return errno == ENOENT ? nil : systemError() }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return nil
        case S_IFDIR: return "is a folder"
        default: return "not a file"
        }
    }

    /// Whether a file has content but is not a database: it lacks the header, or is smaller than the smallest page
    /// (sqlite.org/fileformat2.html, 1.3).
    ///
    /// SQLite treats a file smaller than a page as empty and would overwrite it.
    static func isForeign(_ path: BytePath) -> Bool {
        let descriptor = path.withCString { open($0, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
        guard descriptor >= 0 else { return false }
        defer { Glibc.close(descriptor) }
        let shortestPage = 512
        var bytes = [UInt8](repeating: 0, count: shortestPage)
        let count = read(descriptor, &bytes, shortestPage)
        return count > 0 && (count < shortestPage || !bytes.starts(with: Array("SQLite format 3\0".utf8)))
    }

    /// Renames a file and its companions, adding ".damaged" and the date to the file's name. Returns the new path; nil
    /// on failure.
    static func moveAside(_ path: BytePath) -> BytePath? {
        let name = Array(path.name) + Array(".damaged-\(date())".utf8)
        for number in 1...1000 {
            let ending = number == 1 ? "" : "-\(number)"
            let target = path.parent.appending(name + Array(ending.utf8))
            // Unlike rename(2), link(2) never replaces a file.
            let linked = path.withCString { from in target.withCString { link(from, $0) } }
            if linked != 0 {
                if errno == EEXIST { continue }
                // The file system may not support links.
                guard target.withCString({ access($0, F_OK) }) != 0 else { continue }
                guard path.withCString({ from in target.withCString { rename(from, $0) } }) == 0 else { return nil }
            } else if path.withCString({ unlink($0) }) != 0 {
                _ = target.withCString { unlink($0) }
                return nil
            }
            for companion in companions {
                let from = BytePath(bytes: path.bytes + Array(companion.utf8))
                let to = BytePath(bytes: target.bytes + Array(companion.utf8))
                _ = from.withCString { from in to.withCString { rename(from, $0) } }
            }
            return target
        }
        return nil
    }

    /// Returns the current time in UTC, such as "2026-11-21T16-45-00". Contains no colons, because some file systems do
    /// not allow them.
    private static func date() -> String {
        var now = time(nil)
        var parts = tm()
        gmtime_r(&now, &parts)
        var text = [CChar](repeating: 0, count: 32)
        strftime(&text, text.count, "%Y-%m-%dT%H-%M-%S", &parts)
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
