import Synchronization

/// What a library's threads have found out and the main thread has not yet taken.
///
/// Shared by any threads. Its lock is held for the exchange of an array.
final class Outbox: Sendable {
    enum Report: Sendable {
        case entries([Entry])
        case failed(FolderError)
        /// Of the file as it was in `entry`.
        case probed(Entry, MediaProbe.Answer)
        case poster(Entry, PosterMaker.Answer)
    }

    private let reports = Mutex<[Report]>([])
    private let wake: @Sendable () -> Void

    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    /// Wakes the main thread with the first report that it has not taken.
    func put(_ report: Report) {
        let isFirst = reports.withLock { reports in
            reports.append(report)
            return reports.count == 1
        }
        if isFirst { wake() }
    }

    func takeAll() -> [Report] {
        reports.withLock { reports in
            defer { reports = [] }
            return reports
        }
    }
}
