import GlissadeMedia
import GlissadePicture
import GlissadePixelConversion
import GlissadePlatform
import Synchronization
import GlissadeTime

/// A decoded frame that may still need conversion to BGRA.
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

    /// Returns the frame converted to BGRA as requested, or as decoded if it cannot be converted. A converted frame
    /// keeps its decoded planes only if the request retains them.
    consuming func finish(_ converter: inout PixelConverter, _ thread: ThreadCPUClock) -> VideoFrame {
        let before = thread.cpuTime ?? .zero
        converter.memory = request.memory
        // Do not keep a reference to the allocator, which belongs to the request.
        defer { converter.memory = nil }
        guard let size = request.convertedSize,
            let converted = converter.convert(
                picture.view, to: size, brightnessOffset: request.adjustments.brightnessOffset)
        else { return finish() }
        let (codedSize, request, geometry) = (picture.format.size, request, geometry)
        let (presentationTime, duration, generation) = (presentationTime, duration, generation)
        var cost = cost
        cost.prepare = (cost.prepare ?? .zero) + (thread.cpuTime ?? .zero) - before
        return VideoFrame(
            .converted(converted), source: request.retainsSource ? consume picture : nil, codedSize: codedSize,
            geometry: geometry,
            presentationTime: presentationTime, duration: duration, generation: generation,
            adjustments: request.adjustments, cost: cost)
    }
}

/// Passes decoded frames to the frame queue in order, and converts them to BGRA on a separate thread if needed.
///
/// While a frame is being converted, the decoder's thread keeps FFmpeg's threads busy. At most two converted frames
/// wait in the queue. Two more frames wait in decoded form: one here and one on the decoder's thread. At the video's
/// own size, a decoded frame takes little more than a third of the memory of a BGRA frame.
///
/// The conversion thread starts when the first frame needs conversion. With a GPU renderer, no frame does.
///
/// Threads: `push`, `end` and `finish` belong to the decoder's thread, which blocks while the stage is full. A separate
/// thread converts the frames.
final class ConversionStage: Sendable {
    private enum Item: ~Copyable {
        case frame(DecodedFrame)
        case end(generation: Int)
    }

    private struct State: ~Copyable {
        var next: Item?
        /// Whether the conversion thread is processing an item.
        var isBusy = false
        var isStopped = false
    }

    private let frames: FrameQueue
    private let state = Monitor(State())
    private let thread = Mutex<NamedThread?>(nil)

    /// The usual maximum number of frames in the frame queue while the conversion thread runs.
    static let countLimit = 2

    init(frames: FrameQueue) { self.frames = frames }

    /// Queues a frame, after converting it to BGRA if needed. Blocks until the previous frame is in the queue. Without
    /// a conversion thread, blocks until the queue has room. Drops a frame of an earlier generation.
    func push(_ frame: consuming DecodedFrame) {
        if thread.withLock({ $0 == nil }), frame.needsConversion {
            // If no thread can be started, frames are drawn from their planes, as on a GPU.
            let new = try? NamedThread(name: "converter") { [self] in run() }
            thread.withLock { $0 = new }
        }
        if thread.withLock({ $0 != nil }) { hand(.frame(frame)) } else { frames.push(frame.finish()) }
    }

    /// Marks the end of `generation` in the frame queue, after all frames pushed before. Blocks until the last of these
    /// frames is in the queue.
    func end(generation: Int) {
        if thread.withLock({ $0 != nil }) {
            hand(.end(generation: generation))
        } else {
            frames.end(generation: generation)
        }
    }

    /// Ends the conversion thread, if there is one, and waits for it.
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
        // Enough for the queued frames and the one being converted. The frame loop holds another for less than a
        // millisecond.
        var converter = PixelConverter(usualCount: Self.countLimit + 1)
        while let item = next() {
            switch consume item {
            case .end(let generation): frames.end(generation: generation)
            case .frame(let frame):
                // Frames from before a seek are dropped.
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

    /// Sleeps until there is an item, and returns it. Returns nil after `finish` once no item is left.
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
