import GlissadePlatform

@testable import GlissadeHistory

/// Runs SQL on a database that a history has open.
func execute(_ sql: String, _ path: BytePath) throws {
    let connection = try SQLiteConnection(path.displayPath, timeoutMs: 0)
    defer { connection.close() }
    try connection.execute(sql)
}

/// Returns SQLite's verdict on a database: "ok", or its first problem.
func integrity(_ path: BytePath) throws -> String? {
    let connection = try SQLiteConnection(path.displayPath, timeoutMs: 0)
    defer { connection.close() }
    return try connection.run("PRAGMA integrity_check").first?.first?.text
}

/// Another program's write lock on a database.
final class Lock {
    private let connection: SQLiteConnection

    init(_ path: BytePath) throws {
        connection = try SQLiteConnection(path.displayPath, timeoutMs: 0)
        try connection.execute("BEGIN IMMEDIATE")
    }

    func release() {
        try? connection.execute("ROLLBACK")
        connection.close()
    }
}
