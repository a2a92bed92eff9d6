import Geometry
import Media
import Picture
import Synchronization

/// Makes a film's previews, on its worker's thread alone: the file that it holds open, and what it has made of it.
final class PreviewMaker {
    /// What is asked of it.
    enum Job: Sendable {
        /// The picture near a place; `answer` is called on this thread.
        case make(near: Duration, answer: @Sendable (SeekPreview) -> Void)
        /// To let go of the file and the decoder.
        case release
    }

    /// The file as it was when it was opened, and the decoder.
    private struct Film: ~Copyable {
        let file: OpenedFile
        let key: PosterKey
        /// Nil where it shows no places: only sound, a picture, a length that nobody knows.
        var source: ThumbnailSource?
    }

    /// The allowance of the job that is being done, for a decoder that outlives it.
    private final class Turn: Sendable {
        let allowance = Mutex<TimeBudget?>(nil)
        var isSpent: Bool { allowance.withLock { $0 }?.isSpent ?? false }
    }

    private let path: FilePath
    private let limit: PixelSize
    private let cache: PosterDiskCache
    private let turn = Turn()
    private var film: Film?
    /// Which pictures are those on the shelf.
    private var shelfKey: PosterKey?
    private var shelf: PosterMemoryCache<Duration>

    init(_ path: FilePath, fitting limit: PixelSize, cache: PosterDiskCache, memoryBytes: Int) {
        self.path = path
        self.limit = limit
        self.cache = cache
        shelf = PosterMemoryCache(byteLimit: memoryBytes)
    }

    func perform(_ job: Job, _ allowance: TimeBudget) {
        switch job {
        case .release: film = nil
        case .make(let place, let answer):
            turn.allowance.withLock { $0 = allowance }
            defer { turn.allowance.withLock { $0 = nil } }
            open(allowance)
            guard let picture = picture(near: place), !allowance.isUnwanted else { return }
            answer(SeekPreview(place: place, time: picture.time, bitmap: picture.bitmap))
            // Nobody is to wait for the disk.
            if let key = picture.unkept { cache.store(picture.bitmap, for: key) }
        }
    }

    /// Opens the file where it is not open, or has changed since. A file that shows nothing is not tried again until then.
    private func open(_ allowance: TimeBudget) {
        // A `case nil` of an optional that cannot be copied would consume it.
        let isCurrent = film?.file.isUnchanged ?? false
        if isCurrent { return }
        film = nil
        do throws(OpenedFile.Reason) {
            let file = try OpenedFile(path)
            let key = PosterKey(
                path: path, byteCount: file.byteCount, modified: file.modified, place: .zero, limit: limit)
            if shelfKey != key {
                shelf = PosterMemoryCache(byteLimit: shelf.byteLimit)
                shelfKey = key
            }
            let turn = turn
            let location = file.location
            film = Film(file: file, key: key, source: nil)
            do throws(PlaybackError) {
                let source = try ThumbnailSource(
                    location: location, fileName: path.displayName, isInterrupted: { turn.isSpent })
                if source.seekableDuration != nil { film?.source = consume source }
            } catch {
                if allowance.isUnwanted || allowance.hasRunOut { film = nil }
            }
        } catch {
            return
        }
    }

    /// - Returns: also what the picture is to be kept under, where it is not on the disk yet.
    private func picture(near place: Duration) -> (time: Duration, bitmap: Bitmap, unkept: PosterKey?)? {
        guard let time = film?.source?.findKeyframe(near: place), var key = film?.key else { return nil }
        shelf.see([time])
        if let bitmap = shelf[time] { return (time, bitmap, nil) }
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
        shelf.put(bitmap, for: time, isInSight: true)
        return (time, bitmap, unkept)
    }
}
