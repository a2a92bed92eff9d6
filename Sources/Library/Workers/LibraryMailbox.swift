import Geometry
import Synchronization

/// Results from background threads that the main thread has not taken yet.
///
/// Keeps only the latest result for the folder and for each item, so that it stays small even if its page is covered
/// for a long time. The lock is held while a few screens' worth of items are scanned.
///
/// Threads: workers add results, the main thread takes them all. Neither blocks.
final class LibraryMailbox: Sendable {
    enum Report: Sendable {
        case entries([LibraryItem])
        case failed(FolderError)
        /// The result for the file version in `entry`.
        case probed(LibraryItem, MediaProbe.Answer)
        case poster(LibraryItem, PosterMaker.Answer, limit: PixelSize)

        /// Whether this report makes `other` obsolete.
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

    /// Adds a report. Wakes the main thread if the mailbox was empty.
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
