import Glibc
import Host

/// The calls of the system by which files in a cache are read and written. Errors are none: a cache may be missing.
enum CacheFile {
    /// Files that are being written; one that is left over from a crash is taken away after an hour.
    static let draftEnding = ".draft"
    private static let draftLife: Int64 = 3_600_000_000_000

    static func read(_ path: FilePath, atMost limit: Int) -> [UInt8]? {
        let descriptor = path.withCString { open($0, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            (1...limit).contains(Int(status.st_size))
        else { return nil }
        let size = Int(status.st_size)
        return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            while count < size {
                let got = Glibc.read(descriptor, buffer.baseAddress.map { $0 + count }, size - count)
                if got <= 0 { return }
                count += got
            }
        }
    }

    /// Writes a file by way of a draft; whether that succeeded.
    static func write(_ bytes: [UInt8], to path: FilePath, by draft: FilePath) -> Bool {
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
        if !isMoved { _ = remove(draft) }
        return isMoved
    }

    /// Marks a file as just used.
    static func touch(_ path: FilePath) { _ = path.withCString { utimensat(AT_FDCWD, $0, nil, 0) } }

    static func remove(_ path: FilePath) -> Bool { path.withCString { unlink($0) == 0 } }

    /// Makes a folder and those above it, for this user alone.
    static func makeFolder(_ path: FilePath) {
        if path.withCString({ mkdir($0, 0o700) }) == 0 || errno != ENOENT { return }
        let parent = path.parent
        if parent == path { return }
        makeFolder(parent)
        _ = path.withCString { mkdir($0, 0o700) }
    }

    struct Listed {
        var path: FilePath
        var byteCount: Int
        var modified: FileTime
    }

    /// The files in `folder` whose names end so; takes old drafts away in passing.
    static func list(_ folder: FilePath, ending: String) -> [Listed] {
        guard let directory = folder.withCString({ opendir($0) }) else { return [] }
        defer { closedir(directory) }
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let oldest = FileTime(now).nanoseconds &- draftLife
        var files: [Listed] = []
        while let found = readdir(directory) {
            guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { break }
            let start = (UnsafeRawPointer(found) + offset).assumingMemoryBound(to: CChar.self)
            let name = String(cString: start)
            let isDraft = name.hasSuffix(draftEnding)
            var status = stat()
            guard isDraft || name.hasSuffix(ending),
                fstatat(dirfd(directory), start, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_mode & S_IFMT == S_IFREG
            else { continue }
            let file = Listed(
                path: folder.appending(name.utf8), byteCount: Int(status.st_size), modified: FileTime(status.st_mtim))
            if !isDraft { files.append(file) } else if file.modified.nanoseconds < oldest { _ = remove(file.path) }
        }
        return files
    }
}
