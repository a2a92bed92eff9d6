import Glibc

/// Reads and writes small files as a whole. Calls may block. Any thread.
package enum AtomicFile {
    /// Returns a file's contents; nil if the file is missing, unreadable, empty, longer than `limit` bytes, or not a
    /// regular file.
    package static func read(_ path: BytePath, atMost limit: Int) -> [UInt8]? {
        guard let bytes = try? FileContents.read(path, atMost: limit), !bytes.isEmpty else { return nil }
        return bytes
    }

    /// Writes `bytes` to the file `draft` and renames that file to `path`, so that a partly written file never appears
    /// at `path`. Returns false and removes `draft` on failure.
    package static func write(_ bytes: [UInt8], to path: BytePath, by draft: BytePath) -> Bool {
        let descriptor = draft.withCString { open($0, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600) }
        guard descriptor >= 0 else { return false }
        var sent = 0
        bytes.withUnsafeBytes { buffer in
            while sent < buffer.count {
                let count = Glibc.write(descriptor, buffer.baseAddress.map { $0 + sent }, buffer.count - sent)
                if count <= 0 { return }
                sent += count
            }
        }
        let isWhole = close(descriptor) == 0 && sent == bytes.count
        let isMoved = isWhole && draft.withCString { from in path.withCString { rename(from, $0) == 0 } }
        if !isMoved { _ = draft.withCString { unlink($0) } }
        return isMoved
    }

    /// Creates a folder and any missing parents, all accessible only to this user. Ignores failures.
    package static func makeFolder(_ path: BytePath) {
        if path.withCString({ mkdir($0, 0o700) }) == 0 || errno != ENOENT { return }
        let parent = path.parent
        if parent == path { return }
        makeFolder(parent)
        _ = path.withCString { mkdir($0, 0o700) }
    }
}
