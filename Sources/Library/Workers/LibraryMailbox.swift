import Geometry
import Synchronization

/// What a library's threads have found out and the main thread has not yet taken.
///
/// Of each kind it holds the latest about the folder and about each entry: a page that takes nothing for a long time,
/// because another covers it, finds no more than there is to know. Shared by any threads. Its lock is held for a look
/// through a few screens' entries.
///
/// Threads: workers put, the main thread takes all. Neither blocks.
final class LibraryMailbox: Sendable {
    enum Report: Sendable {
        case entries([LibraryItem])
        case failed(FolderError)
        /// Of the file as it was in `entry`.
        case probed(LibraryItem, MediaProbe.Answer)
        case poster(LibraryItem, PosterMaker.Answer, limit: PixelSize)

        /// Whether nobody needs `other` after this one.
        fileprivate func replaces(_ other: Report) -> Bool {
            switch (self, other) {
            case (.entries, .entries), (.failed, .failed): true
            case (.probed(let entry, _), .probed(let old, _)), (.poster(let entry, _, _), .poster(let old, _, _)):
                entry.id == old.id
            default: false
            }
        }
    }

    private let reports = Mutex<[Report]>([])
    private let wake: @Sendable () -> Void

    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    /// Wakes the main thread with the first report that it has not taken.
    func put(_ report: Report) {
        let isFirst = reports.withLock { reports in
            let isFirst = reports.isEmpty
            reports.removeAll { report.replaces($0) }
            reports.append(report)
            return isFirst
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
