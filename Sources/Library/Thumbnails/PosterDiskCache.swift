import Glibc
package import GlissadeMedia
import GlissadePicture
import GlissadePlatform
import Synchronization

/// A disk cache of posters or seek previews, each stored under its `PosterKey`.
///
/// Several processes may share the cache folder. A missing or damaged picture is made again. Each file is written as a
/// draft and then renamed, so cache files are never incomplete.
///
/// Threads: any thread may call any method. `load` and `store` block while they access the disk.
package final class PosterDiskCache: Sendable {
    /// The cached result for a media file.
    enum Content: Sendable {
        case poster(Bitmap)
        /// The media file has no poster.
        case absent
    }

    private let folder: BytePath?
    private let byteLimit: Int
    private let memory = Mutex(Memory())

    private struct Memory {
        /// The total size of the cache files, in bytes. Does not include changes that other processes made after the
        /// last measurement. Nil before the first measurement.
        var byteCount: Int?
        var lastNumber = 0
        /// The keys of media files known to have no poster. They are kept in memory because storing them on disk may
        /// fail.
        var barren: Set<PosterKey> = []
    }

    /// The maximum number of keys in `barren`. When it is reached, all keys are dropped.
    private static let barrenLimit = 4096
    /// The maximum size of a cache file, in bytes. Larger pictures are not stored, and larger files are ignored.
    private static let largestFile = 1 << 20

    /// Creates a cache. Does not access the disk.
    ///
    /// - Parameters:
    ///   - folder: The cache folder, created when first needed; nil disables the disk cache.
    ///   - byteLimit: The maximum size of the folder, in bytes. Beyond it, the least recently used files are deleted.
    package init(folder: BytePath? = PosterDiskCache.standardFolder, byteLimit: Int = 64 << 20) {
        self.folder = folder
        self.byteLimit = byteLimit
    }

    /// The folder for posters: `$XDG_CACHE_HOME/glissade/posters` if the variable is an absolute path, else
    /// `~/.cache/glissade/posters`. Nil if `$HOME` is needed but is not an absolute path.
    package static var standardFolder: BytePath? { standardFolder("posters") }

    /// Returns the path of the subfolder `name` of Glissade's cache folder; nil if there is no cache folder.
    static func standardFolder(_ name: String) -> BytePath? { XDGDirectory.cache.ofGlissade?.appending(name.utf8) }

    /// Returns the cached result for a key; nil if there is none. Blocks.
    func load(_ key: PosterKey) -> Content? {
        if memory.withLock({ $0.barren.contains(key) }) { return .absent }
        guard let path = folder?.appending(key.fileName.utf8),
            let bytes = AtomicFile.read(path, atMost: Self.largestFile)
        else { return nil }
        guard let content = PosterRecord.poster(in: bytes, for: key) else { return nil }
        // Mark this file as used, since `trim` deletes the oldest files first.
        CacheFile.touch(path)
        return content
    }

    /// Stores a poster. A nil `poster` records that the media file has none. Blocks.
    func store(_ poster: Bitmap?, for key: PosterKey) {
        if poster == nil {
            memory.withLock { memory in
                if memory.barren.count >= Self.barrenLimit { memory.barren.removeAll() }
                memory.barren.insert(key)
            }
        }
        guard let folder, let bytes = PosterRecord.bytes(poster, for: key), bytes.count <= Self.largestFile else {
            return
        }
        AtomicFile.makeFolder(folder)
        let number = memory.withLock { memory in
            memory.lastNumber += 1
            return memory.lastNumber
        }
        let draft = folder.appending(".\(getpid())-\(number)\(CacheFile.draftEnding)".utf8)
        guard AtomicFile.write(bytes, to: folder.appending(key.fileName.utf8), by: draft) else { return }
        let isOver = memory.withLock { memory in
            if let count = memory.byteCount { memory.byteCount = count + bytes.count }
            return memory.byteCount.map { $0 > byteLimit } ?? true
        }
        if isOver { trim(folder) }
    }

    /// Measures the folder. If it exceeds the limit, deletes the least recently used files until the folder is down to
    /// nine tenths of the limit.
    private func trim(_ folder: BytePath) {
        var files = CacheFile.list(folder, ending: PosterKey.fileEnding)
        var count = files.reduce(0) { $0 + $1.byteCount }
        if count > byteLimit {
            files.sort { $0.modified < $1.modified }
            for file in files where count > byteLimit / 10 * 9 {
                if CacheFile.remove(file.path) { count -= file.byteCount }
            }
        }
        memory.withLock { $0.byteCount = count }
    }
}
