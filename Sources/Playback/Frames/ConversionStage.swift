import Media
import Picture
import PixelConversion
import Platform
import Synchronization
import Time

/// A decoded frame that may still have to be converted.
struct DecodedFrame: ~Copyable {
    let picture: DecodedPicture
    let request: FrameFormat
    let geometry: PixelGeometry
    let presentationTime: MediaTime
    let duration: Duration
    let generation: Int
    let cost: DecodingCost

    var needsConversion: Bool { request.converts(picture.format) }

    /// Returns the frame as decoded.
    consuming func finish() -> VideoFrame {
        let size = picture.format.size
        return VideoFrame(
            .planes(picture), codedSize: size, geometry: geometry, presentationTime: presentationTime,
            duration: duration, generation: generation, cost: cost)
    }

    /// Returns the frame converted to RGB as requested. A converted frame's source is released immediately unless
    /// requested, so that only one of the two is kept in memory.
    consuming func finish(_ converter: inout PixelConverter, _ thread: ThreadCPUClock) -> VideoFrame {
        let before = thread.cpuTime ?? .zero
        converter.memory = request.memory
        // The request owns the borrowed memory.
        defer { converter.memory = nil }
        guard let size = request.convertedSize,
            let converted = converter.convert(picture.view, to: size, brightnessOffset: request.brightnessOffset)
        else { return finish() }
        let (codedSize, request, geometry) = (picture.format.size, request, geometry)
        let (presentationTime, duration, generation) = (presentationTime, duration, generation)
        var cost = cost
        cost.prepare = (cost.prepare ?? .zero) + (thread.cpuTime ?? .zero) - before
        return VideoFrame(
            .converted(converted), source: request.retainsSource ? consume picture : nil, codedSize: codedSize,
            geometry: geometry,
            presentationTime: presentationTime, duration: duration, generation: generation,
            brightnessOffset: request.brightnessOffset,
            cost: cost)
    }
}

/// Passes frames from the decoder to the queue in order. Converts those that need it on a separate thread.
///
/// During a conversion, the decoder's thread can feed FFmpeg's threads, one of which would otherwise be idle. Two
/// converted frames wait in the queue, and two decoded ones here and on the decoder's thread. This saves memory for a
/// film shown at its own size, as RGB is nearly three times as large as the planes. The thread starts with the first
/// frame that needs conversion; with a GPU renderer there is none.
///
/// Call `push`, `end` and `finish` on the decoder's thread.
///
/// Threads: the decoder's thread pushes frames and blocks while the stage is full; a separate thread converts them.
final class ConversionStage: Sendable {
    private enum Item: ~Copyable {
        case frame(DecodedFrame)
        case end(generation: Int)
    }

    private struct State: ~Copyable {
        var next: Item?
        /// Whether a frame has been taken and is not in the queue yet.
        var isBusy = false
        var isStopped = false
    }

    private let frames: FrameQueue
    private let state = Monitor(State())
    private let thread = Mutex<Thread?>(nil)

    /// The most frames in the queue once the thread has started, converted or not.
    static let countLimit = 2

    init(frames: FrameQueue) { self.frames = frames }

    /// Queues a frame once it is converted and there is room. Drops it if its generation is over. Waits for the
    /// previous frame.
    func push(_ frame: consuming DecodedFrame) {
        if thread.withLock({ $0 == nil }), frame.needsConversion {
            // Without a thread, the frame is drawn from its planes, as on a GPU.
            let new = try? Thread(name: "converter") { [self] in run() }
            thread.withLock { $0 = new }
        }
        if thread.withLock({ $0 != nil }) { hand(.frame(frame)) } else { frames.push(frame.finish()) }
    }

    /// Marks the end of a generation.
    func end(generation: Int) {
        if thread.withLock({ $0 != nil }) {
            hand(.end(generation: generation))
        } else {
            frames.end(generation: generation)
        }
    }

    /// Ends the thread and waits for it.
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
        // The waiting frames and the one being converted; the frame loop holds another for less than a millisecond.
        var converter = PixelConverter(usualCount: Self.countLimit + 1)
        while let item = next() {
            switch consume item {
            case .end(let generation): frames.end(generation: generation)
            case .frame(let frame):
                // Frames from before a seek are not wanted.
                guard frames.waitForRoom(generation: frame.generation, countLimit: Self.countLimit) else { break }
                if frame.needsConversion {
                    frames.push(frame.finish(&converter, meter), countLimit: Self.countLimit)
                } else {
                    frames.push(frame.finish(), countLimit: Self.countLimit)
                }
            }
            state.update { $0.isBusy = false }
        }
    }

    /// Sleeps until there is work; nil at the end.
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
