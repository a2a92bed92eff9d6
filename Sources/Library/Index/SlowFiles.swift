import Media
import Platform
import Synchronization

/// The files on which a job got stuck, so that the job was abandoned together with its thread. Such a file is not tried
/// again until it changes or the abandoned job finishes after all.
///
/// Threads: any thread may call any method; none blocks.
final class SlowFiles: Sendable {
    private struct Version: Hashable {
        var path: FilePath
        var byteCount: Int
        var modified: FileTime

        init(_ entry: LibraryItem) { (path, byteCount, modified) = (entry.path, entry.byteCount, entry.modified) }
    }

    /// The number of stuck jobs per file version. May briefly be negative, because `insert` and `remove` for the same
    /// job can come in either order.
    private let counts = Mutex<[Version: Int]>([:])

    /// Records a stuck job. Call this when a job on the file of `entry` has been abandoned.
    func insert(_ entry: LibraryItem) { add(1, entry) }

    /// Removes a stuck job. Call this when an abandoned job on the file of `entry` has finished after all.
    func remove(_ entry: LibraryItem) { add(-1, entry) }

    private func add(_ change: Int, _ entry: LibraryItem) {
        let version = Version(entry)
        counts.withLock { counts in
            let count = counts[version, default: 0] + change
            counts[version] = count == 0 ? nil : count
        }
    }

    func contains(_ entry: LibraryItem) -> Bool { counts.withLock { $0[Version(entry), default: 0] > 0 } }
}
