import Media
import Platform
public import Time

/// Provides due frames of playing video to the thread that shows them: usually the main thread, or another thread while
/// the main thread is late.
///
/// Threads: shared. The main thread opens the feed when the player's clock starts, and closes it when the clock stops.
/// Only one thread at a time takes frames.
public final class FrameFeed: Sendable {
    /// The data from which `FrameFeed` computes when frames are due.
    struct Schedule {
        var clock: PlaybackClock
        /// The end of the A–B loop, as a media time: frames from here on are not shown. Nil if playback does not return
        /// to the loop's start before the end of the media.
        var end: MediaTime?
    }

    struct State: ~Copyable {
        /// The current schedule; nil while the feed is closed.
        var schedule: Schedule?
        /// Frames that other threads have taken since the main thread last accounted for them.
        var taken = Taken()
        /// The number of frames taken so far to be shown, by all threads together.
        var number = 0
    }

    /// A summary of the frames that other threads have taken.
    struct Taken {
        /// The presentation time of the last of these frames; nil if none was taken.
        var last: MediaTime?
        var counts = Player.Counts()
    }

    private let frames: FrameQueue
    private let state = Monitor(State())

    init(frames: FrameQueue) { self.frames = frames }

    // MARK: - Main thread

    /// Runs `body` while no other thread takes frames. `body` may take frames from the queue or change the schedule.
    func exclusively<R: ~Copyable>(_ body: (inout State) -> R) -> R { state.withLock(body) }

    // MARK: - Any thread

    /// When the next frame is due; nil if none is queued before the end of an A–B loop, or if the feed is closed.
    public var nextDue: HostTime? {
        state.withLock { state in
            guard let schedule = state.schedule, let first = frames.head().first else { return nil }
            if let end = schedule.end, first >= end { return nil }
            return schedule.clock.hostTime(of: first)
        }
    }

    /// Takes the newest frame that is due by `time`; nil if there is none, or if the feed is closed. Older frames
    /// that are due as well are dropped and counted.
    ///
    /// - Parameter number: Receives the frame's number in the sequence of all frames taken (see
    ///   `Player.takenNumber`); unchanged if no frame is taken.
    public func take(by time: HostTime, number: inout Int) -> VideoFrame? {
        state.withLock { state -> VideoFrame? in
            guard let schedule = state.schedule else { return nil }
            let media = schedule.clock.time(at: time)
            func isDue(_ frame: MediaTime?) -> Bool {
                guard let frame, frame <= media else { return false }
                return schedule.end.map { frame < $0 } ?? true
            }
            var head = frames.head()
            guard isDue(head.first) else { return nil }
            while isDue(head.second) {
                state.taken.counts.due += 1
                state.taken.counts.dropped += 1
                _ = frames.pop()
                head = frames.head()
            }
            guard let frame = frames.pop(.onceShown) else { return nil }
            state.taken.counts.due += 1
            state.taken.last = frame.presentationTime
            state.number += 1
            number = state.number
            return frame
        }
    }

    /// Whether the feed is open, which it is while the player's clock runs.
    public var isOpen: Bool { state.withLock { $0.schedule != nil } }

    /// When a frame with `presentationTime` is due; nil if the feed is closed.
    public func dueTime(of presentationTime: MediaTime) -> HostTime? {
        state.withLock { $0.schedule?.clock.hostTime(of: presentationTime) }
    }

    /// Lets decoding continue. Call when the last frame taken is on screen. See `Player.didShowFrame`.
    public func didShowFrame() { frames.didPresent() }
}
