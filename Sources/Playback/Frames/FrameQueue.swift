import Media
import Platform
import Time

/// The decoded pictures that wait for their time.
///
/// Shared: the video decoder's thread, or the resolver's, pushes and sleeps while the queue is full; the frame loop takes, without waiting.
/// Bounded in count and in bytes, so that memory does not depend on the picture's size.
///
/// Threads: the decoder's or the conversion's thread pushes and blocks while full; the main thread takes and never
/// waits.
final class FrameQueue: Sendable {
    /// Pictures ahead: enough to ride out a keyframe that takes four times as long as the others. Where they are resolved, some
    /// of these wait in `ConversionStage`.
    static let countLimit = 4
    static let byteLimit = 96 << 20

    private struct State: ~Copyable {
        var frames = RingBuffer<VideoFrame>(capacity: countLimit)
        var bytes = 0
        /// How many more places there are than usual, or fewer.
        var slotAdjustment = 0
        var generation = 0
        var hasEnded = false
        var isStopped = false

        func hasRoom(_ countLimit: Int) -> Bool {
            frames.count < min(countLimit + slotAdjustment, FrameQueue.countLimit)
        }
    }

    /// From when on the next frames may be made, when one is taken.
    enum Turn: Int {
        /// When it is on screen (`freeSlot`), or the next one is taken: what makes them does not share the processor with what
        /// shows it then.
        case onceShown = -1
        case atOnce = 0
        /// At once, and one more: frames are shown too late, and those that are late are to be passed over.
        case ahead = 1
    }

    private let state = Monitor(State())
    private let wake: @Sendable () -> Void

    /// - Parameter wake: called on the thread that pushes when a picture, or the end, comes to an empty queue.
    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    /// Sleeps until there is room, then queues the frame; drops it where its generation is over.
    ///
    /// - Parameter countLimit: how many wait at most, 2…`FrameQueue.countLimit`.
    func push(_ frame: consuming VideoFrame, countLimit: Int = FrameQueue.countLimit) {
        var frame: VideoFrame? = frame
        let generation = frame?.generation ?? 0
        let bytes = frame?.byteCount ?? 0
        let wasEmpty: Bool? = state.wait { state in
            if state.isStopped || state.generation != generation { return false }
            // Two always fit, whatever their size: the one on show next, and the one that decides when it is late. One of them
            // may be the one that is about to be shown.
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

    /// Sleeps until there is room for a frame of that generation; false where none of it is taken in any more.
    ///
    /// - Parameter countLimit: as in `push`.
    func waitForRoom(generation: Int, countLimit: Int) -> Bool {
        state.wait { state in
            if state.isStopped || state.generation != generation { return false }
            return state.hasRoom(countLimit) ? true : nil
        } ?? false
    }

    /// Nothing follows in this generation.
    func end(generation: Int) {
        state.update { if $0.generation == generation { $0.hasEnded = true } }
        wake()
    }

    /// Has the frame loop look at how things stand.
    func tell() { wake() }

    /// Drops what is queued; only frames of `generation` are taken in from now on.
    func flush(generation: Int) {
        // Freed outside of the lock: memory may go back to the system.
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

    struct Glance {
        var first: MediaTime?
        /// How long the first is to be shown; 0 where nobody knows.
        var duration: Duration?
        var second: MediaTime?
        var hasEnded: Bool
    }

    /// The times of the next two frames.
    func glance() -> Glance {
        state.withLock { state in
            Glance(
                first: state.frames.peek { $0.presentationTime }, duration: state.frames.peek { $0.duration },
                second: state.frames.peek(at: 1) { $0.presentationTime }, hasEnded: state.hasEnded)
        }
    }

    /// How many wait, and what they take in memory.
    var fill: (count: Int, bytes: Int) { state.withLock { ($0.frames.count, $0.bytes) } }

    /// Takes the next frame.
    func pop(_ turn: Turn = .atOnce) -> VideoFrame? {
        var isFreed = false
        let frame: VideoFrame? = state.withLock { state in
            guard let frame = state.frames.popFirst() else { return nil }
            state.bytes -= frame.byteCount
            isFreed = turn != .onceShown || state.slotAdjustment < 0
            state.slotAdjustment = turn.rawValue
            return frame
        }
        // Who waits is not woken for nothing.
        if isFreed { state.update { _ in } }
        return frame
    }

    /// The frame that was taken is on screen.
    func freeSlot() {
        let isFreed = state.withLock { state in
            let isKept = state.slotAdjustment < 0
            if isKept { state.slotAdjustment = 0 }
            return isKept
        }
        if isFreed { state.update { _ in } }
    }
}
