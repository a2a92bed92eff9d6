import GlissadeGeometry
import GlissadeMedia
import GlissadePicture
import Synchronization

/// Makes a film's seek previews. Keeps the film open between jobs, and caches the previews.
///
/// Threads: confined to one thread of the job queue.
final class PreviewMaker {
    enum Job: Sendable {
        /// Makes a preview of the keyframe nearest to a position, and passes the preview to `answer` on the queue's
        /// thread. Does not call `answer` if there is no preview, or if the job was canceled or abandoned.
        case make(near: Duration, answer: @Sendable (SeekPreview) -> Void)
        /// Closes the file and the decoder.
        case release
    }

    private struct Film: ~Copyable {
        let file: OpenedFile
        let key: PosterKey
        /// The decoder. Nil if the file has no previews: it has only audio or a still picture, its duration is unknown,
        /// it cannot seek, or FFmpeg cannot open it.
        var source: ThumbnailSource?
    }

    /// Holds the current job's time budget for the decoder, which is kept between jobs.
    private final class CurrentBudget: Sendable {
        let budget = Mutex<TimeBudget?>(nil)
        var isSpent: Bool { budget.withLock { $0 }?.isSpent ?? false }
    }

    private let path: BytePath
    private let limit: PixelSize
    private let cache: PosterDiskCache
    private let current = CurrentBudget()
    private var film: Film?
    /// The version of the file from which the previews in `memoryCache` were made.
    private var cachedVersion: PosterKey?
    private var memoryCache: PosterMemoryCache<Duration>

    init(_ path: BytePath, fitting limit: PixelSize, cache: PosterDiskCache, memoryBytes: Int) {
        self.path = path
        self.limit = limit
        self.cache = cache
        memoryCache = PosterMemoryCache(byteLimit: memoryBytes)
    }

    func perform(_ job: Job, _ budget: TimeBudget) {
        switch job {
        case .release: film = nil
        case .make(let place, let answer):
            current.budget.withLock { $0 = budget }
            defer { current.budget.withLock { $0 = nil } }
            open(budget)
            guard let picture = picture(near: place), !budget.isUnwanted else { return }
            answer(SeekPreview(place: place, time: picture.time, bitmap: picture.bitmap))
            // Answer first, then write to disk.
            if let key = picture.unkept { cache.store(picture.bitmap, for: key) }
        }
    }

    /// Opens the file, unless it is already open and unchanged. A file without previews is not tried again until the
    /// file changes or `release` closes it.
    private func open(_ budget: TimeBudget) {
        // Not `case nil`: matching it on a noncopyable optional would consume the value.
        let isCurrent = film?.file.isUnchanged ?? false
        if isCurrent { return }
        film = nil
        do throws(OpenedFile.Reason) {
            let file = try OpenedFile(path)
            let key = PosterKey(
                path: path, byteCount: file.byteCount, modified: file.modified, place: .zero, limit: limit)
            if cachedVersion != key {
                memoryCache = PosterMemoryCache(byteLimit: memoryCache.byteLimit)
                cachedVersion = key
            }
            let current = current
            let location = file.location
            film = Film(file: file, key: key, source: nil)
            do throws(PlaybackError) {
                let source = try ThumbnailSource(
                    location: location, fileName: path.displayName, isInterrupted: { current.isSpent })
                if source.seekableDuration != nil { film?.source = consume source }
            } catch {
                if budget.isUnwanted || budget.hasRunOut { film = nil }
            }
        } catch {
            return
        }
    }

    /// Returns a preview of the keyframe nearest to `place`, from a cache if possible; nil if no preview can be made.
    /// `unkept` is the key under which the preview must still be stored on disk; nil if the preview came from a cache.
    private func picture(near place: Duration) -> (time: Duration, bitmap: Bitmap, unkept: PosterKey?)? {
        guard let time = film?.source?.findKeyframe(near: place), var key = film?.key else { return nil }
        memoryCache.see([time])
        if let bitmap = memoryCache[time] { return (time, bitmap, nil) }
        key.place = time
        let bitmap: Bitmap
        var unkept: PosterKey?
        if case .poster(let kept) = cache.load(key) {
            bitmap = kept
        } else {
            guard let made = film?.source?.foundKeyframePicture(fitting: limit) else { return nil }
            bitmap = made
            unkept = key
        }
        memoryCache.put(bitmap, for: time, isInSight: true)
        return (time, bitmap, unkept)
    }
}
