public import Geometry
import Media
import Picture

/// Makes posters: a frame of a film, the cover of a record, small. One after the other on a thread of its own.
///
/// Shared by any threads, and by all pages. The thread has the lowest priority and decodes with no others beneath it, so
/// that what plays does not notice; posters that were made are kept on the disk. A file that yields none is not tried again
/// until it changes.
public final class PosterMaker: Sendable {
    /// No poster is larger where nobody asks for a larger one.
    public static let limit = PixelSize(width: 320, height: 180)

    /// What came of a file.
    enum Answer: Sendable {
        case poster(Bitmap)
        /// There is none in it.
        case absent
        /// It was gone, or took too long: another time perhaps.
        case failed
    }

    struct Job: Sendable {
        var entry: LibraryItem
        /// The poster is no larger.
        var limit = PosterMaker.limit
        /// Called on a thread of the maker's.
        var answer: @Sendable (Answer) -> Void
    }

    let worker: JobQueue<Job>

    /// - Parameters:
    ///   - cache: where posters are kept from one start of the program to the next.
    ///   - allowance: how long a poster may take, pauses not counted.
    public init(cache: PosterDiskCache = PosterDiskCache(), allowance: Duration = .seconds(10)) {
        let slow = SlowFiles()
        worker = JobQueue(
            name: "library posters", allowance: allowance,
            giveUp: { job in
                slow.insert(job.entry)
                job.answer(.failed)
            },
            comeBack: { slow.remove($0.entry) },
            perform: { job, allowance in
                let isSlow = slow.contains(job.entry)
                let answer =
                    isSlow ? .failed : Self.make(job.entry.path, fitting: job.limit, cache, allowance)
                if !allowance.isUnwanted { job.answer(answer) }
            })
    }

    static func make(
        _ path: FilePath, fitting limit: PixelSize = limit, _ cache: PosterDiskCache, _ allowance: TimeBudget
    ) -> Answer {
        let file: OpenedFile
        do throws(OpenedFile.Reason) { file = try OpenedFile(path) } catch { return .failed }
        let key = PosterKey(path: path, byteCount: file.byteCount, modified: file.modified, limit: limit)
        switch cache.load(key) {
        case .poster(let bitmap): return .poster(bitmap)
        case .absent: return .absent
        case nil: break
        }
        let bitmap = picture(of: file, named: path.displayName, fitting: limit, allowance)
        if let bitmap {
            cache.store(bitmap, for: key)
            return .poster(bitmap)
        }
        if allowance.isUnwanted || allowance.hasRunOut { return .failed }
        cache.store(nil, for: key)
        return .absent
    }

    /// Where to look for a picture that says something: films begin and fade in black.
    private static let places: [(fraction: Double, precision: ThumbnailSource.Precision)] = [
        (0.1, .keyframe), (0.3, .keyframe), (0.5, .exact),
    ]
    /// A picture whose mean is below this shows next to nothing.
    private static let darkest = 20.0

    /// The first picture that is not nearly black; of none but such, the brightest.
    private static func picture(
        of file: borrowing OpenedFile, named name: String, fitting limit: PixelSize, _ allowance: TimeBudget
    ) -> Bitmap? {
        guard
            var source = try? ThumbnailSource(
                location: file.location, fileName: name, isInterrupted: { allowance.isSpent })
        else { return nil }
        var best: (bitmap: Bitmap, luma: Double)?
        for (fraction, precision) in places {
            guard let bitmap = source.picture(at: fraction, precision, fitting: limit) else { continue }
            let luma = bitmap.meanLuma
            if luma >= darkest || source.isStill { return bitmap }
            if luma > best?.luma ?? -1 { best = (bitmap, luma) }
        }
        // A short film without an index may have its only keyframe before every place that was found.
        return best?.bitmap ?? source.picture(at: 0, fitting: limit)
    }
}
