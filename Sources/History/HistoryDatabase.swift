import CSQLite
import Glibc
import Platform
import Time

/// The history's file, open. On the history's thread alone.
///
/// SQLite's write-ahead log with `synchronous = NORMAL`: what was written is in the system's hands when `write` returns, so
/// that it outlives the program however that ends, `kill -9` included. A power failure can lose the last seconds before the
/// log was last synced, but never damages the file (sqlite.org/wal.html, "Performance Considerations"; pragma.html,
/// "synchronous"). Any number of programs may have it open.
final class HistoryDatabase {
    /// Why it does not work.
    enum Failure: Error {
        /// What is there is no history, or a broken one.
        case damaged(reason: String)
        case newer
        /// Another program has it, the disk is full, it may not be written…
        case unavailable(reason: String)
    }

    /// Of more, those that were not played for the longest time are forgotten.
    static let entryLimit = 10_000
    /// How long another program may keep it locked.
    private static let patience = Duration.seconds(2)
    /// Large enough for any write; the default is 2 MB.
    private static let cacheKibibytes = 256
    /// Pages in the log before it is folded into the file: 400 kB.
    private static let logPages = 100
    /// "Glis", for file(1) and for us: pragma.html, "application_id".
    private static let applicationID = 0x476C_6973

    private let connection: SQLiteConnection

    /// Opens the file, makes it where it is missing, and brings an older one's schema up to date. Blocks.
    init(_ path: FilePath) throws(Failure) {
        guard let text = String(validating: path.bytes, as: UTF8.self) else {
            throw .unavailable(reason: "a path that is no UTF-8 cannot be opened")
        }
        do throws(SQLiteError) {
            connection = try SQLiteConnection(text, patienceMs: Int32(Self.patience.components.seconds * 1000))
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

    /// Writes entries, each in the place of what was known of its medium; all of them or none. Blocks.
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

    /// What is known of what lies there. Blocks.
    func entry(at location: [UInt8]) throws(Failure) -> HistoryEntry? {
        try perform { try connection.run(HistoryRow.selectingOne, [.blob(location)]) }.first.flatMap(HistoryRow.entry)
    }

    /// The last played, the latest first. Blocks.
    func recent(_ limit: Int) throws(Failure) -> [HistoryEntry] {
        try perform { try connection.run(HistoryRow.selectingRecent, [.integer(Int64(limit))]) }
            .compactMap(HistoryRow.entry)
    }

    /// Forgets what lies there; everything for nil. Blocks.
    func forget(_ location: [UInt8]?) throws(Failure) {
        _ = try perform {
            if let location {
                try connection.run("DELETE FROM media WHERE location = ?", [.blob(location)])
            } else {
                try connection.run("DELETE FROM media")
            }
        }
    }

    /// Folds the log into the file where no other program has it. It must not be used any more. Blocks.
    func close() { connection.close() }

    private static let pragmas = """
        PRAGMA synchronous = NORMAL;
        PRAGMA cache_size = -\(cacheKibibytes);
        PRAGMA wal_autocheckpoint = \(logPages);
        PRAGMA secure_delete = ON;
        PRAGMA trusted_schema = OFF;
        """

    /// The steps that have brought a file to what it is now, by the names under which it notes them. The table that they
    /// are in is called after the library that first wrote these files.
    private static let steps = ["1"]
    private static let stepTable = "grdb_migrations"

    /// Changing to a log, SQLite does not wait for another program that does the same, but says at once that it is busy.
    private func prepareInTurn() throws {
        let deadline = HostTime.now() + Self.patience
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
        if problem != "ok" { throw Failure.damaged(reason: problem ?? "it cannot be checked") }
        // Looked at in one transaction: another program may be making it.
        try connection.inTransaction {
            let tables = try connection.run("SELECT name FROM sqlite_schema WHERE type = 'table'").map {
                $0.first?.text
            }
            if tables.isEmpty { return }
            if !tables.contains(Self.stepTable) { throw Failure.damaged(reason: "a database of another program's") }
            let known = try connection.run("SELECT identifier FROM \(Self.stepTable)").compactMap { $0.first?.text }
            if known.contains(where: { !Self.steps.contains($0) }) { throw Failure.newer }
        }
        // Only now: nothing is changed in a file of another program's.
        if try connection.run("PRAGMA journal_mode = WAL").first?.first?.text != "wal" {
            // A file system without shared memory. Without the log, NORMAL would risk the file at a power failure.
            try connection.execute("PRAGMA synchronous = FULL")
        }
        try connection.inTransaction {
            // Two programs may come here at the same time: the second finds the tables.
            try connection.execute(
                "CREATE TABLE IF NOT EXISTS \(Self.stepTable) (identifier TEXT NOT NULL PRIMARY KEY)")
            guard try connection.run("SELECT 1 FROM \(Self.stepTable) WHERE identifier = '1'").isEmpty else { return }
            try connection.execute(HistoryRow.schema)
            try connection.execute("PRAGMA application_id = \(Self.applicationID)")
            try connection.execute("INSERT INTO \(Self.stepTable) (identifier) VALUES ('1')")
        }
        let columns = try connection.run("PRAGMA table_info(media)").compactMap { $0.count > 1 ? $0[1].text : nil }
        if columns != HistoryRow.columns { throw Failure.damaged(reason: "its table is another one") }
    }

    private func perform<R>(_ body: () throws -> R) throws(Failure) -> R {
        do { return try body() } catch { throw Self.failure(error) }
    }

    private static func failure(_ error: any Error) -> Failure {
        guard let error = error as? SQLiteError else { return .unavailable(reason: "\(error)") }
        switch error.code {
        case SQLITE_CORRUPT, SQLITE_NOTADB: return .damaged(reason: error.words)
        // Somebody has changed it under us.
        case SQLITE_ERROR where error.words.hasPrefix("no such"): return .damaged(reason: error.words)
        default: return .unavailable(reason: error.words)
        }
    }
}
