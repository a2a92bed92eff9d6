package import GlissadeGeometry
import GlissadeMedia
import GlissadePicture
import GlissadePlatform
import Synchronization
package import GlissadeTime

/// The seek previews of one film: small pictures that show the film at a position while the user seeks.
///
/// A background thread of the lowest priority opens the film with a separate decoder, and decodes single keyframes.
/// Previews are cached in memory and on disk. The file is opened by the first request, and closed after a while without
/// requests.
///
/// There are no previews for audio, cover art, live streams, media of unknown duration, or missing files. While a job
/// is stuck, no further previews are made.
///
/// Threads: main thread; no call blocks.
@MainActor package final class SeekPreviews {
    /// The size limit of a preview, in points. Previews keep their aspect ratio.
    package static let pointSize = Size(width: 240, height: 135)
    /// How long the file and the decoder are kept open after the last request.
    package static let idleLimit = Duration.seconds(30)

    fileprivate let work: Work?
    private let mailbox: Mailbox<SeekPreview>
    private var lastRequest: HostTime?

    /// The job queue, and this object's owner in that queue. Withdraws the jobs when released.
    fileprivate final class Work: Sendable {
        let queue: JobQueue<PreviewMaker.Job>
        let owner: JobQueue<PreviewMaker.Job>.Owner

        init(_ queue: JobQueue<PreviewMaker.Job>) {
            self.queue = queue
            owner = queue.newOwner()
        }

        deinit { queue.forget(owner) }
    }

    /// Prepares the previews of a film. Opens nothing before the first request.
    ///
    /// - Parameters:
    ///   - location: A path or `file://` URL; other URLs have no previews.
    ///   - scale: The number of pixels per point.
    ///   - cache: Keeps previews between runs of the program.
    ///   - memoryBytes: The memory limit for cached previews, in bytes.
    ///   - budget: The CPU time that one preview may take; see `TimeBudget`.
    ///   - wake: Called on a background thread when there is a preview to take.
    package convenience init(
        location: String, scale: Double = 1, cache: PosterDiskCache = SeekPreviews.standardCache,
        memoryBytes: Int = 16 << 20, budget: Duration = .seconds(5), wake: @escaping @Sendable () -> Void
    ) {
        guard !isAddress(location) else {
            self.init(work: nil, wake: wake)
            return
        }
        let limit = Self.pixelSize(scale: scale)
        let path = BytePath(location: location)
        let queue = Self.makeQueue(JobLimits(budget: budget)) {
            let maker = PreviewMaker(path, fitting: limit, cache: cache, memoryBytes: memoryBytes)
            return { maker.perform($0, $1) }
        }
        self.init(work: Work(queue), wake: wake)
    }

    private init(work: Work?, wake: @escaping @Sendable () -> Void) {
        self.work = work
        mailbox = Mailbox(wake: wake)
    }

    /// Returns a queue that skips all other jobs while one is stuck.
    static func makeQueue(
        _ limits: JobLimits, makePerform: @escaping @Sendable () -> JobQueue<PreviewMaker.Job>.Perform
    ) -> JobQueue<PreviewMaker.Job> {
        let stuck = StuckCount()
        return JobQueue(
            name: "seek previews", limits: limits, giveUp: { _ in stuck.add(1) }, comeBack: { _ in stuck.add(-1) },
            makePerform: {
                let perform = makePerform()
                return { job, budget in if !stuck.isAny { perform(job, budget) } }
            })
    }

    /// The disk cache of previews: at most 256 MiB in `$XDG_CACHE_HOME/glissade/previews`. If the variable does not
    /// hold an absolute path, the folder is `~/.cache/glissade/previews`.
    package nonisolated static let standardCache = PosterDiskCache(
        folder: PosterDiskCache.standardFolder("previews"), byteLimit: 256 << 20)

    /// Returns the size limit of a preview, in pixels, at a display scale. Scales above 4 count as 4, and invalid
    /// scales as 1.
    static func pixelSize(scale: Double) -> PixelSize {
        let scale = scale.isFinite && scale > 0 ? min(scale, 4) : 1
        return PixelSize(
            width: max(1, Int((pointSize.width * scale).rounded())),
            height: max(1, Int((pointSize.height * scale).rounded())))
    }

    /// Requests a preview of the keyframe nearest to `place`, a position measured from the start of the film. Cheap
    /// enough to call for every pointer move.
    ///
    /// When the preview is ready, `wake` is called, and `take` returns the preview. An earlier request that has not
    /// started is dropped.
    package func request(at place: Duration, now: HostTime) {
        guard let work else { return }
        lastRequest = now
        let mailbox = mailbox
        work.queue.want([.make(near: place) { mailbox.put($0) { _ in true } }], by: work.owner)
    }

    /// Removes and returns the newest preview; nil if no preview is waiting.
    package func take() -> SeekPreview? { mailbox.take() }

    /// Drops any request that has not started, and any preview that has not been taken. A preview that is already being
    /// made can still be taken later.
    package func cancel() {
        work.map { $0.queue.want([], by: $0.owner) }
        _ = take()
    }

    /// Pauses the background work until `resume` is called, for example during animations.
    package func suspend() { work.map { $0.queue.suspend(by: $0.owner) } }

    /// Ends the pause started by `suspend`.
    package func resume() { work.map { $0.queue.resume(by: $0.owner) } }

    /// When to call `releaseIfIdle` next; nil if nothing has been requested since the last release.
    package var releaseTime: HostTime? { lastRequest.map { $0 + Self.idleLimit } }

    /// Closes the file and the decoder if `releaseTime` has passed. The next request opens them again.
    package func releaseIfIdle(now: HostTime) {
        guard let work, let releaseTime, now >= releaseTime else { return }
        lastRequest = nil
        work.queue.want([.release], by: work.owner)
    }
}

extension SeekPreviews {
    /// Blocks until all requests are done. For tests.
    func awaitIdle() { work?.queue.awaitIdle() }
}

/// The number of stuck jobs of one queue.
///
/// Threads: any thread may call any method; none blocks.
private final class StuckCount: Sendable {
    private let count = Atomic(0)

    var isAny: Bool { count.load(ordering: .relaxed) > 0 }

    func add(_ change: Int) { count.wrappingAdd(change, ordering: .relaxed) }
}
