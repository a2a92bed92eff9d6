import GlissadeMedia
import GlissadePlatform
public import GlissadeTime

/// The way by which frames leave a player, on whatever thread they are shown.
///
/// The main thread takes them with `Player.takeFrame`, in every phase of the player. While the clock runs, another
/// thread can take those that are due with `take`, if the main thread is late.
///
/// Threads: shared. The main thread opens the feed for others when the player's clock starts, and closes it when the
/// clock stops. Only one thread at a time takes frames.
public final class FrameFeed: Sendable {
    /// Which of the queued frames may be taken.
    enum Schedule {
        /// The next one, at once. `isDue` says whether it counts as a due frame.
        case next(isDue: Bool)
        /// The newest one that is not later than a media time, at once. None counts as due.
        case upTo(MediaTime)
        /// The newest one that is due by the clock. `end` is the end of the A–B loop, as a media time: frames at or
        /// after it are not taken. It is nil if playback continues to the end of the media.
        case clock(PlaybackClock, end: MediaTime?)
    }

    struct State: ~Copyable {
        /// What other threads may take; nil while the feed is closed for them.
        var schedule: Schedule?
        /// The frames that were taken and that the main thread has not accounted for yet.
        var taken = Taken()
        /// The number of frames taken so far by all threads together, not counting dropped frames.
        fileprivate(set) var number = 0
    }

    /// A summary of frames that were taken.
    struct Taken {
        /// The presentation time of the last of these frames; nil if none was taken.
        var last: MediaTime?
        var counts = Player.Counts()
    }

    private let frames: FrameQueue
    private let state = Monitor(State())
    /// The least delay at which a frame counts as late. The delay must also be at least the frame's duration.
    private static let lateness = Duration.milliseconds(10)

    init(frames: FrameQueue) { self.frames = frames }

    // MARK: - Main thread

    /// Runs `body` while no other thread can take frames. `body` may take frames or change the schedule.
    func exclusively<R: ~Copyable>(_ body: (inout State) -> R) -> R { state.withLock(body) }

    /// Takes the newest frame that `schedule` allows by `time`, and numbers it. Returns nil if there is none. Older
    /// frames that it allows are dropped, and counted if they were due.
    ///
    /// - Parameters:
    ///   - decodesAhead: Whether the queue may be filled with one frame more than usual if the frame is late.
    ///   - noteLateness: Called before a frame that is due by the clock is taken, with the delay of the first one.
    func take(
        _ schedule: Schedule, by time: HostTime, _ state: inout State, decodesAhead: Bool,
        noteLateness: (Duration) -> Void = { _ in }
    ) -> VideoFrame? {
        var head = frames.head()
        guard let first = head.first else { return nil }
        var (last, end, isDue) = (first, nil as MediaTime?, false)
        var (refill, isNext) = (FrameQueue.RefillPolicy.atOnce, false)
        switch schedule {
        case .next(let counts): (isDue, isNext) = (counts, true)
        case .upTo(let target): last = target
        case .clock(let clock, let loopEnd):
            (last, end, isDue) = (clock.time(at: time), loopEnd, true)
            guard Self.allows(first, last, end) else { return nil }
            let delay = last - first
            noteLateness(delay)
            let isLate = delay >= max(head.duration ?? .zero, Self.lateness)
            refill = decodesAhead && isLate ? .ahead : .onceShown
        }
        guard Self.allows(first, last, end) else { return nil }
        while !isNext, let second = head.second, Self.allows(second, last, end) {
            if isDue {
                state.taken.counts.due += 1
                state.taken.counts.dropped += 1
            }
            _ = frames.pop()
            head = frames.head()
        }
        guard var frame = frames.pop(refill) else { return nil }
        if isDue { state.taken.counts.due += 1 }
        state.taken.last = frame.presentationTime
        state.number += 1
        frame.number = state.number
        frame.isCounted = isDue
        return frame
    }

    private static func allows(_ frame: MediaTime, _ last: MediaTime, _ end: MediaTime?) -> Bool {
        frame <= last && (end.map { frame < $0 } ?? true)
    }

    // MARK: - Any thread

    /// When the next queued frame is due. Nil if no frame is queued, if the next one is past the end of an A–B loop, or
    /// if the feed is closed.
    public var nextDue: HostTime? {
        state.withLock { state in
            guard case .clock(let clock, let end)? = state.schedule, let first = frames.head().first else { return nil }
            if let end, first >= end { return nil }
            return clock.hostTime(of: first)
        }
    }

    /// Takes the newest frame that is due by `time`. Returns nil if no frame is due, or if the feed is closed. Older
    /// due frames are dropped and counted.
    public func take(by time: HostTime) -> VideoFrame? {
        state.withLock { state -> VideoFrame? in
            guard let schedule = state.schedule else { return nil }
            return take(schedule, by: time, &state, decodesAhead: false)
        }
    }

    /// Whether the feed is open: the player's clock runs, and playback is timed.
    public var isOpen: Bool { state.withLock { $0.schedule != nil } }

    /// When a frame with `presentationTime` is due; nil if the feed is closed.
    public func dueTime(of presentationTime: MediaTime) -> HostTime? {
        state.withLock { state in
            guard case .clock(let clock, _)? = state.schedule else { return nil }
            return clock.hostTime(of: presentationTime)
        }
    }

    /// Lets decoding continue. Call when the last frame taken is on screen, or if it will never be shown.
    ///
    /// Unless frames are late, the frame's slot in the queue is refilled only after this call or when the next frame is
    /// taken. Decoding then does not compete with presentation for CPU.
    public func didShowFrame() { frames.didPresent() }
}
