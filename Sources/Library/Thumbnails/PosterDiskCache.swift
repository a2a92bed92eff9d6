import Glibc
public import Media
import Picture
public import Platform
import Synchronization

/// Posters on the disk, by the file they show.
///
/// Shared by any threads, and by any number of programs. Nothing in it is needed: what is missing, damaged, or cannot be
/// written is made anew the next time. Files are written beside their place and moved there, so that none is ever half.
///
/// Threads: any thread may call any method. Reading and writing block; the lock is not held meanwhile.
public final class PosterDiskCache: Sendable {
    /// What is known of a file.
    enum Content: Sendable {
        case poster(Bitmap)
        /// It yields no poster.
        case absent
    }

    private let folder: FilePath?
    private let byteLimit: Int
    private let memory = Mutex(Memory())

    private struct Memory {
        /// What the folder holds, as far as this program knows; nil before it looked.
        var byteCount: Int?
        var lastNumber = 0
        /// Files without a poster, where that cannot be noted on the disk.
        var barren: Set<PosterKey> = []
    }

    /// Beyond this many, files without a poster are tried again.
    private static let barrenLimit = 4096
    /// No file in the cache is larger: it is none of ours.
    private static let largestFile = 1 << 20

    /// - Parameters:
    ///   - folder: made when first needed; nil keeps nothing.
    ///   - byteLimit: when there is more, those that were not looked at for the longest time go.
    public init(folder: FilePath? = PosterDiskCache.standardFolder, byteLimit: Int = 64 << 20) {
        self.folder = folder
        self.byteLimit = byteLimit
    }

    /// `$XDG_CACHE_HOME/glissade/posters`, where that is an absolute path as the XDG base directory specification demands,
    /// else in `~/.cache`; nil where there is no home.
    public static var standardFolder: FilePath? { standardFolder("posters") }

    /// Beside it, the folder called `name`.
    static func standardFolder(_ name: String) -> FilePath? { XDGDirectory.cache.ofGlissade?.appending(name.utf8) }

    /// What is known of a file; nil where nothing is. Blocks.
    func load(_ key: PosterKey) -> Content? {
        if memory.withLock({ $0.barren.contains(key) }) { return .absent }
        guard let path = folder?.appending(key.fileName.utf8),
            let bytes = AtomicFile.read(path, atMost: Self.largestFile)
        else { return nil }
        guard let content = PosterRecord.poster(in: bytes, for: key) else { return nil }
        // The oldest go first, and the oldest are those that nobody wanted.
        CacheFile.touch(path)
        return content
    }

    /// Keeps a poster, or that there is none. Blocks.
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

    /// Counts what is there and takes the oldest away, down to nine tenths of the limit.
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
