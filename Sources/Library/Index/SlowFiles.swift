import GlissadeMedia
import GlissadePlatform
import Synchronization

/// The files whose jobs got stuck and were abandoned. Such a file is skipped until it changes or the abandoned job
/// finishes.
///
/// Threads: any thread may call any method; none blocks.
final class SlowFiles: Sendable {
    private struct Version: Hashable {
        var path: BytePath
        var byteCount: Int
        var modified: FileTime

        init(_ entry: LibraryItem) { (path, byteCount, modified) = (entry.path, entry.byteCount, entry.modified) }
    }

    /// The number of stuck jobs for each version of a file. May briefly be negative, because `remove` may be called
    /// before `insert` for the same job.
    private let counts = Mutex<[Version: Int]>([:])

    /// Records that a job on the file of `entry` was abandoned.
    func insert(_ entry: LibraryItem) { add(1, entry) }

    /// Records that an abandoned job on the file of `entry` has finished.
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
