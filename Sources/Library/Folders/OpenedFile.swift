import Glibc
import Media
import Platform

/// A regular file that is held open, so that it is the same one however often its name is given to another.
///
/// FFmpeg is given the descriptor's name under /proc, not the path: whatever takes the file's place in the meantime (a
/// pipe, the opening of which would wait for a writer for ever) is not met by it.
struct OpenedFile: ~Copyable {
    private let descriptor: CInt
    let byteCount: Int
    let modified: FileTime

    /// The name by which FFmpeg opens it.
    var location: String { "/proc/self/fd/\(descriptor)" }

    /// Opens without ever waiting. The error is the reason, in words.
    init(_ path: FilePath) throws(Reason) {
        var status = stat()
        guard path.withCString({ stat($0, &status) }) == 0 else { throw Reason(words: systemError()) }
        // Asked before as well as after: opening a device may do something.
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
        let descriptor = path.withCString { open($0, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw Reason(words: systemError()) }
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw .notAFile
        }
        guard status.st_size > 0 else {
            close(descriptor)
            throw Reason(words: "the file is empty")
        }
        self.descriptor = descriptor
        byteCount = Int(status.st_size)
        modified = FileTime(status.st_mtim)
    }

    /// Whether it is as it was when it was opened, as far as size and time tell.
    var isUnchanged: Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return false }
        return Int(status.st_size) == byteCount && FileTime(status.st_mtim) == modified
    }

    deinit { close(descriptor) }

    struct Reason: Error {
        var words: String
        static let notAFile = Reason(words: "not a file")
    }
}
