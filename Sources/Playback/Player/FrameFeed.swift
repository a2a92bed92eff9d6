import GlissadeMedia
import GlissadePlatform
public import GlissadeTime

/// Lets another thread take the due frames of a playing video while the main thread is late.
///
/// Threads: shared. The main thread opens the feed when the player's clock starts, and closes it when the clock stops.
/// Only one thread at a time takes frames.
public final class FrameFeed: Sendable {
    /// The clock and the loop end that determine when frames are due.
    struct Schedule {
        var clock: PlaybackClock
        /// The end of the A–B loop, as a media time. Frames at or after this time are not shown. Nil if playback
        /// continues to the end of the media.
        var end: MediaTime?
    }

    struct State: ~Copyable {
        /// The current schedule; nil while the feed is closed.
        var schedule: Schedule?
        /// The frames that other threads have taken and the main thread has not accounted for yet.
        var taken = Taken()
        /// The number of frames taken so far by all threads together, not counting dropped frames.
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

    /// Runs `body` while no other thread can take frames. `body` may take frames from the queue or change the schedule.
    func exclusively<R: ~Copyable>(_ body: (inout State) -> R) -> R { state.withLock(body) }

    // MARK: - Any thread

    /// When the next queued frame is due. Nil if no frame is queued, if the next one is past the end of an A–B loop, or
    /// if the feed is closed.
    public var nextDue: HostTime? {
        state.withLock { state in
            guard let schedule = state.schedule, let first = frames.head().first else { return nil }
            if let end = schedule.end, first >= end { return nil }
            return schedule.clock.hostTime(of: first)
        }
    }

    /// Takes the newest frame that is due by `time`. Returns nil if no frame is due, or if the feed is closed. Older
    /// due frames are dropped and counted.
    ///
    /// - Parameter number: Receives the frame's sequence number (see `Player.takenNumber`); unchanged if no frame is
    ///   taken.
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

    /// Whether the feed is open: the player's clock runs, and playback is timed.
    public var isOpen: Bool { state.withLock { $0.schedule != nil } }

    /// When a frame with `presentationTime` is due; nil if the feed is closed.
    public func dueTime(of presentationTime: MediaTime) -> HostTime? {
        state.withLock { $0.schedule?.clock.hostTime(of: presentationTime) }
    }

    /// Lets decoding continue. Call when the last frame taken is on screen. See `Player.didShowFrame`.
    public func didShowFrame() { frames.didPresent() }
}
