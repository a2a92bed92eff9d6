import Glibc

/// Writes files whose names the user has given, such as reports and screenshots. Calls may block. Any thread.
public enum OutputFile {
    /// The system's message about why a file was not written, or was not written completely.
    public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        public var description: String
    }

    /// Writes a file. If possible, the file is replaced either completely or not at all: a temporary file is written
    /// and then renamed over the old file or symbolic link. Pipes, devices and inherited descriptors such as
    /// `/dev/stdout` are written to directly.
    ///
    /// Some regular files cannot be replaced: files with several hard links, files that belong to another user, files
    /// in a folder that is not writable, and files used as mount points. These are written in place; if the disk is
    /// full, they are left incomplete. A read-only file is not changed, and writing to it fails.
    public static func write(_ bytes: [UInt8], to name: String) throws(Failure) {
        try write(bytes, to: BytePath(name))
    }

    /// Writes a file like `write(_:to:)` of a name. The path need not be valid UTF-8.
    public static func write(_ bytes: [UInt8], to path: BytePath) throws(Failure) {
        try write(bytes, to: path) { rename($0, $1) }
    }

    /// Writes a file like `write(_:to:)`, but uses `replace` to rename the temporary file, so that tests can make this
    /// step fail.
    ///
    /// - Parameter replace: Renames a file, like `rename(2)`.
    static func write(
        _ bytes: [UInt8], to path: BytePath, replace: (UnsafePointer<CChar>, UnsafePointer<CChar>) -> CInt
    ) throws(Failure) {
        var status = stat()
        let exists = path.withCString { lstat($0, &status) } == 0
        let kind = status.st_mode & S_IFMT
        if isDescriptor(path) || exists && kind != S_IFREG && kind != S_IFLNK {
            try write(bytes, to: path.withCString { open($0, O_WRONLY | O_TRUNC | O_NOCTTY | O_CLOEXEC) })
            return
        }
        let old = exists && kind == S_IFREG ? status : nil
        if let old {
            // In a writable folder, renaming would replace even a read-only file.
            let isRefused = path.withCString { faccessat(AT_FDCWD, $0, W_OK, AT_EACCESS) } != 0
            if isRefused, [EACCES, EROFS].contains(errno) { throw failure() }
            if old.st_nlink > 1 { return try writeInPlace(bytes, path) }
        }
        // The number is random, so that the name cannot be predicted and does not match a leftover of another run.
        let number = String(UInt64.random(in: 0 ... .max), radix: 36)
        let draft = path.parent.appending(".glissade-\(number).part".utf8)
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let file = draft.withCString { open($0, flags, 0o666) }
        if file < 0 {
            if old != nil, [EACCES, EPERM, EROFS].contains(errno) { return try writeInPlace(bytes, path) }
            throw failure()
        }
        do throws(Failure) {
            if let old, fchown(file, old.st_uid, old.st_gid) != 0 || fchmod(file, old.st_mode & 0o777) != 0 {
                close(file)
                _ = draft.withCString { unlink($0) }
                return try writeInPlace(bytes, path)
            }
            try write(bytes, to: file)
            guard draft.withCString({ from in path.withCString { replace(from, $0) } }) == 0 else {
                guard old != nil, errno == EBUSY else { throw failure() }
                _ = draft.withCString { unlink($0) }
                return try writeInPlace(bytes, path)
            }
        } catch {
            // Removes the temporary file.
            _ = draft.withCString { unlink($0) }
            throw error
        }
    }

    private static func writeInPlace(_ bytes: [UInt8], _ path: BytePath) throws(Failure) {
        let flags = O_WRONLY | O_TRUNC | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC
        try write(bytes, to: path.withCString { open($0, flags) })
    }

    /// Whether a path is in `/dev` or below `/proc`, where the kernel keeps links to inherited descriptors.
    private static func isDescriptor(_ path: BytePath) -> Bool {
        guard let folder = path.parent.withCString({ realpath($0, nil) }) else { return false }
        defer { free(folder) }
        return strcmp(folder, "/dev") == 0 || strncmp(folder, "/proc/", 6) == 0
    }

    /// Writes all bytes and closes the descriptor. Also closes the descriptor if writing fails.
    private static func write(_ bytes: [UInt8], to file: CInt) throws(Failure) {
        guard file >= 0 else { throw failure() }
        var sent = 0
        while sent < bytes.count {
            // The array is not empty, so the address is not null.
            let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress! + sent, $0.count - sent) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let failure = failure()
                close(file)
                throw failure
            }
            sent += count
        }
        // Some file systems report a full disk only when the file is closed.
        guard close(file) == 0 else { throw failure() }
    }

    private static func failure() -> Failure { Failure(description: systemError()) }
}
