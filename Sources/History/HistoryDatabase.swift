import GlissadeCSQLite
import Glibc
import GlissadePlatform
import GlissadeTime

/// The history's SQLite file. Confined to the history's thread.
///
/// Uses a write-ahead log with `synchronous = NORMAL`. Once `write` has returned, the data survives a crash of the
/// process. A power failure can lose the writes since the last sync of the log, but does not damage the file
/// (sqlite.org/wal.html, "Performance Considerations"; pragma.html, "synchronous"). Several processes may open the file
/// at once.
final class HistoryDatabase {
    /// The reason why an operation on the file failed.
    enum Failure: Error {
        /// The file is not a history, or is corrupt.
        case damaged(reason: String)
        /// A newer version of Glissade wrote the file.
        case newer
        /// The file cannot be used, for example because the file is locked or the disk is full.
        case unavailable(reason: String)
    }

    /// The maximum number of entries kept. Beyond this, the entries played longest ago are deleted.
    static let entryLimit = 10_000
    /// How long to wait if another program has locked the file.
    private static let timeout = Duration.seconds(2)
    /// The size of the page cache, in KiB.
    private static let cacheKibibytes = 256
    /// The size of the log that triggers a checkpoint, in pages.
    private static let logPages = 100
    /// The file's application ID, "Glis", which file(1) can show (pragma.html, "application_id").
    private static let applicationID = 0x476C_6973

    private let connection: SQLiteConnection

    /// Opens the file and checks its schema. Creates the file and its folder if needed. Blocks.
    init(_ path: BytePath) throws(Failure) {
        if let reason = Self.makeFolder(path.parent) ?? Self.fault(at: path) { throw .unavailable(reason: reason) }
        if Self.isForeign(path) { throw .damaged(reason: "file is not a database") }
        guard let text = String(validating: path.bytes, as: UTF8.self) else {
            throw .unavailable(reason: "the path is not UTF-8")
        }
        do throws(SQLiteError) {
            connection = try SQLiteConnection(text, timeoutMs: Int32(Self.timeout.components.seconds * 1000))
        } catch {
            throw Self.failure(error)
        }
        do {
            try prepareInTurn()
        } catch {
            connection.close()
            throw error as? Failure ?? Self.failure(error)
        }
    }

    /// Writes all of `entries`, or none if writing fails. Each entry replaces the previous one for its file or URL.
    /// Blocks.
    func write(_ entries: [HistoryEntry]) throws(Failure) {
        try perform {
            try connection.inTransaction {
                for entry in entries { try connection.run(HistoryRow.replacing, HistoryRow.values(entry)) }
                let count = try connection.run("SELECT count(*) FROM media").first?.first?.integer ?? 0
                if count > Self.entryLimit {
                    try connection.run(HistoryRow.trimming, [.integer(Int64(Self.entryLimit))])
                }
            }
        }
    }

    /// Returns the entry for a path or URL; nil if there is none. Blocks.
    func entry(at location: [UInt8]) throws(Failure) -> HistoryEntry? {
        try perform { try connection.run(HistoryRow.selectingOne, [.blob(location)]) }.first.flatMap(HistoryRow.entry)
    }

    /// Returns the most recently played entries, latest first, at most `limit` of them. Blocks.
    func recent(_ limit: Int) throws(Failure) -> [HistoryEntry] {
        try perform { try connection.run(HistoryRow.selectingRecent, [.integer(Int64(limit))]) }
            .compactMap(HistoryRow.entry)
    }

    /// Deletes the entry for a path or URL. A nil `location` deletes all entries. Blocks.
    func forget(_ location: [UInt8]?) throws(Failure) {
        _ = try perform {
            if let location {
                try connection.run("DELETE FROM media WHERE location = ?", [.blob(location)])
            } else {
                try connection.run("DELETE FROM media")
            }
        }
    }

    /// Closes the file. When the last connection closes, SQLite merges the log into the file. No other call may follow.
    /// Blocks.
    func close() { connection.close() }

    private static let pragmas = """
        PRAGMA synchronous = NORMAL;
        PRAGMA cache_size = -\(cacheKibibytes);
        PRAGMA wal_autocheckpoint = \(logPages);
        PRAGMA secure_delete = ON;
        PRAGMA trusted_schema = OFF;
        """

    /// The names of the migrations recorded in `stepTable` of an up-to-date file. The table is named after the GRDB
    /// library, which created the first files.
    private static let steps = ["1"]
    private static let stepTable = "grdb_migrations"

    /// Prepares the file. Retries for up to `timeout` while the file is locked, because SQLite ignores its own busy
    /// timeout when switching to the write-ahead log.
    private func prepareInTurn() throws {
        let deadline = HostTime.now() + Self.timeout
        while true {
            do {
                return try prepare()
            } catch let error as SQLiteError where error.code == SQLITE_BUSY && HostTime.now() < deadline {
                usleep(20_000)
            }
        }
    }

    private func prepare() throws {
        try connection.execute(Self.pragmas)
        let problem = try connection.run("PRAGMA quick_check(1)").first?.first?.text
        if problem != "ok" { throw Failure.damaged(reason: problem ?? "cannot be checked") }
        // In one transaction, because another program may be creating the file at the same time.
        try connection.inTransaction {
            let tables = try connection.run("SELECT name FROM sqlite_schema WHERE type = 'table'").map {
                $0.first?.text
            }
            if tables.isEmpty { return }
            if !tables.contains(Self.stepTable) { throw Failure.damaged(reason: "it belongs to another program") }
            let known = try connection.run("SELECT identifier FROM \(Self.stepTable)").compactMap { $0.first?.text }
            if known.contains(where: { !Self.steps.contains($0) }) { throw Failure.newer }
        }
        // The log mode is set only now, because the file of another application must not be changed.
        if try connection.run("PRAGMA journal_mode = WAL").first?.first?.text != "wal" {
            // The file system does not support shared memory. Without the log, NORMAL risks corruption in a power
            // failure.
            try connection.execute("PRAGMA synchronous = FULL")
        }
        try connection.inTransaction {
            // If two programs get here at the same time, the second finds the tables.
            try connection.execute(
                "CREATE TABLE IF NOT EXISTS \(Self.stepTable) (identifier TEXT NOT NULL PRIMARY KEY)")
            guard try connection.run("SELECT 1 FROM \(Self.stepTable) WHERE identifier = '1'").isEmpty else { return }
            try connection.execute(HistoryRow.schema)
            try connection.execute("PRAGMA application_id = \(Self.applicationID)")
            try connection.execute("INSERT INTO \(Self.stepTable) (identifier) VALUES ('1')")
        }
        let columns = try connection.run("PRAGMA table_info(media)").compactMap { $0.count > 1 ? $0[1].text : nil }
        if columns != HistoryRow.columns { throw Failure.damaged(reason: "unexpected columns") }
    }

    private func perform<R>(_ body: () throws -> R) throws(Failure) -> R {
        do { return try body() } catch { throw Self.failure(error) }
    }

    private static func failure(_ error: any Error) -> Failure {
        guard let error = error as? SQLiteError else { return .unavailable(reason: "\(error)") }
        switch error.code {
        case SQLITE_CORRUPT, SQLITE_NOTADB: return .damaged(reason: error.words)
        // Another program has dropped the table while the file was open.
        case SQLITE_ERROR where error.words.hasPrefix("no such"): return .damaged(reason: error.words)
        default: return .unavailable(reason: error.words)
        }
    }
}
