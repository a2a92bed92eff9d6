import Audio
public import Media
import Platform
public import Time

/// Plays one media: opens it, keeps picture and sound together, and gives out each frame when its time has come.
///
/// Main thread. It never blocks on what its threads do; when one of them has news while the frame loop sleeps, it calls
/// `wake` from its own thread. The frame loop calls `advance` before each frame and sleeps no longer than `nextWake`.
@MainActor public final class Player {
    /// What it is doing.
    public enum State: Hashable, Sendable {
        case opening
        case playing
        case paused
        /// Waiting for a network that is slower than the media.
        case buffering
        /// The same, while a server that was lost is called again.
        case reconnecting
        case ended
        case failed(PlaybackError)
    }

    /// Frames given out and thrown away since the beginning.
    public struct Counts: Hashable, Sendable {
        /// Frames whose time came.
        public var due = 0
        /// Those of them that were passed over because the next one was due as well, or not even decoded because many were.
        public var dropped = 0

        public init(due: Int = 0, dropped: Int = 0) {
            self.due = due
            self.dropped = dropped
        }
    }

    /// The media's path or address.
    public let location: String
    /// What is in it; nil until it is open.
    public internal(set) var info: MediaInfo?
    public internal(set) var hasVideo = false
    public internal(set) var hasAudio = false
    public var counts: Counts {
        let skipped = pipeline.video?.skippedCount ?? 0
        return Counts(due: takenCounts.due + skipped, dropped: takenCounts.dropped + skipped)
    }

    /// The sound that plays, an index into the media's tracks; nil where none does.
    public internal(set) var selectedAudioTrack: Int?
    /// The subtitles that are read.
    public internal(set) var selectedSubtitleTrack: Int?

    let pipeline: Pipeline
    let isUntimed: Bool
    /// Whether it comes over a network.
    let isAddress: Bool
    /// Of the frames that came out of the decoder.
    var takenCounts = Counts()
    var phase = Phase.opening
    package var clock: PlaybackClock
    /// Of the picture, and of the sound where that has not begun anew since.
    package var generation = 0
    var audioGeneration = 0
    /// What was chosen before the media was open.
    var audioTrackAfterOpening: Int??
    var wantsPause: Bool
    var startAfterOpening: Duration?
    var lastShown: MediaTime?
    /// The time of the picture on show, whichever seek it came from.
    var onShow: MediaTime?
    var scrub: Scrub?
    var range: LoopRange?
    var pendingSeek: (target: MediaTime, mode: SeekMode)?
    /// Steps forward that were asked for and not taken yet.
    var pendingSteps = 0
    var isStepPending: Bool {
        get { pendingSteps > 0 }
        set { pendingSteps = newValue ? max(1, pendingSteps) : 0 }
    }
    /// The clock was moved by frame steps since the sound last stood where it does.
    var audioIsElsewhere = false
    var starvedSince: HostTime?
    /// Since when a first frame has waited for its sound.
    var audioAwaitedSince: HostTime?
    /// The last sound that was waited for did not come in time.
    var audioIsLate = false

    enum Phase: Equatable {
        case opening
        case failed(PlaybackError)
        /// Decoding towards the first frame, and the first sound, of a generation.
        case preroll(since: HostTime, target: MediaTime?)
        /// The first frame is on show; the clock starts when the sound is heard.
        case startingAudio(since: HostTime)
        case running
        case paused
        case buffering
        /// A hand holds the position: pictures are shown one by one.
        case scrubbing
        case ended
    }

    /// A newer seek waits so long for the first frame of the one before it: without this, a quick row of seeks would
    /// show nothing at all until its end.
    static let seekPatience = Duration.milliseconds(120)
    /// A media whose picture begins long after its sound begins without it after this.
    static let picturePatience = Duration.seconds(2)
    /// Sound that has yet to be read and decoded holds the first frame up no longer than this, where all is read that may be
    /// read ahead: there is none near.
    static let audioPatience = Duration.milliseconds(300)
    /// Sound that is not heard holds the clock up no longer than this.
    static let startTimeout = Duration.seconds(2)
    /// The same, after sound that came too late, until a server has been heard again.
    static let lateAudioTimeout = Duration.milliseconds(300)
    /// Sound that falls further behind is not waited for: what is late of it is left out.
    static let longestHold = Duration.seconds(2)
    /// A server that does not play what it holds puts off the end no longer than this.
    static let tailPatience = Duration.seconds(3)

    /// Opens `location` in the background.
    ///
    /// - Parameters:
    ///   - wake: makes the frame loop call `advance`; called from any thread.
    ///   - report: told what goes wrong while playing goes on; called from any thread.
    public convenience init(
        location: String, options: PlayerOptions = PlayerOptions(), wake: @escaping @Sendable () -> Void,
        report: @escaping @Sendable (PlaybackProblem) -> Void
    ) {
        self.init(location: location, options: options, access: .ffmpeg, wake: wake, report: report)
    }

    /// The same, with another way to the hardware.
    package init(
        location: String, options: PlayerOptions, access: HardwareAccess, wake: @escaping @Sendable () -> Void,
        report: @escaping @Sendable (PlaybackProblem) -> Void
    ) {
        self.location = location
        isUntimed = options.isUntimed
        isAddress = MediaInput.isAddress(location)
        wantsPause = options.isPaused
        startAfterOpening = options.start
        let speed = options.speed.isFinite ? min(max(options.speed, 0.01), 100) : 1
        clock = PlaybackClock(speed: speed, at: .now())
        self.speed = speed
        selectedSubtitleTrack = options.subtitleTrack
        volume = options.volume
        isMuted = options.isMuted
        isLooping = options.isLooping
        pipeline = Pipeline(location: location, options: options, access: access, wake: wake, report: report)
        pipeline.audio?.volume = volume
        pipeline.audio?.isMuted = isMuted
    }

    isolated deinit { pipeline.stop() }

    /// Ends its threads without waiting for them: one may be held up in opening something that does not answer. It plays
    /// no more.
    public func retire() {
        // Claimed here: a player that goes away before that thread runs would wait in its stead.
        guard pipeline.claimEnd() else { return }
        let pipeline = pipeline
        // Where there is no thread for it, the wait is here: a moment, as a rule.
        if !Thread.detach(name: "retiring", { pipeline.end() }) { pipeline.end() }
    }

    // MARK: - State

    public var state: State {
        switch phase {
        case .opening: .opening
        case .failed(let error): .failed(error)
        case .ended: .ended
        case .buffering: pipeline.packets.isReconnecting ? .reconnecting : .buffering
        case .preroll where pipeline.packets.isReconnecting: .reconnecting
        case .preroll, .startingAudio, .running, .paused, .scrubbing: wantsPause ? .paused : .playing
        }
    }

    public var isPaused: Bool { wantsPause }
    /// Media seconds a second; while sound and picture pass to another speed, the new one.
    public internal(set) var speed: Double

    /// Whether the clock goes: frames fall due by themselves.
    public var isRunning: Bool { phase == .running }

    /// Whether a seek is on its way to its first picture.
    public var isSeeking: Bool {
        if case .preroll = phase { true } else { false }
    }

    /// The position on the media's own time line at `now`, counted from its beginning.
    public func position(at now: HostTime) -> Duration {
        guard let info else { return startAfterOpening ?? .zero }
        if let scrub { return scrub.target }
        let time = (pendingSeek?.target ?? mediaTime(at: now)) - info.startTime
        return max(.zero, min(time, info.duration ?? time))
    }

    /// What lies between the sound and the picture shown with `presentationTime` at `host`: positive where the picture
    /// is ahead. Nil where nothing is heard.
    public func audioOffset(of presentationTime: MediaTime, at host: HostTime) -> Duration? {
        guard phase == .running, let heard = pipeline.audio?.position(at: host), heard.generation == audioGeneration,
            heard.isServerLed
        else { return nil }
        return presentationTime - heard.mediaTime
    }

    /// Where it is in the media at `now`.
    func mediaTime(at now: HostTime) -> MediaTime {
        if case .preroll(_, let target?) = phase {
            // A seek that was not exact is where the frame is that it found.
            if let lastShown, !pipeline.packets.startsExactly { return lastShown }
            return target
        }
        return inFirstRound(clock.time(at: now))
    }

    /// Time runs on from round to round of a loop: the same place in the first round, which is where it is in the media.
    /// The end of a round is its end, not the beginning of the next, once it is at the end.
    public func inFirstRound(_ time: MediaTime) -> MediaTime {
        guard let start = info?.startTime, let round = pipeline.roundLength else { return time }
        let passed = (time - start).nanoseconds
        guard passed >= round.nanoseconds else { return time }
        let rest = passed % round.nanoseconds
        return start + (rest == 0 && phase == .ended ? round : .nanoseconds(rest))
    }

    /// Sleeps until the media is open or cannot be opened, at most until `deadline`. For start-up and tools: the frame
    /// loop does not call it.
    public func waitUntilOpened(until deadline: HostTime) {
        _ = pipeline.waitForOutcome(until: deadline)
        advance(to: .now())
    }

    // MARK: - Settings

    /// 0…1.3; 1 is the media's own level.
    public var volume: Double { didSet { pipeline.audio?.volume = volume } }
    public var isMuted: Bool { didSet { pipeline.audio?.isMuted = isMuted } }
    public var isLooping: Bool { didSet { pipeline.packets.isLooping = isLooping && range == nil } }

    /// In which form frames are to come; those that are queued already come as they are.
    public func setPictureRequest(_ request: FrameFormat) { pipeline.setRequest(request) }

    /// Plays faster or slower from now on, 0.1…8; the sound keeps its pitch.
    ///
    /// The picture goes on without a stop. Where there is sound, what the server holds of it, some 0.1 s, is still heard at
    /// the old speed, and the picture changes with the sound.
    public func setSpeed(_ speed: Double, now: HostTime) {
        guard speed != self.speed, speed.isFinite else { return }
        self.speed = min(max(speed, 0.1), 8)
        pipeline.setSpeed(self.speed)
        guard hasAudio, let track = selectedAudioTrack, phase == .running else {
            clock.setSpeed(self.speed, at: now)
            if hasAudio, let track = selectedAudioTrack { restartAudio(track, now: now) }
            return
        }
        restartAudio(track, now: now)
    }
}
