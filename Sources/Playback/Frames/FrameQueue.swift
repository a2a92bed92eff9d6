import GlissadeMedia
import GlissadePlatform
import GlissadeTime

/// A queue of decoded frames that wait for their presentation time. The queue is limited in frames and in bytes; the
/// limit in bytes does not apply to the first two frames.
///
/// Threads: shared. The video decoder's thread or the conversion thread pushes frames, and sleeps while the queue is
/// full. The thread that shows frames takes them without waiting.
final class FrameQueue: Sendable {
    /// The most frames in the queue. Enough for smooth playback if a keyframe takes four times as long to decode as
    /// other frames.
    static let countLimit = 4
    static let byteLimit = 96 << 20

    private struct State: ~Copyable {
        var frames = RingBuffer<VideoFrame>(capacity: countLimit)
        var bytes = 0
        /// The number added to the usual limit on frames: the raw value of the last `RefillPolicy`. `flush` resets it
        /// to 0. `didPresent` resets it to 0 if it is negative.
        var slotAdjustment = 0
        var generation = 0
        var hasEnded = false
        var isStopped = false

        func hasRoom(_ countLimit: Int) -> Bool {
            frames.count < min(countLimit + slotAdjustment, FrameQueue.countLimit)
        }
    }

    /// When the slot of a taken frame may be refilled. The raw value is added to the limit on frames.
    enum RefillPolicy: Int {
        /// Once the taken frame is on screen (`didPresent`), or once the next frame is taken. Decoding then does not
        /// compete with presentation for CPU.
        case onceShown = -1
        case atOnce = 0
        /// At once, and with one slot more than usual, up to `countLimit`. For frames that are shown late.
        case ahead = 1
    }

    private let state = Monitor(State())
    private let wake: @Sendable () -> Void

    /// - Parameter wake: Wakes the frame loop. Called on the thread that calls `push`, `end` or `tell`; by `push` only
    ///   if the queue was empty.
    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    /// Sleeps until there is room, then queues `frame`. If the frame's generation is not the current one, or if the
    /// queue has been stopped, discards the frame instead.
    ///
    /// - Parameter countLimit: The usual maximum number of frames in the queue, 2…`FrameQueue.countLimit`. The last
    ///   `RefillPolicy` may raise or lower it by one.
    func push(_ frame: consuming VideoFrame, countLimit: Int = FrameQueue.countLimit) {
        var frame: VideoFrame? = frame
        let generation = frame?.generation ?? 0
        let bytes = frame?.byteCount ?? 0
        let wasEmpty: Bool? = state.wait { state in
            if state.isStopped || state.generation != generation { return false }
            // Two frames always fit, whatever their size: the next one to show, and the one after it, which tells
            // whether the next one is late. A taken frame that is not on screen yet may count as one of the two.
            let alwaysFit = 2 + min(state.slotAdjustment, 0)
            guard state.frames.count < alwaysFit || state.hasRoom(countLimit) && state.bytes + bytes <= Self.byteLimit
            else {
                return nil
            }
            guard let frame = frame.take() else { return false }
            let wasEmpty = state.frames.isEmpty
            state.bytes += bytes
            state.frames.append(frame)
            return wasEmpty
        }
        if wasEmpty == true { wake() }
    }

    /// Sleeps until the queue holds fewer frames than the limit, and returns true. Returns false if `generation` is not
    /// the current one, or if the queue has been stopped.
    ///
    /// - Parameter countLimit: The usual maximum number of frames in the queue: see `push`.
    func waitForRoom(generation: Int, countLimit: Int) -> Bool {
        state.wait { state in
            if state.isStopped || state.generation != generation { return false }
            return state.hasRoom(countLimit) ? true : nil
        } ?? false
    }

    /// Records that no more frames of `generation` will be pushed, if that is the current generation. Wakes the frame
    /// loop.
    func end(generation: Int) {
        state.update { if $0.generation == generation { $0.hasEnded = true } }
        wake()
    }

    /// Wakes the frame loop to handle news from the decoder other than a frame.
    func tell() { wake() }

    /// Drops all frames. From now on, only frames of `generation` are accepted.
    func flush(generation: Int) {
        // The frames are freed outside the lock, since that may return memory to the system.
        var frames = RingBuffer<VideoFrame>(capacity: Self.countLimit)
        state.update { state in
            swap(&state.frames, &frames)
            state.bytes = 0
            state.slotAdjustment = 0
            state.generation = generation
            state.hasEnded = false
        }
    }

    func stop() {
        var frames = RingBuffer<VideoFrame>(capacity: Self.countLimit)
        state.update { state in
            state.isStopped = true
            swap(&state.frames, &frames)
            state.bytes = 0
        }
    }

    /// The state of the queue's front. `first` and `second` are the times of the next two frames, each nil if there is
    /// no such frame. `hasEnded` is true once the last frame of the generation has been queued.
    struct Head {
        var first: MediaTime?
        /// How long the first frame is shown; nil if the queue is empty.
        var duration: Duration?
        var second: MediaTime?
        var hasEnded: Bool
    }

    /// Returns the state of the queue's front without taking a frame.
    func head() -> Head {
        state.withLock { state in
            Head(
                first: state.frames.peek { $0.presentationTime }, duration: state.frames.peek { $0.duration },
                second: state.frames.peek(at: 1) { $0.presentationTime }, hasEnded: state.hasEnded)
        }
    }

    /// The number of frames in the queue, and the size of their samples in bytes.
    var fill: (count: Int, bytes: Int) { state.withLock { ($0.frames.count, $0.bytes) } }

    /// Takes the next frame; returns nil if the queue is empty. `refill` determines when the frame's slot may be
    /// refilled.
    func pop(_ refill: RefillPolicy = .atOnce) -> VideoFrame? {
        var isFreed = false
        let frame: VideoFrame? = state.withLock { state in
            guard let frame = state.frames.popFirst() else { return nil }
            state.bytes -= frame.byteCount
            isFreed = refill != .onceShown || state.slotAdjustment < 0
            state.slotAdjustment = refill.rawValue
            return frame
        }
        // Wake the pushing thread only if a slot has become free.
        if isFreed { state.update { _ in } }
        return frame
    }

    /// Allows the slot of the frame last taken to be refilled, if `RefillPolicy.onceShown` has prevented that. Call
    /// when the frame is on screen.
    func didPresent() {
        let isFreed = state.withLock { state in
            let isKept = state.slotAdjustment < 0
            if isKept { state.slotAdjustment = 0 }
            return isKept
        }
        if isFreed { state.update { _ in } }
    }
}
