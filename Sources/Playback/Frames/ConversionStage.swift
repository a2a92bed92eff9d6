import Media
import Picture
import PixelConversion
import Platform
import Synchronization
import Time

/// A decoded picture on its way into the queue, and what is still to become of it.
struct DecodedFrame: ~Copyable {
    let picture: DecodedPicture
    let request: FrameFormat
    let geometry: PixelGeometry
    let presentationTime: MediaTime
    let duration: Duration
    let generation: Int
    let cost: DecodingCost

    var isToBeResolved: Bool { request.resolves(picture.format) }

    /// The frame with the samples as they were decoded.
    consuming func finish() -> VideoFrame {
        let size = picture.format.size
        return VideoFrame(
            .planes(picture), codedSize: size, geometry: geometry, presentationTime: presentationTime,
            duration: duration, generation: generation, cost: cost)
    }

    /// The frame with a picture in RGB, as it was asked for. The samples of a picture that was resolved are let go at once,
    /// unless they are asked for: only one of the two is kept in memory.
    consuming func finish(_ resolver: inout PixelConverter, _ thread: ThreadCPUClock) -> VideoFrame {
        let before = thread.cpuTime ?? .zero
        resolver.memory = request.memory
        // What is lent is the request's to keep.
        defer { resolver.memory = nil }
        guard let size = request.resolvedSize,
            let resolved = resolver.convert(picture.view, to: size, brightnessOffset: request.brightnessOffset)
        else { return finish() }
        let (codedSize, request, geometry) = (picture.format.size, request, geometry)
        let (presentationTime, duration, generation) = (presentationTime, duration, generation)
        var cost = cost
        cost.prepare = (cost.prepare ?? .zero) + (thread.cpuTime ?? .zero) - before
        return VideoFrame(
            .resolved(resolved), source: request.retainsSource ? consume picture : nil, codedSize: codedSize,
            geometry: geometry,
            presentationTime: presentationTime, duration: duration, generation: generation,
            brightnessOffset: request.brightnessOffset,
            cost: cost)
    }
}

/// Brings frames from the decoder into the queue in their order; those that are to be resolved are on a thread of its own.
///
/// While a picture is resolved the decoder's thread feeds FFmpeg's, of which one would else have nothing to do. Two frames
/// wait resolved, and two as they were decoded, one in here and one on the decoder's thread: that takes less memory where a
/// film is seen in its own size, a picture in RGB being nearly three times as large as its planes. The thread begins with the
/// first picture that is to be resolved: where a GPU draws there is none.
///
/// `push`, `end` and `finish` are the decoder's thread's.
///
/// Threads: the decoder's thread hands over and blocks while the stage is full; pictures are converted on a thread of
/// its own.
final class ConversionStage: Sendable {
    private enum Item: ~Copyable {
        case frame(DecodedFrame)
        case end(generation: Int)
    }

    private struct State: ~Copyable {
        var next: Item?
        /// A frame was taken and is not in the queue yet.
        var isBusy = false
        var isStopped = false
    }

    private let frames: FrameQueue
    private let state = Monitor(State())
    private let thread = Mutex<Thread?>(nil)

    /// How many frames wait in the queue at most once the thread has begun, resolved or not.
    static let countLimit = 2

    init(frames: FrameQueue) { self.frames = frames }

    /// Queues a frame as soon as it is finished and there is room; drops it where its generation is over. Waits for the one
    /// before.
    func push(_ frame: consuming DecodedFrame) {
        if thread.withLock({ $0 == nil }), frame.isToBeResolved {
            // Without it the frame is shown from its samples, as a GPU does.
            let new = try? Thread(name: "resolver") { [self] in run() }
            thread.withLock { $0 = new }
        }
        if thread.withLock({ $0 != nil }) { hand(.frame(frame)) } else { frames.push(frame.finish()) }
    }

    /// Nothing follows in this generation.
    func end(generation: Int) {
        if thread.withLock({ $0 != nil }) {
            hand(.end(generation: generation))
        } else {
            frames.end(generation: generation)
        }
    }

    /// Ends the thread, and waits for it.
    func finish() {
        state.update { $0.isStopped = true }
        let begun = thread.withLock { $0.take() }
        begun?.join()
    }

    private func hand(_ item: consuming Item) {
        var item: Item? = item
        _ = state.wait { state -> Void? in
            guard state.next == nil, !state.isBusy else { return nil }
            state.next = item.take()
            return ()
        }
    }

    private func run() {
        let meter = ThreadCPUClock.current
        // Those that wait, and one that is being made; the frame loop holds another for less than a millisecond.
        var resolver = PixelConverter(usualCount: Self.countLimit + 1)
        while let item = next() {
            switch consume item {
            case .end(let generation): frames.end(generation: generation)
            case .frame(let frame):
                // After a seek nobody wants what was decoded before.
                guard frames.waitForRoom(generation: frame.generation, countLimit: Self.countLimit) else { break }
                if frame.isToBeResolved {
                    frames.push(frame.finish(&resolver, meter), countLimit: Self.countLimit)
                } else {
                    frames.push(frame.finish(), countLimit: Self.countLimit)
                }
            }
            state.update { $0.isBusy = false }
        }
    }

    /// Sleeps until there is something to do; nil at the end.
    private func next() -> Item? {
        var found: Item?
        _ = state.wait { state -> Void? in
            found = state.next.take()
            state.isBusy = found != nil
            return found != nil || state.isStopped ? () : nil
        }
        return found
    }
}
