import CSystem
import Glibc

/// A file in memory that takes one input after the other, for what opens files by their path.
///
/// Main thread; others may read it by its path meanwhile.
@MainActor final class InputFile {
    static let shared = InputFile()

    private let descriptor: CInt
    let path: String

    private init() {
        var template = Array("/dev/shm/glissade-fuzz.XXXXXX".utf8CString)
        descriptor = mkstemp(&template)
        guard descriptor >= 0 else { fatalError("no file can be made in /dev/shm") }
        unlink(template)
        // As the library hands files to the player: by their descriptors.
        path = "/proc/self/fd/\(descriptor)"
    }

    func write(_ bytes: [UInt8]) {
        ftruncate(descriptor, 0)
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress! + done, $0.count - done, off_t(done))
            }
            guard count > 0 else { fatalError("an input cannot be written: error \(errno)") }
            done += count
        }
    }
}
