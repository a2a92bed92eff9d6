import Glibc
import GlissadeMedia
import GlissadePlatform

/// File operations for `PosterDiskCache`.
enum CacheFile {
    /// The extension of drafts: files that are still being written. `list` deletes drafts left over from a crash.
    static let draftEnding = ".draft"
    /// The age beyond which `list` deletes a draft, in nanoseconds: 1 hour.
    private static let draftLife: Int64 = 3_600_000_000_000

    /// Sets the file's modification time to now, which marks it as used.
    static func touch(_ path: BytePath) { _ = path.withCString { utimensat(AT_FDCWD, $0, nil, 0) } }

    static func remove(_ path: BytePath) -> Bool { path.withCString { unlink($0) == 0 } }

    struct Listed {
        var path: BytePath
        var byteCount: Int
        var modified: FileTime
    }

    /// Returns the regular files in `folder` with the extension `ending`. Also deletes drafts older than `draftLife`.
    static func list(_ folder: BytePath, ending: String) -> [Listed] {
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
