import Foundation
import GRDB
import Platform

/// Does something with a database behind the history's back.
func execute(_ sql: String, _ path: FilePath) throws {
    let queue = try DatabaseQueue(path: path.displayPath)
    try queue.write { try $0.execute(sql: sql) }
    try queue.close()
}

/// What SQLite has to say of a database's state: "ok".
func integrity(_ path: FilePath) throws -> String? {
    let queue = try DatabaseQueue(path: path.displayPath)
    defer { try? queue.close() }
    return try queue.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") }
}

/// Another program's write lock on a database.
final class Lock {
    private let queue: DatabaseQueue

    init(_ path: FilePath) throws {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        queue = try DatabaseQueue(path: path.displayPath, configuration: configuration)
        try queue.writeWithoutTransaction { try $0.beginTransaction(.immediate) }
    }

    func release() {
        try? queue.writeWithoutTransaction { try $0.rollback() }
        try? queue.close()
    }
}
