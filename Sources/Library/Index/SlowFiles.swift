import Media
import Platform
import Synchronization

/// Files that hold up a worker for so long that it was left behind with them: they are not tried again, unless they change or
/// its job ends after all. Shared by any threads.
///
/// Threads: any thread may call any method; none blocks.
final class SlowFiles: Sendable {
    private struct Version: Hashable {
        var path: FilePath
        var byteCount: Int
        var modified: FileTime

        init(_ entry: LibraryItem) { (path, byteCount, modified) = (entry.path, entry.byteCount, entry.modified) }
    }

    /// How many jobs each holds up. Less than none where one ends before it is counted: the two calls may come in either order.
    private let counts = Mutex<[Version: Int]>([:])

    /// A job was given up with this file.
    func insert(_ entry: LibraryItem) { add(1, entry) }

    /// Such a job has ended after all.
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
