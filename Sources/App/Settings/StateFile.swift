import Glibc
import GlissadePlatform
import Synchronization

/// A small file in the state folder, in which the program remembers something by itself.
///
/// Any thread. Errors in reading or writing are ignored: the program can do without the file.
final class StateFile: Sendable {
    private let path: BytePath?
    private let name: String
    /// The contents that have yet to be written; nil if there are none.
    private let pending = Mutex<[UInt8]?>(nil)
    /// Locked while the file is written, so that writes do not overlap and the latest contents are written last.
    private let turn = Mutex(())

    /// - Parameter folder: The state folder; nil to neither read nor write a file.
    init(_ name: String, in folder: BytePath?) {
        self.name = name
        path = folder?.appending(name.utf8)
    }

    /// Returns the contents; nil if there is no file, or if it is longer than `limit` bytes. Blocks.
    func read(atMost limit: Int) -> [UInt8]? { path.flatMap { AtomicFile.read($0, atMost: limit) } }

    /// Replaces the contents in the background. Creates the folder if it is missing.
    func write(_ bytes: [UInt8]) {
        guard path != nil else { return }
        pending.withLock { $0 = bytes }
        // If no thread can be started, `finish` writes the file.
        NamedThread.detach(name: "\(name) memory") { [self] in finish() }
    }

    /// Writes what has yet to be written. Blocks until the file is written.
    func finish() {
        guard let path else { return }
        turn.withLock { _ in
            let bytes = pending.withLock { pending in
                defer { pending = nil }
                return pending
            }
            guard let bytes else { return }
            AtomicFile.makeFolder(path.parent)
            _ = AtomicFile.write(bytes, to: path, by: path.parent.appending(".\(name)-\(getpid())".utf8))
        }
    }
}
