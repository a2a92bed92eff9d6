import Glibc

/// Reads whole files. Calls block. Any thread.
public enum FileContents {
    /// Why a file could not be read. `description` is a phrase that can follow the file's name and a colon.
    public enum Failure: Error, Equatable, CustomStringConvertible {
        case missing
        case folder
        /// A device, a socket or a named pipe.
        case notRegular
        /// The file is larger than `limit` bytes.
        case tooLarge(limit: Int)
        /// The system's message.
        case system(String)

        public var description: String {
            switch self {
            case .missing: "no such file"
            case .folder: "is a folder"
            case .notRegular: "is not a regular file"
            case .tooLarge(let limit): "is larger than \(limit >> 20) MiB"
            case .system(let message): message
            }
        }
    }

    /// Returns the contents of a regular file of at most `limit` bytes.
    public static func read(_ path: BytePath, atMost limit: Int) throws(Failure) -> [UInt8] {
        // O_NONBLOCK, because opening a FIFO would otherwise wait for a writer.
        let descriptor = path.withCString { open($0, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) }
        guard descriptor >= 0 else {
            throw errno == ENOENT || errno == ENOTDIR ? .missing : .system(systemError())
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system(systemError()) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw .folder
        default: throw .notRegular
        }
        guard status.st_size <= limit else { throw .tooLarge(limit: limit) }
        // One byte more than the size, to notice that the file has grown.
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size) + 1)
        var count = 0
        while true {
            let got = bytes.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress! + count, $0.count - count) }
            if got < 0, errno == EINTR { continue }
            if got < 0 { throw .system(systemError()) }
            if got == 0 { break }
            count += got
            if count > limit { throw .tooLarge(limit: limit) }
            if count == bytes.count { bytes += [UInt8](repeating: 0, count: min(limit + 1 - count, 1 << 20)) }
        }
        bytes.removeLast(bytes.count - count)
        return bytes
    }
}
