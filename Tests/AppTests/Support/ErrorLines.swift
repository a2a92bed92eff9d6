import Foundation

/// What a program says on standard error, in a file that has no name.
final class ErrorLines {
    let descriptor: CInt

    init() throws {
        var path = Array("\(NSTemporaryDirectory())/glissade-errors-XXXXXX".utf8CString)
        descriptor = mkstemp(&path)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        unlink(path)
    }

    deinit { close(descriptor) }

    var text: String {
        var bytes = [UInt8](repeating: 0, count: Int(lseek(descriptor, 0, SEEK_END)))
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}
