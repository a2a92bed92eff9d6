import CSystem
import Glibc

/// A file in memory that holds one input after the other, for code that opens files by path.
///
/// Main thread; other threads may read it by its path meanwhile.
@MainActor final class InputFile {
    static let shared = InputFile()

    private let descriptor: CInt
    let path: String

    private init() {
        var template = Array("/dev/shm/glissade-fuzz.XXXXXX".utf8CString)
        descriptor = mkstemp(&template)
        guard descriptor >= 0 else { fatalError("cannot create a file in /dev/shm") }
        unlink(template)
        // As the library passes files to the player: by descriptor.
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
