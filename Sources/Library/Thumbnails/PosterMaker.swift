package import GlissadeGeometry
import GlissadeMedia
import GlissadePicture

/// Makes posters, one at a time, on a background thread. A poster is a small picture made from a video frame or an
/// album cover.
///
/// The thread has the lowest priority and decodes without additional threads, so that playback is not disturbed.
/// Posters are cached on disk. A file without a poster is not tried again until it changes.
///
/// Threads: any thread. All library pages share one maker.
package final class PosterMaker: Sendable {
    /// The default size limit of a poster, in pixels.
    package static let limit = PixelSize(width: 320, height: 180)

    /// The result of making a file's poster.
    enum Answer: Sendable {
        case poster(Bitmap)
        /// FFmpeg cannot open the file, or finds no picture in it that can be decoded.
        case absent
        /// The system could not open the file, or the job took too long. A later attempt may succeed.
        case failed
    }

    struct Job: Sendable {
        var entry: LibraryItem
        /// The size limit of the poster, in pixels.
        var limit = PosterMaker.limit
        /// Receives the result, on a background thread.
        var answer: @Sendable (Answer) -> Void
    }

    let queue: JobQueue<Job>

    /// Creates a poster maker. Its thread starts with the first job.
    ///
    /// - Parameters:
    ///   - cache: Keeps posters between runs of the program.
    ///   - budget: The CPU time that one poster may take; see `TimeBudget`.
    package init(cache: PosterDiskCache = PosterDiskCache(), budget: Duration = .seconds(10)) {
        let slow = SlowFiles()
        queue = JobQueue(
            name: "library posters", limits: JobLimits(budget: budget),
            giveUp: { job in
                slow.insert(job.entry)
                job.answer(.failed)
            },
            comeBack: { slow.remove($0.entry) },
            perform: { job, budget in
                let isSlow = slow.contains(job.entry)
                let answer =
                    isSlow ? .failed : Self.make(job.entry.path, fitting: job.limit, cache, budget)
                if !budget.isUnwanted { job.answer(answer) }
            })
    }

    static func make(
        _ path: BytePath, fitting limit: PixelSize = limit, _ cache: PosterDiskCache, _ budget: TimeBudget
    ) -> Answer {
        let file: OpenedFile
        do throws(OpenedFile.Reason) { file = try OpenedFile(path) } catch { return .failed }
        let key = PosterKey(path: path, byteCount: file.byteCount, modified: file.modified, limit: limit)
        switch cache.load(key) {
        case .poster(let bitmap): return .poster(bitmap)
        case .absent: return .absent
        case nil: break
        }
        let bitmap = picture(of: file, named: path.displayName, fitting: limit, budget)
        if let bitmap {
            cache.store(bitmap, for: key)
            return .poster(bitmap)
        }
        if budget.isUnwanted || budget.hasRunOut { return .failed }
        cache.store(nil, for: key)
        return .absent
    }

    /// The positions to try in turn, as fractions of the duration. None is near the start, where many films are black.
    private static let places: [(fraction: Double, precision: ThumbnailSource.Precision)] = [
        (0.1, .keyframe), (0.3, .keyframe), (0.5, .exact),
    ]
    /// The mean luma (0…255) below which a picture counts as nearly black.
    private static let darkest = 20.0

    /// Returns the first picture that is not nearly black. If all pictures are nearly black, returns the brightest.
    /// Returns nil if no picture can be decoded.
    private static func picture(
        of file: borrowing OpenedFile, named name: String, fitting limit: PixelSize, _ budget: TimeBudget
    ) -> Bitmap? {
        guard
            var source = try? ThumbnailSource(
                location: file.location, fileName: name, isInterrupted: { budget.isSpent })
        else { return nil }
        var best: (bitmap: Bitmap, luma: Double)?
        for (fraction, precision) in places {
            guard let bitmap = source.picture(at: fraction, precision, fitting: limit) else { continue }
            let luma = bitmap.meanLuma
            if luma >= darkest || source.isStill { return bitmap }
            if luma > best?.luma ?? -1 { best = (bitmap, luma) }
        }
        // In a short film without an index, the only keyframe may come before all of these positions.
        return best?.bitmap ?? source.picture(at: 0, fitting: limit)
    }
}
