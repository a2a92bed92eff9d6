public import Geometry
import Media
import Picture
import Synchronization
public import Time

/// Small pictures of one film's places, for whoever looks for one in it. Main thread; nothing blocks.
///
/// A thread of the lowest priority has the film open once more, with a decoder of its own that shares nothing with what
/// plays, and decodes single keyframes. What was made is kept, in memory and on the disk. Nothing is opened before the first
/// request, and the file is let go when there has been none for a while. Media that show no places (sound alone, a cover,
/// a live stream, a file whose length nobody knows, one that is gone) answer with nothing; so does a film in which the thread
/// is stuck, since each further place would take another thread.
@MainActor public final class SeekPreviews {
    /// The largest size, in points: the picture's shape is kept within it.
    public static let pointSize = Size(width: 240, height: 135)
    /// The file and the decoder are let go when nothing was asked for so long.
    public static let idleLimit = Duration.seconds(30)

    fileprivate let work: Work?
    private let outbox: PreviewOutbox
    private var lastRequest: HostTime?

    /// The worker, and the end of its work when the previews go.
    fileprivate final class Work: Sendable {
        let worker: JobQueue<PreviewMaker.Job>
        let owner: JobQueue<PreviewMaker.Job>.Owner

        init(_ worker: JobQueue<PreviewMaker.Job>) {
            self.worker = worker
            owner = worker.newOwner()
        }

        deinit { worker.forget(owner) }
    }

    /// - Parameters:
    ///   - location: a path or a file's address, as a `Player` takes it; other addresses have no previews.
    ///   - scale: pixels in a point.
    ///   - cache: where previews are kept from one start of the program to the next.
    ///   - memoryBytes: how much of them is kept in memory.
    ///   - allowance: how long one may take, pauses not counted.
    ///   - wake: called on another thread when there is one to take.
    public convenience init(
        location: String, scale: Double = 1, cache: PosterDiskCache = SeekPreviews.standardCache,
        memoryBytes: Int = 16 << 20, allowance: Duration = .seconds(5), wake: @escaping @Sendable () -> Void
    ) {
        guard !isAddress(location) else {
            self.init(work: nil, wake: wake)
            return
        }
        let limit = Self.pixelSize(scale: scale)
        let path = FilePath(location: location)
        let worker = Self.makeWorker(allowance: allowance) {
            let maker = PreviewMaker(path, fitting: limit, cache: cache, memoryBytes: memoryBytes)
            return { maker.perform($0, $1) }
        }
        self.init(work: Work(worker), wake: wake)
    }

    private init(work: Work?, wake: @escaping @Sendable () -> Void) {
        self.work = work
        outbox = PreviewOutbox(wake: wake)
    }

    /// A worker that does nothing more once it is stuck in a job, until that has ended after all.
    static func makeWorker(
        allowance: Duration, patience: Duration? = nil, longestWait: Duration = .seconds(60),
        makePerform: @escaping @Sendable () -> JobQueue<PreviewMaker.Job>.Perform
    ) -> JobQueue<PreviewMaker.Job> {
        let stuck = StuckCount()
        return JobQueue(
            name: "seek previews", allowance: allowance, patience: patience, longestWait: longestWait,
            giveUp: { _ in stuck.add(1) }, comeBack: { _ in stuck.add(-1) },
            makePerform: {
                let perform = makePerform()
                return { job, allowance in if !stuck.isAny { perform(job, allowance) } }
            })
    }

    /// `$XDG_CACHE_HOME/glissade/previews`, as `PosterDiskCache.standardFolder` is found; of at most 256 MiB.
    public nonisolated static let standardCache = PosterDiskCache(
        folder: PosterDiskCache.standardFolder("previews"), byteLimit: 256 << 20)

    /// No preview is larger on a display of such a scale; nonsense counts as 1, and no more than 4.
    static func pixelSize(scale: Double) -> PixelSize {
        let scale = scale.isFinite && scale > 0 ? min(scale, 4) : 1
        return PixelSize(
            width: max(1, Int((pointSize.width * scale).rounded())),
            height: max(1, Int((pointSize.height * scale).rounded())))
    }

    /// Asks for the picture of the keyframe nearest to `place`, from the film's beginning. What was asked for before and has
    /// not begun is dropped. Cheap: may be called for every move of a hand.
    public func request(at place: Duration, now: HostTime) {
        guard let work else { return }
        lastRequest = now
        let outbox = outbox
        work.worker.want([.make(near: place) { outbox.put($0) }], by: work.owner)
    }

    /// The newest picture that was made and not yet taken; nil where there is none.
    public func take() -> SeekPreview? { outbox.take() }

    /// Drops what was asked for and has not begun, and what was made and not taken: nobody looks any more.
    public func cancel() {
        work.map { $0.worker.want([], by: $0.owner) }
        _ = take()
    }

    /// Stops reading and decoding while something moves.
    public func suspend() { work.map { $0.worker.suspend(by: $0.owner) } }

    /// Continues what `suspend` has stopped.
    public func resume() { work.map { $0.worker.resume(by: $0.owner) } }

    /// When `releaseIfIdle` is to be called next; nil while nothing is open.
    public var releaseTime: HostTime? { lastRequest.map { $0 + Self.idleLimit } }

    /// Lets go of the file and the decoder where nothing was asked for since `idleLimit`; the next request opens them again.
    public func releaseIfIdle(now: HostTime) {
        guard let work, let releaseTime, now >= releaseTime else { return }
        lastRequest = nil
        work.worker.want([.release], by: work.owner)
    }
}

extension SeekPreviews {
    /// Waits until what was asked for is done: for tests.
    func awaitIdle() { work?.worker.awaitIdle() }
}

/// How many of a film's jobs are stuck. Shared by any threads.
///
/// Threads: the worker's threads count, the main thread asks; neither waits.
private final class StuckCount: Sendable {
    private let count = Atomic(0)

    var isAny: Bool { count.load(ordering: .relaxed) > 0 }

    func add(_ change: Int) { count.wrappingAdd(change, ordering: .relaxed) }
}

/// The newest preview that the main thread has not yet taken. Shared by both threads.
///
/// Threads: the worker's thread puts, the main thread takes; neither waits.
final class PreviewOutbox: Sendable {
    private let newest = Mutex<SeekPreview?>(nil)
    private let wake: @Sendable () -> Void

    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    /// Wakes the main thread with the first that it has not taken.
    func put(_ preview: SeekPreview) {
        let isFirst = newest.withLock { newest in
            defer { newest = preview }
            return newest == nil
        }
        if isFirst { wake() }
    }

    func take() -> SeekPreview? {
        newest.withLock { newest in
            defer { newest = nil }
            return newest
        }
    }
}
