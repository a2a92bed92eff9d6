import Media
import Platform
public import Time

/// The frames of a running film, for whoever shows them: the main thread or, while that is late, another one.
///
/// Threads: shared. The main thread opens it while the film's clock runs and closes it when that stops. Frames are taken by
/// one thread at a time.
public final class FrameFeed: Sendable {
    /// How the times of frames are converted while the film runs.
    struct Schedule {
        var clock: PlaybackClock
        /// The end of a loop, before which frames must be; nil without one.
        var end: MediaTime?
    }

    struct State: ~Copyable {
        /// Nil while it is closed.
        var schedule: Schedule?
        /// What other threads have taken since the main thread last asked.
        var taken = Taken()
        /// The number of frames taken by any thread.
        var number = 0
    }

    /// Frames taken by other threads.
    struct Taken {
        /// The last one's time; nil if none was taken.
        var last: MediaTime?
        var counts = Player.Counts()
    }

    private let frames: FrameQueue
    private let state = Monitor(State())

    init(frames: FrameQueue) { self.frames = frames }

    // MARK: - Main thread

    /// Runs `body`, which takes frames from the queue or changes the schedule, while no other thread takes frames.
    func exclusively<R: ~Copyable>(_ body: (inout State) -> R) -> R { state.withLock(body) }

    // MARK: - Any thread

    /// When the next frame is due; nil if there is none, or if the film does not run.
    public var nextDue: HostTime? {
        state.withLock { state in
            guard let schedule = state.schedule, let first = frames.head().first else { return nil }
            if let end = schedule.end, first >= end { return nil }
            return schedule.clock.hostTime(of: first)
        }
    }

    /// Takes the newest frame that is due by `time`; nil if there is none. Older ones are dropped and counted.
    ///
    /// - Parameter number: Becomes the frame's number among those taken by any thread (`Player.takenNumber`).
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

    /// Whether the film runs.
    public var isOpen: Bool { state.withLock { $0.schedule != nil } }

    /// When a frame with `presentationTime` is due; nil if the film does not run.
    public func dueTime(of presentationTime: MediaTime) -> HostTime? {
        state.withLock { $0.schedule?.clock.hostTime(of: presentationTime) }
    }

    /// The last frame taken is on screen: decoding may continue (`Player.didShowFrame`).
    public func didShowFrame() { frames.didPresent() }
}
