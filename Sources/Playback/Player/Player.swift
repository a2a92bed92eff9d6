import Audio
public import Media
import Platform
public import Time

/// Plays one media file or stream: opens it, keeps video and audio in sync, and provides each frame when it is due.
///
/// Threads: main thread. It never waits for its own threads. When one of them has news while the frame loop sleeps, it
/// calls `wake` on that thread. The frame loop calls `advance` before each frame and sleeps no longer than `nextWake`.
@MainActor public final class Player {
    /// The player's state.
    public enum State: Hashable, Sendable {
        case opening
        case playing
        case paused
        /// Waiting for a network that is slower than the media.
        case buffering
        /// The same, while reconnecting to a server.
        case reconnecting
        case ended
        case failed(PlaybackError)
    }

    /// Counts of frames that were due and of those that were dropped.
    public struct Counts: Hashable, Sendable {
        /// Frames whose time came.
        public var due = 0
        /// Frames skipped because the next was due as well, or not decoded because many were late.
        public var dropped = 0

        public init(due: Int = 0, dropped: Int = 0) {
            self.due = due
            self.dropped = dropped
        }
    }

    /// The media's path or URL.
    public let location: String
    /// The media's contents; nil until it is open.
    public internal(set) var info: MediaInfo?
    /// Whether it has frames to show: those of a film, or a cover.
    public internal(set) var hasVideo = false
    /// Whether an audio track plays.
    public internal(set) var hasAudio = false
    /// Frames that were due and that were dropped, including those skipped by the decoder.
    public var counts: Counts {
        let skipped = (pipeline.video?.skippedCount ?? 0) + pipeline.packets.droppedVideoCount
        return Counts(due: takenCounts.due + skipped, dropped: takenCounts.dropped + skipped)
    }

    /// The audio track that plays, an index into the media's tracks; nil for none.
    public internal(set) var selectedAudioTrack: Int?
    /// The subtitle track that is read.
    public internal(set) var selectedSubtitleTrack: Int?

    let pipeline: Pipeline
    let isUntimed: Bool
    /// Whether it is read over a network.
    let isAddress: Bool
    /// Counts of the frames that came out of the decoder.
    var takenCounts = Counts()
    var phase = Phase.opening {
        didSet { if phase != .running { closeFeed() } }
    }
    /// The number of the last frame that `takeFrame` has returned, among those taken by any thread. Later frames have higher
    /// numbers, also after a seek.
    public internal(set) var takenNumber = 0
    /// The frames, for a thread that shows them while the main thread is late.
    public let feed: FrameFeed
    package var clock: PlaybackClock
    /// The generation of video. Audio has the same one, unless it was restarted since.
    package var generation = 0
    var audioGeneration = 0
    /// Choices made before the media was open.
    var audioTrackAfterOpening: Int??
    var wantsPause: Bool
    var startAfterOpening: Duration?
    var lastShown: MediaTime?
    /// The time of the frame on screen, no matter which seek it came from.
    var onShow: MediaTime?
    var scrub: Scrub?
    var range: LoopRange?
    var pendingSeek: (target: MediaTime, mode: SeekMode)?
    /// Requested frame steps that were not applied yet.
    var pendingSteps = 0
    var isStepPending: Bool {
        get { pendingSteps > 0 }
        set { pendingSteps = newValue ? max(1, pendingSteps) : 0 }
    }
    /// Whether frame steps have moved the clock away from the audio position.
    var audioIsElsewhere = false
    var starvedSince: HostTime?
    /// Since when the first frame has been waiting for audio.
    var audioAwaitedSince: HostTime?
    /// Whether the last awaited audio came too late.
    var audioIsLate = false
    /// The refresh rate of the display that may lead the film, in Hz; nil if it is unknown or audio should lead.
    public var displayRate: Double?
    /// The factor on the film's speed while a display leads it; nil while audio leads.
    public internal(set) var displayFactor: Double?
    /// Whether audio was last made to follow a display, rather than the clock audio.
    var audioFollowsDisplay = false

    enum Phase: Equatable {
        case opening
        case failed(PlaybackError)
        /// Decoding the first frame and the first audio of a generation.
        case preroll(since: HostTime, target: MediaTime?)
        /// The first frame is on screen; the clock starts when audio is heard.
        case startingAudio(since: HostTime)
        case running
        case paused
        case buffering
        /// Scrubbing: frames are shown one by one.
        case scrubbing
        case ended
    }

    /// How long a new seek waits for the first frame of the previous one. Without the wait, a quick series of seeks
    /// would show nothing until its end.
    static let seekTimeout = Duration.milliseconds(120)
    /// How long playback waits for video that begins long after audio.
    static let pictureTimeout = Duration.seconds(2)
    /// How long the first frame waits for audio to be read and decoded, once nothing more may be read ahead: there is
    /// no audio near.
    static let audioTimeout = Duration.milliseconds(300)
    /// How long the clock waits for audio to be heard.
    static let startTimeout = Duration.seconds(2)
    /// The same after audio came too late, until the server has played audio again.
    static let lateAudioTimeout = Duration.milliseconds(300)
    /// How late audio may be and still be waited for. Beyond that, the late part is skipped.
    static let longestHold = Duration.seconds(2)
    /// How long the end of playback waits for a server that does not play its remaining samples.
    static let tailTimeout = Duration.seconds(3)

    /// Opens `location` in the background.
    ///
    /// - Parameters:
    ///   - wake: Makes the frame loop call `advance`; called from any thread.
    ///   - report: Receives problems during playback; called from any thread.
    public convenience init(
        location: String, options: PlayerOptions = PlayerOptions(), wake: @escaping @Sendable () -> Void,
        report: @escaping @Sendable (PlaybackProblem) -> Void
    ) {
        self.init(location: location, options: options, access: .ffmpeg, wake: wake, report: report)
    }

    /// The same, with replaceable access to the hardware.
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
        feed = FrameFeed(frames: pipeline.frames)
        pipeline.audio?.volume = volume
        pipeline.audio?.isMuted = isMuted
    }

    isolated deinit { pipeline.stop() }

    /// Ends its threads without waiting for them, since one may be stuck opening a source that does not answer. It does
    /// not play any more.
    public func retire() {
        // Claimed here: if a player were released before that thread runs, it would wait instead.
        guard pipeline.claimEnd() else { return }
        closeFeed()
        let pipeline = pipeline
        // If no thread can be started, the wait happens here; it is usually short.
        if !Thread.detach(name: "retiring", { pipeline.end() }) { pipeline.end() }
    }

    // MARK: - State

    /// The current state.
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

    /// Whether it was asked to pause, regardless of its state.
    public var isPaused: Bool { wantsPause }
    /// The playback speed; while changing, the new one.
    public internal(set) var speed: Double

    /// Whether the clock runs, so that frames become due.
    public var isRunning: Bool { phase == .running }

    /// Whether a seek is waiting for its first frame.
    public var isSeeking: Bool {
        if case .preroll = phase { true } else { false }
    }

    /// The position at `now`, counted from the start of the media.
    public func position(at now: HostTime) -> Duration {
        guard let info else { return startAfterOpening ?? .zero }
        if let scrub { return scrub.target }
        let time = (pendingSeek?.target ?? mediaTime(at: now)) - info.startTime
        return max(.zero, min(time, info.duration ?? time))
    }

    /// The offset between audio and the frame shown with `presentationTime` at `host`: positive if video is ahead. Nil
    /// if nothing is heard.
    public func audioOffset(of presentationTime: MediaTime, at host: HostTime) -> Duration? {
        guard phase == .running, let heard = pipeline.audio?.position(at: host), heard.generation == audioGeneration,
            heard.isServerLed
        else { return nil }
        return presentationTime - heard.mediaTime
    }

    /// The media time at `now`.
    func mediaTime(at now: HostTime) -> MediaTime {
        if case .preroll(_, let target?) = phase {
            // After a seek that was not exact, the position is that of the frame shown.
            if let lastShown, !pipeline.packets.startsExactly { return lastShown }
            return target
        }
        return wrapped(clock.time(at: now))
    }

    /// Maps a time in a later round of a loop to the same place in the first round, which is its position in the media.
    /// At the end of a round, the result is the end, not the start.
    public func wrapped(_ time: MediaTime) -> MediaTime {
        guard let start = info?.startTime, let round = pipeline.roundLength else { return time }
        let passed = (time - start).nanoseconds
        guard passed >= round.nanoseconds else { return time }
        let rest = passed % round.nanoseconds
        return start + (rest == 0 && phase == .ended ? round : .nanoseconds(rest))
    }

    /// Sleeps until the media is open or has failed to open, or until `deadline`. For start-up and tools, not for the
    /// frame loop.
    public func waitUntilOpened(until deadline: HostTime) {
        _ = pipeline.waitForOutcome(until: deadline)
        advance(to: .now())
    }

    // MARK: - Settings

    /// 0…1.3; 1 leaves the level unchanged.
    public var volume: Double { didSet { pipeline.audio?.volume = volume } }
    /// Whether audio plays silently.
    public var isMuted: Bool { didSet { pipeline.audio?.isMuted = isMuted } }
    /// Whether it starts over at the end. A loop range takes precedence.
    public var isLooping: Bool { didSet { pipeline.packets.isLooping = isLooping && range == nil } }

    /// Sets the format of new frames; queued frames keep theirs.
    public func setPictureRequest(_ request: FrameFormat) { pipeline.setRequest(request) }

    /// Sets the speed, 0.1…8, keeping the pitch of audio.
    ///
    /// Video continues without interruption. With audio, the samples that the server still holds (about 0.1 s) are
    /// heard at the old speed, and video changes together with audio.
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
