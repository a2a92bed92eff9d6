import Media
import Platform
import Synchronization

/// Files on which a job got stuck and was abandoned together with its thread. They are not tried again unless they
/// change, or the job finishes after all.
///
/// Threads: any thread may call any method; none blocks.
final class SlowFiles: Sendable {
    private struct Version: Hashable {
        var path: FilePath
        var byteCount: Int
        var modified: FileTime

        init(_ entry: LibraryItem) { (path, byteCount, modified) = (entry.path, entry.byteCount, entry.modified) }
    }

    /// Stuck jobs per file. May briefly be negative, as the two calls for a job can come in either order.
    private let counts = Mutex<[Version: Int]>([:])

    /// Call when a job on this file was abandoned.
    func insert(_ entry: LibraryItem) { add(1, entry) }

    /// Call when such a job has finished after all.
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
