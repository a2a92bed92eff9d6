import GRDB
import Glibc
import Host
import Motion

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
    /// How long another program may keep it locked, in seconds.
    private static let patience = 2.0
    /// Large enough for any write; the default is 2 MB.
    private static let cacheKibibytes = 256
    /// Pages in the log before it is folded into the file: 400 kB.
    private static let logPages = 100
    /// "Glis", for file(1) and for us: pragma.html, "application_id".
    private static let applicationID = 0x476C_6973

    private let queue: DatabaseQueue

    /// Opens the file, makes it where it is missing, and brings an older one's schema up to date. Blocks.
    init(_ path: FilePath) throws(Failure) {
        guard let text = String(validating: path.bytes, as: UTF8.self) else {
            throw .unavailable(reason: "a path that is no UTF-8 cannot be opened")
        }
        do {
            queue = try DatabaseQueue(path: text, configuration: Self.configuration)
        } catch {
            throw Self.failure(error)
        }
        do {
            try prepareInTurn()
        } catch {
            let failure = error as? Failure ?? Self.failure(error)
            try? queue.close()
            throw failure
        }
    }

    /// Writes entries, each in the place of what was known of its medium; all of them or none. Blocks.
    func write(_ entries: [HistoryEntry]) throws(Failure) {
        try perform { [queue] in
            try queue.write { database in
                let statement = try database.cachedStatement(sql: HistoryRow.replacing)
                for entry in entries { try statement.execute(arguments: HistoryRow.arguments(entry)) }
                let count = try Int.fetchOne(database.cachedStatement(sql: "SELECT count(*) FROM media")) ?? 0
                if count > Self.entryLimit {
                    try database.execute(sql: HistoryRow.trimming, arguments: [Self.entryLimit])
                }
            }
        }
    }

    /// What is known of what lies there. Blocks.
    func entry(at location: [UInt8]) throws(Failure) -> HistoryEntry? {
        try perform { [queue] in
            try queue.read { database in
                try Row.fetchOne(
                    database.cachedStatement(sql: HistoryRow.selectingOne), arguments: [HistoryRow.blob(location)]
                ).flatMap(HistoryRow.entry)
            }
        }
    }

    /// The last played, the latest first. Blocks.
    func recent(_ limit: Int) throws(Failure) -> [HistoryEntry] {
        try perform { [queue] in
            try queue.read { database in
                try Row.fetchAll(database.cachedStatement(sql: HistoryRow.selectingRecent), arguments: [limit])
                    .compactMap(HistoryRow.entry)
            }
        }
    }

    /// Forgets what lies there; everything for nil. Blocks.
    func forget(_ location: [UInt8]?) throws(Failure) {
        try perform { [queue] in
            try queue.write { database in
                if let location {
                    try database.execute(
                        sql: "DELETE FROM media WHERE location = ?", arguments: [HistoryRow.blob(location)])
                } else {
                    try database.execute(sql: "DELETE FROM media")
                }
            }
        }
    }

    /// Folds the log into the file where no other program has it. It must not be used any more. Blocks.
    func close() { try? queue.close() }

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(patience)
        configuration.label = "history"
        configuration.prepareDatabase { database in
            try database.execute(
                sql: """
                    PRAGMA synchronous = NORMAL;
                    PRAGMA cache_size = -\(cacheKibibytes);
                    PRAGMA wal_autocheckpoint = \(logPages);
                    PRAGMA secure_delete = ON;
                    PRAGMA trusted_schema = OFF;
                    """)
        }
        return configuration
    }

    private static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        // Two programs may come here at the same time: the second finds the table.
        migrator.registerMigration("1", foreignKeyChecks: .immediate) { database in
            try database.execute(sql: HistoryRow.schema)
            try database.execute(sql: "PRAGMA application_id = \(applicationID)")
        }
        return migrator
    }

    /// Changing to a log, SQLite does not wait for another program that does the same, but says at once that it is busy.
    private func prepareInTurn() throws {
        let deadline = HostTime.now() + .seconds(1) * Self.patience
        while true {
            do {
                return try prepare()
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY && HostTime.now() < deadline {
                usleep(20_000)
            }
        }
    }

    private func prepare() throws {
        let migrator = Self.migrator
        try queue.writeWithoutTransaction { database in
            let problem = try String.fetchOne(database, sql: "PRAGMA quick_check(1)")
            if problem != "ok" { throw Failure.damaged(reason: problem ?? "it cannot be checked") }
            // Looked at in one transaction: another program may be making it.
            try database.inTransaction(.immediate) {
                let tables = try String.fetchAll(database, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'")
                if !tables.isEmpty, !tables.contains("grdb_migrations") {
                    throw Failure.damaged(reason: "a database of another program's")
                }
                if try migrator.hasBeenSuperseded(database) { throw Failure.newer }
                return .commit
            }
        }
        // Only now: GRDB's own setting makes a table and drops it whenever it opens a file, damaged or not.
        try queue.writeWithoutTransaction { database in
            if try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL") != "wal" {
                // A file system without shared memory. Without the log, NORMAL would risk the file at a power failure.
                try database.execute(sql: "PRAGMA synchronous = FULL")
            }
        }
        do {
            try migrator.migrate(queue)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            // Another program has noted the same step first.
            try migrator.migrate(queue)
        }
        let columns = try queue.read { try $0.columns(in: "media").map(\.name) }
        if columns != HistoryRow.columns { throw Failure.damaged(reason: "its table is another one") }
    }

    private func perform<R>(_ body: () throws -> R) throws(Failure) -> R {
        do { return try body() } catch { throw Self.failure(error) }
    }

    private static func failure(_ error: any Error) -> Failure {
        guard let error = error as? DatabaseError else { return .unavailable(reason: "\(error)") }
        let words = error.message ?? error.resultCode.description
        switch error.resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: return .damaged(reason: words)
        // Somebody has changed it under us.
        case .SQLITE_ERROR where words.hasPrefix("no such"): return .damaged(reason: words)
        default: return .unavailable(reason: words)
        }
    }
}
