import Platform
import Time

/// The history's file through its troubles: opened when first needed, tried again where that may help, given up where it
/// does not. On the history's thread alone; everything blocks.
final class HistoryStore {
    /// After a failure nothing is tried for so long: a full disk may be cleared, another program may let go.
    static let retryDelay = Duration.seconds(5)

    private let path: FilePath?
    private let report: @Sendable (HistoryError) -> Void
    private var database: HistoryDatabase?
    /// Set once there is no use in trying.
    private(set) var isGivenUp = false
    /// When to try again, after a failure.
    private(set) var retryTime: HostTime?
    private var hasReported = false
    private var hasBegunAnew = false

    init(path: FilePath?, report: @escaping @Sendable (HistoryError) -> Void) {
        self.path = path
        self.report = report
    }

    /// Opens the file at once, so that its troubles are known early.
    func open() { _ = perform { _ in } }

    /// Does something with the file, again with a new one where it turns out to be damaged; nil where it cannot be done.
    ///
    /// - Parameter isLast: tries even where it failed a moment ago.
    func perform<R>(isLast: Bool = false, _ body: (HistoryDatabase) throws(HistoryDatabase.Failure) -> R) -> R? {
        if isGivenUp { return nil }
        if let retryTime, !isLast, HostTime.now() < retryTime { return nil }
        while true {
            do throws(HistoryDatabase.Failure) {
                let result = try body(opened())
                retryTime = nil
                return result
            } catch {
                guard meets(error) else { return nil }
            }
        }
    }

    func close() {
        database?.close()
        database = nil
        isGivenUp = true
    }

    private func opened() throws(HistoryDatabase.Failure) -> HistoryDatabase {
        if let database { return database }
        guard let path else { throw .unavailable(reason: "no home") }
        if let reason = HistoryFile.makeFolder(path.parent) ?? HistoryFile.fault(at: path) {
            throw .unavailable(reason: reason)
        }
        if HistoryFile.isForeign(path) { throw .damaged(reason: "file is not a database") }
        let opened = try HistoryDatabase(path)
        database = opened
        return opened
    }

    /// Tells of a failure, and does what can be done; whether to try again at once.
    private func meets(_ failure: HistoryDatabase.Failure) -> Bool {
        guard let path else {
            isGivenUp = true
            tell(HistoryError(path: nil, kind: .noHome))
            return false
        }
        switch failure {
        case .newer:
            isGivenUp = true
            tell(HistoryError(path: path, kind: .newer))
        case .damaged(let reason):
            database?.close()
            database = nil
            // Twice in one run, something else is wrong: files are not moved aside one after the other.
            if !hasBegunAnew, let moved = HistoryFile.moveAside(path) {
                hasBegunAnew = true
                report(HistoryError(path: path, kind: .damaged(reason: reason, movedTo: moved)))
                return true
            }
            isGivenUp = true
            tell(HistoryError(path: path, kind: .unavailable(reason: reason)))
        case .unavailable(let reason):
            retryTime = .now() + Self.retryDelay
            tell(HistoryError(path: path, kind: .unavailable(reason: reason)))
        }
        return false
    }

    private func tell(_ trouble: HistoryError) {
        if hasReported { return }
        hasReported = true
        report(trouble)
    }
}
