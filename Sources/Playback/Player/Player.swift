import GlissadeAudio
public import GlissadeMedia
import GlissadePlatform
public import GlissadeTime

/// Plays one media file or stream: opens it, keeps video and audio in sync, and provides each frame when it is due.
///
/// Threads: main thread. Only two operations wait for the background threads: `waitUntilOpened`, and releasing a player
/// on which `retire` was not called. The background threads call `wake` when they have news for the frame loop. The
/// frame loop calls `advance` before each frame, and sleeps until `nextWake` at the latest.
@MainActor public final class Player {
    /// What the player is doing.
    public enum State: Hashable, Sendable {
        case opening
        case playing
        case paused
        /// Waiting for data because the network delivers data more slowly than the media plays.
        case buffering
        /// Waiting for the connection to a server to be restored.
        case reconnecting
        case ended
        case failed(PlaybackError)
    }

    /// The numbers of due and dropped frames.
    public struct Counts: Hashable, Sendable {
        /// Frames whose presentation time has come, including dropped ones.
        public var due = 0
        /// Due frames that were never shown, either because the next frame was already due or because decoding had to
        /// catch up.
        public var dropped = 0

        public init(due: Int = 0, dropped: Int = 0) {
            self.due = due
            self.dropped = dropped
        }
    }

    /// The media's path or URL.
    public let location: String
    /// The tracks, duration and other properties of the media; nil until the media is open.
    public internal(set) var info: MediaInfo?
    /// Whether the media has frames to show, from a video track or a cover image.
    public internal(set) var hasVideo = false
    /// Whether an audio track is selected for playback.
    public internal(set) var hasAudio = false
    /// The numbers of due and dropped frames so far, including frames that were never decoded.
    public var counts: Counts {
        let skipped = (pipeline.video?.skippedCount ?? 0) + pipeline.packets.droppedVideoCount
        return Counts(due: takenCounts.due + skipped, dropped: takenCounts.dropped + skipped)
    }

    /// The selected audio track, as an index into `MediaInfo.tracks`; nil for none.
    public internal(set) var selectedAudioTrack: Int?
    /// The selected subtitle track, as an index into `MediaInfo.tracks`; nil for none.
    public internal(set) var selectedSubtitleTrack: Int?

    let pipeline: Pipeline
    let isUntimed: Bool
    /// Whether the media is an address or a playlist. Its data may come late or be lost.
    var isStream: Bool
    /// The numbers of due and dropped frames, not counting frames that were never decoded.
    var takenCounts = Counts()
    var phase = Phase.opening {
        didSet { if phase != .running { closeFeed() } }
    }
    /// The way by which frames leave the player. Lets another thread take due frames while the main thread is late.
    public let feed: FrameFeed
    package var clock: PlaybackClock
    /// The current generation of video. Each seek begins a new one. `audioGeneration` is the same unless audio alone
    /// was restarted since.
    package var generation = 0
    var audioGeneration = 0
    /// The audio track selected while the media was opening. `.some(nil)` if audio was turned off; nil if nothing was
    /// selected.
    var audioTrackAfterOpening: Int??
    var wantsPause: Bool
    /// The position to start from once the media is open; nil for the start of the media.
    var startAfterOpening: Duration?
    var lastShown: MediaTime?
    /// The time of the frame on screen, even if it dates from before the current seek.
    var onShow: MediaTime?
    var scrub: Scrub?
    var range: LoopRange?
    var pendingSeek: (target: MediaTime, mode: SeekMode)?
    /// The number of frame steps that have been requested but not shown yet.
    var pendingSteps = 0
    var isStepPending: Bool {
        get { pendingSteps > 0 }
        set { pendingSteps = newValue ? max(1, pendingSteps) : 0 }
    }
    /// Whether the clock no longer matches the queued audio, as after frame steps while paused.
    var audioIsElsewhere = false
    var starvedSince: HostTime?
    /// When the first frame began to wait for audio; nil if it is not waiting.
    var audioAwaitedSince: HostTime?
    /// Whether audio came too late the last time the clock waited for it.
    var audioIsLate = false
    /// The refresh rate of the display in Hz, if the display may set the pace of playback. Nil if the rate is unknown
    /// or audio should set the pace.
    public var displayRate: Double?
    /// The factor that adapts the video's speed to the display's refresh rate; nil if no suitable factor exists. While
    /// audio is heard, the factor applies only if `audioFollowsDisplay` is true.
    public internal(set) var displayFactor: Double?
    /// The choice of a variant. See `selectQuality`.
    public internal(set) var quality = Quality.automatic
    var variantState = PlayerVariants()
    /// The height of the screen in pixels; nil if unknown. `Quality.automatic` chooses no variant with more lines.
    public var screenLines: Int? {
        didSet { if screenLines != oldValue { pipeline.packets.screenLines = screenLines } }
    }
    /// Whether audio follows the display's pace. If false, the clock follows audio.
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
        /// Scrubbing: the clock is stopped, and each frame is shown as soon as it is decoded.
        case scrubbing
        case ended
    }

    /// How long a new seek waits for the first frame of the previous seek. Without the wait, a quick series of seeks
    /// would show nothing until its end.
    static let seekTimeout = Duration.milliseconds(120)
    /// How long playback or a scrub waits for a frame, for example if video begins long after audio.
    static let pictureTimeout = Duration.seconds(2)
    /// How long the first frame waits for audio if the packet buffer is full. A full buffer without audio means that
    /// there is no audio nearby.
    static let audioTimeout = Duration.milliseconds(300)
    /// How long the clock waits for audio before it starts.
    static let startTimeout = Duration.seconds(2)
    /// How long the clock waits for audio before it starts, if audio came too late the last time: see `audioIsLate`.
    static let lateAudioTimeout = Duration.milliseconds(300)
    /// The longest time for which the clock waits for late audio. If audio is even later, it skips to the clock's
    /// position.
    static let longestHold = Duration.seconds(2)
    /// How long playback waits at the end of the media for the server to play the remaining samples.
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

    /// Opens `location` in the background, using `access` for hardware decoding.
    package init(
        location: String, options: PlayerOptions, access: HardwareAccess, wake: @escaping @Sendable () -> Void,
        report: @escaping @Sendable (PlaybackProblem) -> Void
    ) {
        self.location = location
        isUntimed = options.isUntimed
        screenLines = options.screenLines
        isStream = MediaInput.isAddress(location)
        wantsPause = options.isPaused
        startAfterOpening = options.start
        var options = options
        options.speed = options.speed.isFinite ? min(max(options.speed, 0.01), 100) : 1
        clock = PlaybackClock(speed: options.speed, at: .now())
        speed = options.speed
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

    /// Stops playback for good, and ends the background threads without waiting for them.
    public func retire() {
        // Claim the task here, not on the new thread: a player released before that thread runs would wait in `deinit`.
        guard pipeline.claimEnd() else { return }
        closeFeed()
        let pipeline = pipeline
        // If no thread can be started, the wait happens here; it is usually short.
        if !NamedThread.detach(name: "retiring", { pipeline.end() }) { pipeline.end() }
    }

    // MARK: - State

    /// What the player is doing now. During a scrub, and while the player prepares the first frame after opening or a
    /// seek, this is the state that will follow.
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

    /// Whether playback is paused, or will start paused.
    public var isPaused: Bool { wantsPause }
    /// The requested playback speed. Audio that the server already holds is still heard at the previous speed.
    public internal(set) var speed: Double

    /// Whether the clock runs, so that frames become due.
    public var isRunning: Bool { phase == .running }

    /// Whether playback is waiting for the first frame or audio after opening or a seek.
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

    /// How far the frame with `presentationTime`, shown at `host`, is ahead of the audio heard at that moment; negative
    /// if it is behind. Nil unless playback is running and the sound server is playing its audio.
    public func audioOffset(of presentationTime: MediaTime, at host: HostTime) -> Duration? {
        guard phase == .running, let heard = pipeline.audio?.position(at: host), heard.generation == audioGeneration,
            heard.isServerLed
        else { return nil }
        return presentationTime - heard.mediaTime
    }

    /// The current position as a time on the media timeline. During a seek, this is the seek's target or the time of
    /// the frame found.
    func mediaTime(at now: HostTime) -> MediaTime {
        if case .preroll(_, let target?) = phase {
            // After a seek that was not exact, the position is that of the frame shown.
            if let lastShown, !pipeline.packets.startsExactly { return lastShown }
            return target
        }
        return wrapped(clock.time(at: now))
    }

    /// Converts a time of the clock, which keeps counting when the media repeats, to a time within the media. After the
    /// end of playback, returns the media's end rather than its start.
    public func wrapped(_ time: MediaTime) -> MediaTime {
        guard let start = info?.startTime, let round = pipeline.roundLength else { return time }
        let passed = (time - start).nanoseconds
        guard passed >= round.nanoseconds else { return time }
        let rest = passed % round.nanoseconds
        return start + (rest == 0 && phase == .ended ? round : .nanoseconds(rest))
    }

    /// Blocks until the media is open or has failed to open, or until `deadline`. For start-up and tools, not for the
    /// frame loop.
    public func waitUntilOpened(until deadline: HostTime) {
        _ = pipeline.waitForOutcome(until: deadline)
        advance(to: .now())
    }

    // MARK: - Settings

    /// The volume, 0…1.3; 1 leaves the level unchanged.
    public var volume: Double { didSet { pipeline.audio?.volume = volume } }
    /// Whether audio is muted. Muted audio keeps playing, but is silent.
    public var isMuted: Bool { didSet { pipeline.audio?.isMuted = isMuted } }
    /// Whether playback starts over at the end. An A–B loop takes precedence.
    public var isLooping: Bool { didSet { pipeline.packets.isLooping = isLooping && range == nil } }

    /// Sets the format of frames decoded from now on. Frames that are already queued keep their format.
    public func setFrameFormat(_ format: FrameFormat) { pipeline.setRequest(format) }

    /// Sets the playback speed, clamped to 0.1…8. The pitch of audio does not change.
    ///
    /// While audio is playing, the new speed takes effect after about 0.1 s, once the server has played the samples
    /// that it already holds.
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
