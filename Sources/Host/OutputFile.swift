import Glibc

/// Files that a person has named to be written: reports, pictures. Blocks; any thread.
public enum OutputFile {
    /// Why one was not written, in the system's words.
    public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        public var description: String
    }

    /// Writes all of a file, or none: it is written aside and takes the place of what is there, be that a link. What is no
    /// file, such as a pipe or a device, is written into, and so is what the program was started with (`/dev/stdout`).
    public static func write(_ bytes: [UInt8], to name: String) throws(Failure) {
        let path = FilePath(name)
        var status = stat()
        let exists = path.withCString { lstat($0, &status) } == 0
        let kind = status.st_mode & S_IFMT
        if isDescriptor(path) || exists && kind != S_IFREG && kind != S_IFLNK {
            try write(bytes, to: path.withCString { open($0, O_WRONLY | O_TRUNC | O_NOCTTY | O_CLOEXEC) })
            return
        }
        let mode = exists && kind == S_IFREG ? status.st_mode & 0o777 : 0o666
        let draft = path.parent.appending(".glissade-\(getpid()).part".utf8)
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let file = draft.withCString { open($0, flags, mode) }
        do throws(Failure) {
            try write(bytes, to: file)
            guard draft.withCString({ from in path.withCString { rename(from, $0) } }) == 0 else { throw failure() }
        } catch {
            // Half a file is none; but another's, with which this one could not be made, stays.
            if file >= 0 { _ = draft.withCString { unlink($0) } }
            throw error
        }
    }

    /// Whether a path leads to what the program was started with: links that the kernel has made, in `/dev` and `/proc`.
    private static func isDescriptor(_ path: FilePath) -> Bool {
        guard let folder = path.parent.withCString({ realpath($0, nil) }) else { return false }
        defer { free(folder) }
        return strcmp(folder, "/dev") == 0 || strncmp(folder, "/proc/", 6) == 0
    }

    /// Writes all, and closes the file.
    private static func write(_ bytes: [UInt8], to file: CInt) throws(Failure) {
        guard file >= 0 else { throw failure() }
        var sent = 0
        while sent < bytes.count {
            // Not empty, so not null.
            let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress! + sent, $0.count - sent) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let failure = failure()
                close(file)
                throw failure
            }
            sent += count
        }
        // Some file systems tell only now that they are full.
        guard close(file) == 0 else { throw failure() }
    }

    private static func failure() -> Failure { Failure(description: systemError()) }
}
