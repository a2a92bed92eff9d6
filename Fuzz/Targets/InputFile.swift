import GlissadeCSystem
import Glibc

/// A file in memory that holds the current input, for code that opens files by path.
///
/// Main thread. Other threads may read the file by its path at the same time.
@MainActor final class InputFile {
    static let shared = InputFile()

    private let descriptor: CInt
    let path: String

    private init() {
        var template = Array("/dev/shm/glissade-fuzz.XXXXXX".utf8CString)
        descriptor = mkstemp(&template)
        guard descriptor >= 0 else { fatalError("cannot create a file in /dev/shm") }
        unlink(template)
        // A path by descriptor, such as the library passes to the player.
        path = "/proc/self/fd/\(descriptor)"
    }

    func write(_ bytes: [UInt8]) {
        ftruncate(descriptor, 0)
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress! + done, $0.count - done, off_t(done))
            }
            guard count > 0 else { fatalError("cannot write an input: error \(errno)") }
            done += count
        }
    }
}
