import Glibc
import GlissadeMedia
import GlissadePlatform

/// A regular file that is kept open, so that it remains accessible even if another file replaces it at its path.
///
/// FFmpeg opens the descriptor's path under /proc. It therefore never opens a replacement, such as a pipe on which it
/// would block.
struct OpenedFile: ~Copyable {
    private let descriptor: CInt
    let byteCount: Int
    let modified: FileTime

    /// The path under /proc for FFmpeg to open.
    var location: String { "/proc/self/fd/\(descriptor)" }

    /// Opens a file. Throws the reason if opening fails, or if the file is empty or not a regular file.
    init(_ path: BytePath) throws(Reason) {
        var status = stat()
        guard path.withCString({ stat($0, &status) }) == 0 else { throw Reason(words: systemError()) }
        // Check the type before opening too, since opening a device may have side effects.
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

    /// Whether the file still has the size and modification time that it had when it was opened.
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
