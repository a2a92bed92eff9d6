import Host
import Synchronization

/// Files that held up a worker for so long that it was left behind with them: they are not tried again while the program
/// runs, unless they change. Shared by any threads.
final class SlowFiles: Sendable {
    private struct Version: Hashable {
        var path: FilePath
        var byteCount: Int
        var modified: FileTime

        init(_ entry: Entry) { (path, byteCount, modified) = (entry.path, entry.byteCount, entry.modified) }
    }

    private let versions = Mutex<Set<Version>>([])

    func insert(_ entry: Entry) { versions.withLock { _ = $0.insert(Version(entry)) } }

    func contains(_ entry: Entry) -> Bool { versions.withLock { $0.contains(Version(entry)) } }
}
