import Glibc
public import Media
import Picture
public import Platform
import Synchronization

/// A disk cache of posters, keyed by the file that they were made from.
///
/// Several programs may share the cache folder. No file in it is essential: missing or damaged posters are made again.
/// Each file is written to a draft first and then renamed, so no file is ever incomplete.
///
/// Threads: any thread may call any method. Reading and writing block, without holding the lock.
public final class PosterDiskCache: Sendable {
    /// The cached result for a media file.
    enum Content: Sendable {
        case poster(Bitmap)
        /// The media file has no poster.
        case absent
    }

    private let folder: FilePath?
    private let byteLimit: Int
    private let memory = Mutex(Memory())

    private struct Memory {
        /// The bytes in the folder, not counting changes by other programs; nil until first measured.
        var byteCount: Int?
        var lastNumber = 0
        /// The media files known to have no poster. Kept in memory in case this cannot be stored on disk.
        var barren: Set<PosterKey> = []
    }

    /// The most files in `barren`.
    private static let barrenLimit = 4096
    /// The largest cache file, in bytes. A larger file in the folder is not from this cache.
    private static let largestFile = 1 << 20

    /// - Parameters:
    ///   - folder: the cache folder, created when first needed; nil disables the disk cache.
    ///   - byteLimit: the most bytes in the folder. Beyond this, the least recently used files are deleted.
    public init(folder: FilePath? = PosterDiskCache.standardFolder, byteLimit: Int = 64 << 20) {
        self.folder = folder
        self.byteLimit = byteLimit
    }

    /// `$XDG_CACHE_HOME/glissade/posters` if the variable is an absolute path, as the XDG Base Directory Specification
    /// requires, else in `~/.cache`. Nil if there is no home directory.
    public static var standardFolder: FilePath? { standardFolder("posters") }

    /// The folder called `name` in Glissade's cache folder; nil if there is no home directory.
    static func standardFolder(_ name: String) -> FilePath? { XDGDirectory.cache.ofGlissade?.appending(name.utf8) }

    /// The cached result for a media file; nil if there is none. Blocks.
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

    /// Stores a poster. With nil, records that the file has none. Blocks.
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

    /// Measures the folder. If it exceeds the limit, deletes the least recently used files, down to nine tenths of the
    /// limit.
    private func trim(_ folder: FilePath) {
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
