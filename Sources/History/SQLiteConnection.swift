import GlissadeCSQLite

/// An error from SQLite: the primary result code and the message.
struct SQLiteError: Error {
    var code: Int32
    var words: String
}

/// A value in a database column. A value type; any thread.
enum SQLiteValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])

    var integer: Int64? {
        switch self {
        case .integer(let number): number
        case .real(let number): Int64(exactly: number)
        default: nil
        }
    }

    var real: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .real(let number): number
        default: nil
        }
    }

    var text: String? { if case .text(let text) = self { text } else { nil } }

    var bytes: [UInt8]? {
        switch self {
        case .blob(let bytes): bytes
        case .text(let text): Array(text.utf8)
        default: nil
        }
    }
}

/// A connection to a database. Only one thread at a time may use a connection. Methods block, and throw `SQLiteError`
/// if SQLite fails.
///
/// Each statement is compiled once, and cached until the connection closes (sqlite.org/c3ref/prepare.html).
final class SQLiteConnection {
    private let handle: OpaquePointer
    private var statements: [String: OpaquePointer] = [:]
    private var isClosed = false

    /// Opens a database file, and creates the file if it is missing.
    ///
    /// - Parameter timeoutMs: How long to wait for another program's lock, in milliseconds.
    init(_ path: String, timeoutMs: Int32) throws(SQLiteError) {
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(
            path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nil)
        // A failed open also returns a handle, which has the message.
        guard code == SQLITE_OK, let opened else {
            let error = Self.error(opened, code)
            sqlite3_close_v2(opened)
            throw error
        }
        handle = opened
        sqlite3_busy_timeout(handle, timeoutMs)
    }

    deinit { close() }

    /// Closes the file. When the last connection closes, SQLite merges the log into the file. No other call may follow.
    func close() {
        if isClosed { return }
        isClosed = true
        for statement in statements.values { sqlite3_finalize(statement) }
        statements = [:]
        sqlite3_close_v2(handle)
    }

    /// Runs one or more statements without caching them. Any rows that they return are ignored.
    func execute(_ sql: String) throws(SQLiteError) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        if code != SQLITE_OK { throw Self.error(handle, code) }
    }

    /// Runs a statement with `values` bound to its question marks, and returns its rows. Caches the statement.
    @discardableResult func run(_ sql: String, _ values: [SQLiteValue] = []) throws(SQLiteError) -> [[SQLiteValue]] {
        let statement = try prepared(sql)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        for (index, value) in values.enumerated() {
            let code = Self.bind(value, to: statement, at: Int32(index + 1))
            if code != SQLITE_OK { throw Self.error(handle, code) }
        }
        var rows: [[SQLiteValue]] = []
        while true {
            let code = sqlite3_step(statement)
            if code == SQLITE_DONE { return rows }
            guard code == SQLITE_ROW else { throw Self.error(handle, code) }
            rows.append((0..<sqlite3_column_count(statement)).map { Self.value(of: statement, at: $0) })
        }
    }

    /// Runs `body` in a transaction, which is rolled back if `body` throws.
    ///
    /// The transaction takes the write lock at the start, so that no other connection can change the data while `body`
    /// runs.
    func inTransaction<R>(_ body: () throws -> R) throws -> R {
        try execute("BEGIN IMMEDIATE")
        do {
            let result = try body()
            try execute("COMMIT")
            return result
        } catch {
            // Some errors have already ended the transaction.
            if sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK") }
            throw error
        }
    }

    private func prepared(_ sql: String) throws(SQLiteError) -> OpaquePointer {
        if let statement = statements[sql] { return statement }
        var made: OpaquePointer?
        let code = sqlite3_prepare_v2(handle, sql, -1, &made, nil)
        guard code == SQLITE_OK, let made else { throw Self.error(handle, code) }
        statements[sql] = made
        return made
    }

    private static func bind(_ value: SQLiteValue, to statement: OpaquePointer, at index: Int32) -> Int32 {
        switch value {
        case .null: sqlite3_bind_null(statement, index)
        case .integer(let number): sqlite3_bind_int64(statement, index, number)
        case .real(let number): sqlite3_bind_double(statement, index, number)
        case .text(var text):
            text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) {
                    glissade_bind_text(statement, index, $0.baseAddress, Int32(clamping: $0.count))
                }
            }
        case .blob(let bytes):
            bytes.withUnsafeBytes { glissade_bind_blob(statement, index, $0.baseAddress, Int32(clamping: $0.count)) }
        }
    }

    private static func value(of statement: OpaquePointer, at column: Int32) -> SQLiteValue {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, column))
        case SQLITE_TEXT:
            let start = sqlite3_column_text(statement, column)
            let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
            return .text(String(decoding: bytes, as: UTF8.self))
        case SQLITE_BLOB:
            let start = sqlite3_column_blob(statement, column)
            return .blob(
                [UInt8](UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))))
        default: return .null
        }
    }

    private static func error(_ handle: OpaquePointer?, _ code: Int32) -> SQLiteError {
        let words = handle.flatMap(sqlite3_errmsg) ?? sqlite3_errstr(code)
        // The bits above the lowest byte are the extended result code.
        return SQLiteError(code: code & 0xFF, words: words.map { String(cString: $0) } ?? "error \(code)")
    }
}
