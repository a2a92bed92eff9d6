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
    public internal(set) var info: MediaInfo? {
        get { if case .open(let info) = media { info } else { nil } }
        // For tests.
        set { if let newValue { media = .open(newValue) } }
    }
    /// Whether the media has frames to show, from a video track or a cover image.
    public private(set) var hasVideo = false
    /// Whether an audio track is selected for playback.
    public private(set) var hasAudio = false
    /// The numbers of due and dropped frames so far, including frames that were never decoded.
    public var counts: Counts {
        let skipped = (pipeline.video?.skippedCount ?? 0) + pipeline.packets.droppedVideoCount
        return Counts(due: takenCounts.due + skipped, dropped: takenCounts.dropped + skipped)
    }

    /// The selected audio track, as an index into `MediaInfo.tracks`; nil for none.
    public private(set) var selectedAudioTrack: Int?
    /// The selected subtitle track, as an index into `MediaInfo.tracks`; nil for none.
    public private(set) var selectedSubtitleTrack: Int?

    let pipeline: Pipeline
    let isUntimed: Bool
    /// Whether the media is an address or a playlist. Its data may come late or be lost.
    private var isStream: Bool
    private var media: Media
    /// The numbers of due and dropped frames, not counting frames that were never decoded.
    var takenCounts = Counts()
    private(set) var phase = Phase.opening {
        didSet {
            guard phase != .running else { return }
            closeFeed()
            starvedSince = nil
        }
    }
    /// The way by which frames leave the player. Lets another thread take due frames while the main thread is late.
    public let feed: FrameFeed
    package var clock: PlaybackClock
    /// The current generation of video. Each seek begins a new one. `audioGeneration` is the same unless audio alone
    /// was restarted since.
    package private(set) var generation = 0
    private(set) var audioGeneration = 0
    private(set) var wantsPause: Bool
    /// The time of the frame on screen; nil until a frame of the current generation has been taken.
    var lastShown: MediaTime?
    /// The time of the frame on screen, even if it dates from before the current seek.
    var onShow: MediaTime?
    private var range: LoopRange?
    /// What is taken into account of `Pipeline.readLength`.
    private var readLength = Demuxer.ReadLength(length: .zero, isWhole: false)
    /// The number of frame steps that have been requested but not shown yet.
    var pendingSteps = 0
    var isStepPending: Bool {
        get { pendingSteps > 0 }
        set { pendingSteps = newValue ? max(1, pendingSteps) : 0 }
    }
    /// Whether the clock no longer matches the queued audio, as after frame steps while paused.
    var audioIsElsewhere = false
    /// Since when running playback has been without data from the network; nil if it has data, or is not running.
    private var starvedSince: HostTime?
    /// Whether audio came too late the last time the clock waited for it.
    private var audioIsLate = false
    /// The refresh rate of the display in Hz, if the display may set the pace of playback. Nil if the rate is unknown
    /// or audio should set the pace.
    public var displayRate: Double?
    /// The factor that adapts the video's speed to the display's refresh rate; nil if no suitable factor exists. While
    /// audio is heard, the factor applies only if `audioFollowsDisplay` is true.
    public private(set) var displayFactor: Double?
    /// The choice of a variant. See `selectQuality`.
    public var quality: Quality { variantState.quality }
    private(set) var variantState = VariantSelection()
    /// The height of the screen in pixels; nil if unknown. `Quality.automatic` chooses no variant with more lines.
    public var screenLines: Int? {
        didSet { if screenLines != oldValue { pipeline.packets.screenLines = screenLines } }
    }
    /// Whether audio follows the display's pace. If false, the clock follows audio.
    private(set) var audioFollowsDisplay = false

    /// The media, or what to do once it is open.
    private enum Media {
        /// - Parameters:
        ///   - start: The position to start from; nil for the start of the media.
        ///   - audio: The audio track that was selected meanwhile.
        case unopened(start: Duration?, audio: AudioChoice)
        case open(MediaInfo)
    }

    private enum AudioChoice {
        case byDefault
        /// The track with this index in `MediaInfo.tracks`, or none.
        case track(Int?)
    }

    enum Phase: Equatable {
        case opening
        case failed(PlaybackError)
        /// Decoding the first frame and the first audio of a generation.
        case preroll(Preroll)
        /// The first frame is on screen; the clock starts when audio is heard.
        case startingAudio(since: HostTime)
        case running
        case paused
        case buffering
        /// Scrubbing: the clock is stopped, and each frame is shown as soon as it is decoded.
        indirect case scrubbing(Scrub)
        case ended
    }

    /// The wait for the first frame and audio of a generation.
    struct Preroll: Hashable {
        let since: HostTime
        /// The target of the seek; nil after opening.
        let target: MediaTime?
        /// The seek that follows once the first frame of this one is on screen; nil if there is none.
        var pending: PendingSeek?
        /// When the first frame began to wait for audio; nil if it is not waiting.
        var audioAwaitedSince: HostTime?
    }

    struct PendingSeek: Hashable {
        let target: MediaTime
        let mode: SeekMode
    }

    /// How long a new seek waits for the first frame of the previous seek. Without the wait, a quick series of seeks
    /// would show nothing until its end.
    private static let seekTimeout = Duration.milliseconds(120)
    /// How long playback waits for a frame, for example if video begins long after audio.
    private static let pictureTimeout = Duration.seconds(2)
    /// How long the first frame waits for audio if the packet buffer is full. A full buffer without audio means that
    /// there is no audio nearby.
    private static let audioTimeout = Duration.milliseconds(300)
    /// How long the clock waits for audio before it starts.
    private static let startTimeout = Duration.seconds(2)
    /// How long the clock waits for audio before it starts, if audio came too late the last time: see `audioIsLate`.
    private static let lateAudioTimeout = Duration.milliseconds(300)
    /// The longest time for which the clock waits for late audio. If audio is even later, it skips to the clock's
    /// position.
    private static let longestHold = Duration.seconds(2)
    /// How long playback waits at the end of the media for the server to play the remaining samples.
    private static let tailTimeout = Duration.seconds(3)

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
        media = .unopened(start: options.start, audio: .byDefault)
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
    public private(set) var speed: Double

    /// Whether the clock runs, so that frames become due.
    public var isRunning: Bool { phase == .running }

    /// Whether playback is waiting for the first frame or audio after opening or a seek.
    public var isSeeking: Bool {
        if case .preroll = phase { true } else { false }
    }

    /// The position at `now`, counted from the start of the media.
    public func position(at now: HostTime) -> Duration {
        let info: MediaInfo
        switch media {
        case .unopened(let start, _): return start ?? .zero
        case .open(let opened): info = opened
        }
        if let scrub { return scrub.target }
        let time = (pendingSeek?.target ?? mediaTime(at: now)) - info.startTime
        // A seek may lead beyond a length that is wrong.
        if isSeeking, !isLengthCertain { return max(.zero, time) }
        return max(.zero, min(time, info.duration ?? time))
    }

    /// Whether nothing lies beyond the media's length: its end has been read, or it is a stream, which says it.
    private var isLengthCertain: Bool { isStream || pipeline.readLength.isWhole }

    /// Corrects the media's length by what has been read: headers may be wrong, and a recording may grow.
    private func correctLength() {
        let read = pipeline.readLength
        guard read != readLength, !isStream, case .open(var info) = media, let duration = info.duration else { return }
        // A length that was read is not kept for being close.
        let isOwn = duration == readLength.length
        readLength = read
        guard isOwn || LengthMeter.corrects(duration, to: read.length) else { return }
        info.duration = read.length
        media = .open(info)
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
    private func mediaTime(at now: HostTime) -> MediaTime {
        if case .preroll(let preroll) = phase, let target = preroll.target {
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

// MARK: - Phases, and when the frame loop must call `advance`

extension Player {
    /// Advances playback to `now`, and handles news from the background threads.
    public func advance(to now: HostTime) {
        if pipeline.video?.hasMissed(generation) == true { seekAgain(now) }
        if pipeline.video?.hasLost(generation) == true { seekLost(now) }
        advanceVariants(now)
        correctLength()
        switch phase {
        case .opening: finishOpening(now)
        case .preroll(let preroll): advancePreroll(preroll, now)
        case .startingAudio(let since): advanceStart(now, since: since)
        case .running: advanceRunning(now)
        case .buffering: advanceBuffering(now)
        case .scrubbing(let scrub): advanceScrub(scrub, now)
        case .paused: dropStepPastEnd()
        case .failed, .ended: break
        }
        feedFrames()
    }

    /// The time by which to call `advance` again, unless a background thread calls `wake` earlier; nil for no limit.
    public func nextWake(now: HostTime) -> HostTime? {
        switch phase {
        case .opening, .failed, .ended, .paused: return nil
        case .preroll(let preroll):
            let since = preroll.since
            if preroll.pending != nil { return since + Self.seekTimeout }
            // No thread reports that there is no audio left to read.
            if lastShown != nil || !hasVideo { return max(since + Self.audioTimeout, now + .milliseconds(50)) }
            // No thread reports that the packet buffer is full and no frame has come.
            return max(since + Self.pictureTimeout, now + .milliseconds(100))
        // Polls a few times until the server reports the audible position.
        case .startingAudio: return now + .milliseconds(4)
        case .buffering: return now + .milliseconds(50)
        case .scrubbing(let scrub): return scrubWake(scrub)
        case .running:
            let other = runningWake(now)
            guard let turn = loopEnd.flatMap({ clock.hostTime(of: $0) }) else { return other }
            return other.map { min($0, turn) } ?? turn
        }
    }

    private func runningWake(_ now: HostTime) -> HostTime? {
        let head = pipeline.frames.head()
        if isUntimed {
            if head.hasEnded && head.first == nil { return now }
            return mayWait && head.first == nil ? now + .milliseconds(100) : nil
        }
        if head.first != nil { return nil }
        if starvedSince != nil || hasVideo && !head.hasEnded {
            return starvedSince.map { $0 + Self.starvationTimeout }
                ?? (mayWait ? now + .milliseconds(100) : nil)
        }
        guard let end = end(head).flatMap({ clock.hostTime(of: $0) }) else {
            return hasAudio ? now + .milliseconds(100) : nil
        }
        // Past the end, no thread reports when the last audio was heard.
        return end > now ? end : now + .milliseconds(10)
    }

    // MARK: - Phases

    private func finishOpening(_ now: HostTime) {
        switch pipeline.outcome {
        case nil: return
        case .failure(let error): phase = .failed(error)
        case .success(let opened):
            guard case .unopened(let start, let audio) = media else { return }
            media = .open(opened.info)
            isStream = isStream || opened.info.isPlaylist
            variantState.begin(now: now)
            hasVideo = opened.hasVideo
            hasAudio = opened.hasAudio && !isUntimed
            selectedAudioTrack = hasAudio ? opened.info.audioTrack : nil
            if let track = selectedSubtitleTrack, !opened.info.isSubtitle(track) { selectedSubtitleTrack = nil }
            clock.set(opened.info.startTime, at: now)
            phase = .preroll(Preroll(since: now, target: nil))
            if let start, start > .zero {
                lastShown = opened.info.startTime  // Do not wait for a frame from the beginning.
                seek(to: start, mode: .exact, now: now)
            }
            if case .track(let track) = audio { selectAudioTrack(track, now: now) }
            advance(to: now)
        }
    }

    /// Repeats an exact seek whose target frame the decoder has skipped or lost. If another seek is pending, performs
    /// the pending seek instead.
    private func seekAgain(_ now: HostTime) {
        switch phase {
        case .preroll(let preroll):
            guard let target = preroll.target else { return }
            lastShown = target  // The failed seek has no frame to wait for.
            seek(to: preroll.pending?.target ?? target, mode: preroll.pending?.mode ?? .exact, now: now)
        case .scrubbing: request(.exact, now)
        default: break
        }
    }

    /// Seeks to the current position, because the decoder has lost frames that only a seek can restore.
    private func seekLost(_ now: HostTime) {
        switch phase {
        case .opening, .failed, .ended: break
        case .preroll, .scrubbing: seekAgain(now)
        case .startingAudio, .running, .paused, .buffering: seek(to: mediaTime(at: now), mode: .exact, now: now)
        }
    }

    private func advancePreroll(_ preroll: Preroll, _ now: HostTime) {
        let (since, target) = (preroll.since, preroll.target)
        let head = pipeline.frames.head()
        if head.first == nil, isLost(now, since: since) { return }
        let isStuck = now - since >= Self.pictureTimeout && pipeline.packets.isAtLimit
        let hasPicture = !hasVideo || lastShown != nil || head.hasEnded && head.first == nil || isStuck
        if let pending = preroll.pending, hasPicture || now - since >= Self.seekTimeout {
            lastShown = lastShown ?? pending.target
            return seek(to: pending.target, mode: pending.mode, now: now)
        }
        guard hasPicture else { return }
        let awaited = preroll.audioAwaitedSince ?? now
        if preroll.audioAwaitedSince == nil {
            var preroll = preroll
            preroll.audioAwaitedSince = now
            phase = .preroll(preroll)
        }
        dropRefusedAudio(now)
        guard case .preroll = phase else { return }
        let audioIsReady = !hasAudio || pipeline.audioDecoder?.isReady(audioGeneration) != false
        let isWithoutAudio = now - since >= Self.audioTimeout && pipeline.packets.isAtLimit
        guard audioIsReady || isWithoutAudio || now - since >= Self.startTimeout || wantsPause else { return }

        // An exact seek continues from its target, any other from the frame that it found.
        var from = target ?? info?.startTime ?? .zero
        if let lastShown, !pipeline.packets.startsExactly { from = lastShown }
        if target == nil, let start = info?.startTime { from = max(from, start) }
        clock.set(from, at: now)
        if wantsPause {
            audioIsElsewhere = true
            phase = .paused
            // At the end of the media, nothing else wakes the frame loop.
            dropStepPastEnd()
        } else {
            startClock(now: now, from: from, since: awaited)
        }
    }

    /// Starts the clock: at once if there is no audio, otherwise when audio is heard.
    ///
    /// - Parameters:
    ///   - from: The media time at which to start audio; nil to resume paused audio.
    ///   - since: When the video began to wait for audio; nil for `now`.
    private func startClock(now: HostTime, from: MediaTime?, since: HostTime? = nil) {
        guard hasAudio, let audio = pipeline.audio, !audio.hasEnded(at: now) else {
            clock.run(at: now)
            phase = .running
            return
        }
        if let from {
            if pipeline.audioDecoder?.isReady(audioGeneration) == false {
                // No audio is decoded yet: video starts alone, and audio joins it in sync.
                audio.follow(from, at: now, speed: pace, generation: audioGeneration)
            } else {
                audio.start(from: from, speed: pace, generation: audioGeneration)
            }
        }
        audio.resume()
        phase = .startingAudio(since: since ?? now)
        advance(to: now)
    }

    /// The clock's start time becomes final this long in advance. Before that, the server's reports can still change
    /// it.
    private static let startMargin = Duration.milliseconds(12)

    private func advanceStart(_ now: HostTime, since: HostTime) {
        guard let audio = pipeline.audio, !audio.hasEnded(at: now) else {
            clock.run(at: now)
            phase = .running
            return
        }
        let onset = audio.onset.flatMap { $0.generation == audioGeneration ? $0 : nil }
        let deadline = since + (audioIsLate ? Self.lateAudioTimeout : Self.startTimeout)
        // When audio reaches the frame on screen.
        let start = onset.map { $0.host + (clock.time(at: now) - $0.mediaTime) / $0.speed }
        if let start, start <= min(now + Self.startMargin, deadline) {
            if start < now, let heard = audio.position(at: now), heard.generation == audioGeneration,
                heard.mediaTime > clock.time(at: now)
            {
                clock.set(heard.mediaTime, at: now)
            }
            clock.run(at: now, from: start)
            phase = .running
            return
        }
        // Audio would be heard too late, or its start has been unknown for too long.
        guard now >= deadline || start.map({ $0 > deadline }) == true else { return }
        audioIsLate = true
        audio.follow(clock.time(at: now), at: now, speed: pace, generation: audioGeneration)
        clock.run(at: now)
        phase = .running
    }

    private func advanceRunning(_ now: HostTime) {
        if isUntimed {
            let head = pipeline.frames.head()
            if head.first == nil, isLost(now, since: HostTime(nanoseconds: 0)) { return }
            if head.hasEnded && head.first == nil || !hasVideo { finish(now) }
            return
        }
        followDisplay(now)
        followAudio(now)
        guard phase == .running else { return }
        if turnBack(now) { return }
        let head = pipeline.frames.head()
        noteStarvation(head, now)
        if let end = end(head), head.first == nil, clock.time(at: now) >= end, audioHasEnded(end, now) {
            // After a seek beyond the end, there may have been nothing to decode.
            let start = info?.startTime ?? .zero
            clock.set(end > start ? end : start + (info?.duration ?? .zero), at: now)
            finish(now)
        }
    }

    /// Whether audio has been heard to its end, or `tailTimeout` has passed since `end`. Audio that started late ends
    /// after video.
    private func audioHasEnded(_ end: MediaTime, _ now: HostTime) -> Bool {
        guard hasAudio, let audio = pipeline.audio else { return true }
        return audio.hasEnded(at: now) || clock.time(at: now) - end >= Self.tailTimeout * clock.speed
    }

    private func finish(_ now: HostTime) {
        if let reason = reasonForNothing { return phase = .failed(.nothingToPlay(reason: reason)) }
        if range?.isArmed == true { return seekToLoopStart(now) }
        if isLooping, !isUntimed, info?.isSeekable == true, info?.isStill == false {
            lastShown = lastShown ?? .zero
            return seek(to: info?.startTime ?? .zero, mode: .exact, now: now)
        }
        clock.stop(at: now)
        pipeline.audio?.pause()
        phase = .ended
    }

    /// Why nothing was played; nil if something was, or if there was nothing to decode.
    private var reasonForNothing: String? {
        let video = hasVideo ? pipeline.video?.output : nil
        let audio = hasAudio ? pipeline.audioDecoder?.output : nil
        switch (video, audio) {
        case (let video?, nil) where video.isEmpty: return "its video cannot be decoded"
        case (nil, let audio?) where audio.isEmpty: return "its audio cannot be decoded"
        case (let video?, let audio?) where video.isEmpty && audio.isEmpty:
            return "neither its video nor its audio can be decoded"
        default: return nil
        }
    }

    /// The media time at which playback ends; nil until every playing track has been decoded to its end.
    private func end(_ head: FrameQueue.Head) -> MediaTime? {
        var end = MediaTime(nanoseconds: .min)
        if hasVideo, info?.isStill != true || !hasAudio {
            guard head.hasEnded, let video = pipeline.video?.end else { return nil }
            end = max(end, video)
        }
        if hasAudio {
            guard let audio = pipeline.audioDecoder?.end(audioGeneration) else { return nil }
            end = max(end, audio)
        }
        return end.nanoseconds == .min ? nil : end
    }
}

// MARK: - Pausing, seeking and frame steps

extension Player {
    /// Pauses at the current frame. If the media is still opening, playback will start paused.
    public func pause(now: HostTime) {
        wantsPause = true
        pipeline.video?.setLateness(.zero)
        pipeline.audio?.pause()
        switch phase {
        case .running, .startingAudio, .buffering:
            clock.stop(at: now)
            phase = .paused
        default: break
        }
    }

    /// Resumes playback. After the end of the media, starts over. After a lost connection, reconnects. At the end of an
    /// A–B loop, returns to the loop's start.
    public func play(now: HostTime) {
        wantsPause = false
        isStepPending = false
        if isLost { return retry(now: now) }
        if phase == .paused, let end = loopEnd, clock.time(at: now) >= end { return seekToLoopStart(now) }
        switch phase {
        case .paused where audioIsElsewhere && hasAudio && info?.isSeekable == true:
            seek(to: mediaTime(at: now), mode: .exact, now: now)
        case .paused: startClock(now: now, from: audioIsElsewhere ? clock.time(at: now) : nil)
        case .ended: seek(to: info?.startTime ?? .zero, mode: .exact, now: now)
        default: break
        }
    }

    /// Calls `play` if playback is paused, has ended or has lost its connection; otherwise, calls `pause`.
    public func togglePause(now: HostTime) {
        if wantsPause || isLost || phase == .ended { play(now: now) } else { pause(now: now) }
    }

    /// Seeks to `position`, counted from the start of the media. While the media is opening, sets the position to start
    /// from. A position beyond the end leads to the end; the end of a file is where it was read, not where its header
    /// says.
    public func seek(to position: Duration, mode: SeekMode = .exact, now: HostTime) {
        guard let info else {
            if phase == .opening, case .unopened(_, let audio) = media {
                media = .unopened(start: position, audio: audio)
            }
            return
        }
        let target = isLengthCertain ? min(position, info.duration ?? position) : position
        seek(to: info.startTime + max(.zero, target), mode: mode, now: now)
    }

    /// Seeks by `step`, relative to the current position or the target of a pending seek.
    ///
    /// - Parameter isExact: Whether to seek to the exact position rather than to a keyframe near it.
    public func seek(by step: Duration, isExact: Bool = false, now: HostTime) {
        let from = position(at: now)
        let base = info?.startTime ?? .zero
        seek(to: from + step, mode: isExact ? .exact : .step(from: base + from), now: now)
    }

    /// The most frame steps that may be pending. The limit makes stepping stop soon after a held key is released, even
    /// if decoding is slower than the key's repeat rate.
    private static let mostSteps = 4

    /// Pauses, and shows the next frame if `forward` is true, or else the previous frame.
    public func stepFrame(forward: Bool, now: HostTime) {
        pause(now: now)
        guard hasVideo else { return }
        if let scrub {
            // Steps from the frame being sought, which may not be the one on screen.
            let frame = Duration.seconds(1 / max(1, info?.frameRate ?? 25))
            seek(to: forward ? scrub.target : scrub.target - frame, now: now)
            isStepPending = forward
            return
        }
        if forward {
            // If a seek is in progress, the step is applied once the sought frame is on screen. After the last frame,
            // steps are ignored.
            pendingSteps = hasNextFrame ? min(pendingSteps + 1, Self.mostSteps) : 0
        } else if let shown = lastShown {
            seek(to: wrapped(shown) - .nanoseconds(1), mode: .exact, now: now)
        }
    }

    /// While paused, decodes the current frame again in the current format. Otherwise, does nothing.
    ///
    /// - Returns: Whether the frame will be decoded. If a seek or frame step prevents this, try again later.
    @discardableResult public func refresh(now: HostTime) -> Bool {
        guard hasVideo, let shown = lastShown, phase == .paused, !isStepPending, info?.isSeekable == true else {
            return false
        }
        seek(to: wrapped(shown), mode: .exact, now: now)
        return true
    }

    /// Decodes the current frame again for a new renderer, unless another frame follows soon. Applies while paused,
    /// after the end, and to a cover image. The audio played with a cover image stops briefly.
    ///
    /// - Returns: Whether the frame will be decoded. If a seek or frame step prevents this, try again later.
    public func restoreFrame(now: HostTime) -> Bool {
        if refresh(now: now) { return true }
        guard hasVideo, let shown = lastShown, let info, info.isSeekable else { return false }
        switch phase {
        case .running where info.isStill: seek(to: mediaTime(at: now), mode: .exact, now: now)
        case .ended: seek(to: wrapped(shown), mode: .exact, now: now)
        default: return false
        }
        return true
    }

    package func seek(to target: MediaTime, mode: SeekMode, now: HostTime) {
        guard let info, info.isSeekable else { return }
        let target = max(target, info.startTime)
        // Audio without video can start anywhere, so it needs no keyframe.
        let mode = hasVideo && !info.isStill ? mode : .exact
        isStepPending = false
        if case .preroll(var preroll) = phase, lastShown == nil, now - preroll.since < Self.seekTimeout {
            preroll.pending = PendingSeek(target: target, mode: mode)
            phase = .preroll(preroll)
            return
        }
        armABLoop(for: target)
        beginGeneration()
        // Earlier lateness no longer counts; it must not cause the frame being sought to be skipped.
        pipeline.video?.setLateness(.zero)
        clock.stop(at: now)
        clock.set(target, at: now)
        clock.setSpeed(speed, at: now)
        pipeline.seek(to: target, mode: mode, generation: generation)
        audioIsElsewhere = false
        lastShown = nil
        phase = .preroll(Preroll(since: now, target: target))
    }

    /// The seek that waits for the first frame of the previous one; nil if there is none.
    var pendingSeek: PendingSeek? {
        switch phase {
        case .preroll(let preroll): preroll.pending
        case .scrubbing(let scrub): scrub.pendingSeek
        default: nil
        }
    }

    /// Begins a new generation of both video and audio.
    private func beginGeneration() {
        generation = nextGeneration
        audioGeneration = generation
    }

    private var nextGeneration: Int { max(generation, audioGeneration) + 1 }
}

// MARK: - Scrubbing

extension Player {
    /// The scrub in progress; nil if there is none.
    var scrub: Scrub? { if case .scrubbing(let scrub) = phase { scrub } else { nil } }

    /// Whether a scrub is in progress. During a scrub, audio is silent, the clock is stopped, and `position` returns
    /// the thumb's position.
    public var isScrubbing: Bool { scrub != nil }

    /// Begins a scrub. A seek or a frame step ends the scrub.
    ///
    /// During a scrub, `isPaused` and `state` describe the state that will apply after the scrub. `play`, `pause` and
    /// `togglePause` change that state.
    ///
    /// - Returns: Whether a scrub is in progress now. False if the media is not open, has failed or cannot seek.
    @discardableResult public func beginScrub(now: HostTime) -> Bool {
        guard scrub == nil else { return true }
        guard let info, info.isSeekable, phase != .opening else { return false }
        if case .failed = phase { return false }
        let begun = Scrub(from: position(at: now), in: phase)
        pipeline.video?.setLateness(.zero)
        pipeline.audio?.pause()
        clock.stop(at: now)
        isStepPending = false
        phase = .scrubbing(begun)
        return true
    }

    /// Moves the thumb to `position`, counted from the start of the media and clamped to the media's duration.
    ///
    /// - Returns: False if no scrub is in progress.
    @discardableResult public func scrub(to position: Duration, now: HostTime) -> Bool {
        guard case .scrubbing(var scrub) = phase else { return false }
        scrub.move(to: clamped(position), now: now)
        advanceScrub(scrub, now)
        return true
    }

    /// Ends the scrub at `position`, or at the thumb's position if that is nil, with an exact seek if needed. Playback
    /// then resumes unless it is paused.
    ///
    /// - Returns: False if no scrub is in progress.
    @discardableResult public func endScrub(to position: Duration? = nil, now: HostTime) -> Bool {
        guard let scrub else { return false }
        let target = position.map(clamped) ?? scrub.target
        if scrub.isUntouched(at: target) {
            resume(scrub, now)
        } else if scrub.isExact(at: target) {
            // That frame has been decoded, or is being decoded.
            let time = (info?.startTime ?? .zero) + target
            armABLoop(for: time)
            phase = .preroll(Preroll(since: scrub.since ?? now, target: time))
        } else {
            seek(to: target, mode: .exact, now: now)
        }
        advance(to: now)
        return true
    }

    /// Cancels the scrub, and returns to the position where it began.
    ///
    /// - Returns: False if no scrub is in progress.
    @discardableResult public func cancelScrub(now: HostTime) -> Bool {
        guard let scrub else { return false }
        return endScrub(to: scrub.origin, now: now)
    }

    private func clamped(_ position: Duration) -> Duration {
        max(.zero, min(position, info?.duration ?? position))
    }

    /// Ends a scrub in which nothing was decoded, and restores the phase before the scrub.
    private func resume(_ scrub: Scrub, _ now: HostTime) {
        switch scrub.phase {
        case .running, .startingAudio, .buffering, .paused:
            phase = .paused
            if !wantsPause { play(now: now) }
        // A seek that was in progress or pending continues.
        case .preroll, .ended, .opening, .failed, .scrubbing: phase = scrub.phase
        }
    }

    /// When to call `advanceScrub` next; nil if only the thumb or a frame can bring news.
    private func scrubWake(_ scrub: Scrub) -> HostTime? { seesScrub ? scrub.wake(sight) : nil }

    /// Whether there is video that can follow the thumb.
    private var seesScrub: Bool { hasVideo && info?.isStill == false }

    /// What a scrub must know about the frames.
    private var sight: Scrub.Sight {
        let (head, start) = (pipeline.frames.head(), info?.startTime ?? .zero)
        return Scrub.Sight(
            onShow: onShow.map { wrapped($0) - start }, hasShown: lastShown != nil,
            hasEnded: head.hasEnded && head.first == nil, next: head.first.map { $0 - start })
    }

    private func advanceScrub(_ scrub: Scrub, _ now: HostTime) {
        var scrub = scrub
        let step = seesScrub ? scrub.advance(sight, now: now) : .wait
        if self.scrub != scrub { phase = .scrubbing(scrub) }
        switch step {
        case .wait: break
        case .request(let kind): request(kind, now)
        case .goOn: if let followTarget { clock.set(followTarget, at: now) }
        }
    }

    /// The thumb's position in media time while the decoder follows it frame by frame; nil otherwise.
    var followTarget: MediaTime? {
        guard let scrub, let info, scrub.follows else { return nil }
        return info.startTime + scrub.target
    }

    /// Requests a frame at the thumb.
    private func request(_ kind: Scrub.Kind, _ now: HostTime) {
        guard case .scrubbing(var scrub) = phase, let info else { return }
        scrub.didRequest(kind, now: now)
        phase = .scrubbing(scrub)
        beginGeneration()
        lastShown = nil
        let time = info.startTime + scrub.target
        clock.set(time, at: now)
        audioIsElsewhere = false
        if kind == .exact {
            pipeline.seek(to: time, mode: .exact, generation: generation)
        } else {
            pipeline.scrubPreview(at: time, shown: onShow.map(wrapped), generation: generation)
        }
    }
}

// MARK: - A–B loop

extension Player {
    /// The start and end of the A–B loop, counted from the start of the media; nil if there is no loop. If `end` is
    /// nil, the loop ends with the media.
    public var loopRange: (start: Duration, end: Duration?)? { range.map { ($0.start, $0.end) } }

    /// Sets an A–B loop: when playback reaches `end`, the player seeks exactly to `start`.
    ///
    /// If the current position is before `start`, playback continues into the loop. If the position is at `end` or
    /// later, playback jumps to `start` at once or, if paused, when it resumes. After a seek to `end` or later,
    /// playback ignores the loop until another seek goes back before `end`.
    ///
    /// - Parameters:
    ///   - start: The start of the loop, counted from the start of the media; negative values count as 0. Nil removes
    ///     the loop.
    ///   - end: The end of the loop, counted from the start of the media. Nil or a time at or past the end of the media
    ///     makes the loop end with the media.
    /// - Returns: True if the loop was set or removed. If the range is empty or begins at or after the end of the
    ///   media, or if the media is not open, has failed or cannot be repeated, returns false and changes nothing.
    @discardableResult public func setLoopRange(from start: Duration?, to end: Duration? = nil, now: HostTime) -> Bool {
        guard let start else {
            range = nil
            pipeline.packets.isLooping = isLooping
            return true
        }
        guard let info, info.isSeekable, !info.isStill, !isUntimed else { return false }
        if case .failed = phase { return false }
        guard let new = LoopRange(from: start, to: end, duration: info.duration) else { return false }
        let position = position(at: now)
        range = new
        // The demuxer must not repeat the whole media. If it has already begun to, the seek below drops those
        // packets.
        pipeline.packets.isLooping = false
        switch phase {
        case .running, .startingAudio, .buffering, .preroll:
            if new.isOver(at: position) && !wantsPause {
                seek(to: new.start, mode: .exact, now: now)
            } else if isLooping {
                seek(to: position, mode: .exact, now: now)
            }
        default: break
        }
        return true
    }

    /// The media time at which playback returns to the start of the A–B loop; nil if playback continues to the end of
    /// the media.
    var loopEnd: MediaTime? {
        guard let range, range.isArmed, let end = range.end, let info else { return nil }
        return info.startTime + end
    }

    /// Seeks to the start of the A–B loop if its end has been reached. Returns whether a seek was started.
    private func turnBack(_ now: HostTime) -> Bool {
        guard let end = loopEnd, clock.time(at: now) >= end else { return false }
        seekToLoopStart(now)
        return true
    }

    private func seekToLoopStart(_ now: HostTime) {
        guard let range, let info else { return }
        // Do not wait for a frame of the previous repetition.
        lastShown = lastShown ?? info.startTime
        seek(to: info.startTime + range.start, mode: .exact, now: now)
    }

    /// Arms the A–B loop if `target` is before the loop's end; otherwise, disarms it. A loop without an end stays
    /// armed.
    private func armABLoop(for target: MediaTime) {
        if let info { range?.arm(for: target - info.startTime) }
    }
}

// MARK: - Tracks, and changing audio to another track or speed while video continues

extension Player {
    /// The media's audio tracks, except those of other variants of a stream; empty before the media is open.
    public var audioTracks: [MediaInfo.Track] { tracks { $0.isAudioOfVariant($1) } }

    /// The media's subtitle tracks; empty before the media is open.
    public var subtitleTracks: [MediaInfo.Track] { tracks { $0.isSubtitle($1) } }

    private func tracks(_ isWanted: (MediaInfo, Int) -> Bool) -> [MediaInfo.Track] {
        guard let info else { return [] }
        return info.tracks.indices.filter { isWanted(info, $0) }.map { info.tracks[$0] }
    }

    /// Selects the audio track with index `track` in `MediaInfo.tracks`; nil turns audio off. Video continues if the
    /// packets needed are buffered; otherwise, the player seeks to the current position, if possible.
    ///
    /// For a file, the new track is heard after about 0.1 s, once the server has played the audio that it already
    /// holds. If the track cannot be decoded, reports a problem and plays no audio.
    ///
    /// - Returns: Whether the track was selected. While the media is opening, always true: the track is then selected
    ///   afterwards, if possible. False if there is no such track, if nothing would be left to play, if the player does
    ///   not decode audio, or if the connection was lost and the media cannot seek.
    @discardableResult public func selectAudioTrack(_ track: Int?, now: HostTime) -> Bool {
        guard let info else {
            guard phase == .opening, case .unopened(let start, _) = media else { return false }
            media = .unopened(start: start, audio: .track(track))
            return true
        }
        guard track != selectedAudioTrack else { return true }
        // After a lost connection, media that cannot seek may continue from anywhere in the stream.
        guard pipeline.audioDecoder != nil, !isUntimed, !isLost || info.isSeekable else { return false }
        if let track {
            guard info.isAudio(track), pipeline.packets.reads(track) else { return false }
            selectedAudioTrack = track
            restartAudio(track, now: now)
        } else {
            guard hasVideo else { return false }
            dropAudio(now)
        }
        return true
    }

    /// Selects the subtitle track with index `track` in `MediaInfo.tracks`; nil turns subtitles off. The current
    /// subtitle appears immediately if it was read recently.
    ///
    /// - Returns: Whether the track was selected. False if the index is not that of a subtitle track. While the media
    ///   is opening, always true.
    @discardableResult public func selectSubtitleTrack(_ track: Int?) -> Bool {
        if let track {
            guard phase == .opening || info?.isSubtitle(track) == true else { return false }
        }
        guard track != selectedSubtitleTrack else { return true }
        selectedSubtitleTrack = track
        pipeline.selectSubtitles(track)
        return true
    }

    /// Sends the packets of the selected subtitle track to `receiver` on the demuxer's thread, starting with recently
    /// read ones. If `receiver` is nil, stops sending packets.
    package func attach(_ receiver: (any SubtitleReceiver)?) { pipeline.attach(receiver) }

    // MARK: - Restarting audio

    /// Restarts audio with `track` at the current speed. Video continues if the packets needed are still buffered;
    /// otherwise, a seek restarts both video and audio.
    private func restartAudio(_ track: Int, now: HostTime) {
        guard let audio = pipeline.audio, let info else { return }
        hasAudio = true
        switch phase {
        case .failed where isLost:
            // Applied once the connection is back.
            pipeline.packets.selectAudio(track: track)
            pipeline.packets.orderSelection()
        case .opening, .failed: return
        case .ended: pipeline.packets.selectAudio(track: track)
        case .scrubbing(var scrub):
            pipeline.packets.selectAudio(track: track)
            scrub.audioIsStale = true
            phase = .scrubbing(scrub)
        case .preroll where !info.isSeekable, .paused where audioIsElsewhere && !info.isSeekable:
            restartUnsought(track, now)
        case .preroll:
            // A pending seek counts as the position.
            let sought = pendingSeek ?? PendingSeek(target: mediaTime(at: now), mode: .exact)
            pipeline.packets.selectAudio(track: track)
            seek(to: sought.target, mode: sought.mode, now: now)
        case .paused where audioIsElsewhere: pipeline.packets.selectAudio(track: track)
        case .running, .startingAudio, .buffering, .paused:
            // From a network or a playlist, only the track that plays is read.
            if isStream, track != pipeline.packets.audioTrack {
                return seekForAudio(track, now)
            }
            let next = nextGeneration
            pipeline.packets.holdAudio()
            // New audio cannot follow audio that has ended or has not been heard yet.
            if audio.position(at: now) != nil, let from = audio.splice(generation: next) {
                guard
                    pipeline.packets.restartAudio(
                        track: track, from: from, generation: next, takesAnything: !info.isSeekable)
                else { return seekForAudio(track, now) }
                audioGeneration = next
            } else if phase == .paused {
                if info.isSeekable {
                    pipeline.packets.selectAudio(track: track)
                } else {
                    restartUnsought(track, now)
                }
                audioIsElsewhere = true
            } else {
                join(track, next, now)
            }
        }
    }

    /// Starts audio with `track` at the clock's time while video continues. If the packets needed are no longer
    /// buffered, seeks instead.
    private func join(_ track: Int, _ next: Int, _ now: HostTime) {
        pipeline.audio?.flush(generation: next)
        guard
            pipeline.packets.restartAudio(
                track: track, from: clock.time(at: now), generation: next, takesAnything: info?.isSeekable == false)
        else { return seekForAudio(track, now) }
        audioGeneration = next
        if case .startingAudio = phase {
            // Video and audio still begin together.
            pipeline.audio?.pause()
            phase = .preroll(Preroll(since: now, target: clock.time(at: now)))
        } else {
            followPicture(now)
        }
    }

    /// The actual speed of video: `speed`, adapted to the display's refresh rate while the display sets the pace.
    private var pace: Double { speed * clock.displayFactor }

    /// Makes restarted audio play in sync with the video.
    private func followPicture(_ now: HostTime) {
        pipeline.audio?.follow(clock.time(at: now), at: now, speed: pace, generation: audioGeneration)
        clock.setSpeed(speed, at: now)
        clock.observeSilence(at: now)
        // While video is paused, audio that follows it stays paused as well.
        if phase == .running { pipeline.audio?.resume() }
    }

    /// Restarts video and audio with a seek, because the audio packets needed are not buffered. If the media cannot
    /// seek, restarts audio alone with the packets that are available.
    private func seekForAudio(_ track: Int, _ now: HostTime) {
        guard info?.isSeekable == true else {
            restartUnsought(track, now)
            followPicture(now)
            return
        }
        let position = mediaTime(at: now)
        pipeline.packets.selectAudio(track: track)
        pipeline.packets.orderSelection()
        seek(to: position, mode: .exact, now: now)
    }

    /// Restarts audio without a seek, for media that cannot seek. If the packets at the video's position are no longer
    /// buffered, audio starts later.
    private func restartUnsought(_ track: Int, _ now: HostTime) {
        let next = nextGeneration
        pipeline.audio?.flush(generation: next)
        // Select first: over a network, nothing of this track has been read yet.
        pipeline.packets.selectAudio(track: track)
        pipeline.packets.orderSelection()
        _ = pipeline.packets.restartAudio(
            track: track, from: mediaTime(at: now), generation: next, takesAnything: true)
        audioGeneration = next
    }

    /// Turns audio off, and lets the clock run without it.
    private func dropAudio(_ now: HostTime) {
        hasAudio = false
        selectedAudioTrack = nil
        audioGeneration = nextGeneration
        pipeline.audio?.flush(generation: audioGeneration)
        pipeline.packets.selectAudio(track: nil)
        clock.setSpeed(speed, at: now)
        clock.observeSilence(at: now)
        if case .startingAudio = phase { startClock(now: now, from: nil) }
    }

    /// Turns audio off if the selected track cannot be decoded. If there is no video either, playback fails. The
    /// decoder has already reported the problem.
    private func dropRefusedAudio(_ now: HostTime) {
        guard hasAudio, pipeline.audioDecoder?.isRefused(audioGeneration) == true else { return }
        dropAudio(now)
        if !hasVideo { phase = .failed(.nothingToPlay(reason: "its audio cannot be decoded")) }
    }

    /// Updates `displayFactor`. Without audio, also applies the factor to the clock.
    private func followDisplay(_ now: HostTime) {
        displayFactor =
            if let displayRate, let frameRate = info?.frameRate, hasVideo, info?.isStill == false {
                DisplayLead.factor(
                    film: frameRate * speed, display: displayRate, isLeading: displayFactor != nil)
            } else {
                nil
            }
        if !hasAudio { clock.setDisplayFactor(displayFactor ?? 1, at: now) }
    }

    /// Keeps the clock and audio in sync. While a display sets the pace, audio follows the clock; otherwise, the clock
    /// follows the audio being heard.
    private func followAudio(_ now: HostTime) {
        guard hasAudio, let audio = pipeline.audio else { return }
        dropRefusedAudio(now)
        let heard = audio.position(at: now).flatMap { $0.generation == audioGeneration ? $0 : nil }
        guard let heard else {
            // The audio that the clock waits for is about to begin.
            let isAboutToBegin = audio.onset.map { $0.host > now && $0.host - now < .milliseconds(50) } ?? false
            if !isAboutToBegin { clock.observeSilence(at: now) }
            clock.setSpeed(speed, at: now)
            clock.setDisplayFactor(displayFactor ?? 1, at: now)
            // Audio that joins later must be placed according to the current speed.
            audio.setFollowedSpeed(pace, at: now, generation: audioGeneration)
            return
        }
        // After a change of speed, audio of the old speed is heard first. Audio that follows a display also differs
        // slightly from the nominal speed.
        let heardSpeed = abs(heard.speed - speed) <= speed * DisplayLead.tolerance * 1.01 ? speed : heard.speed
        if heardSpeed != clock.speed { clock.setSpeed(heardSpeed, at: now) }
        if heard.isServerLed { audioIsLate = false }
        let time = clock.time(at: now)
        if time - heard.mediaTime > Self.longestHold || clock.wait(at: now) > Self.longestHold {
            clock.observeSilence(at: now)
            audio.follow(time, at: now, speed: pace, generation: audioGeneration)
        } else if let displayFactor, !clock.isHeld(at: now),
            DisplayLead.canFollow(ahead: time - heard.mediaTime, isFollowing: audioFollowsDisplay)
        {
            audioFollowsDisplay = true
            clock.observeSilence(at: now)
            clock.setDisplayFactor(displayFactor, at: now)
            pipeline.audioDecoder?.setRateFactor(DisplayLead.audioFactor(displayFactor, ahead: time - heard.mediaTime))
        } else {
            audioFollowsDisplay = false
            clock.setDisplayFactor(1, at: now)
            pipeline.audioDecoder?.setRateFactor(1)
            clock.observe(heard.mediaTime, at: now)
        }
    }
}

// MARK: - The variants of an HLS or DASH stream

extension Player {
    /// The variants of the stream, from the best to the worst; empty if there are fewer than two, and before the media
    /// is open.
    public var variants: [StreamVariant] { info?.variants ?? [] }

    /// The index of the variant that plays, or that will play once what is buffered ends; nil if there are no variants.
    public var currentVariant: Int? { info?.variant }

    /// Chooses a variant of the stream. Playback continues with the packets of the old variant until the new one begins
    /// at a keyframe. If too little is buffered for that, the player seeks to the current position. If the variant
    /// cannot be played, reports a problem and keeps the old one. Also keeps the old one if the variant does not
    /// arrive in time.
    ///
    /// - Returns: Whether the choice was accepted. False if there is no such variant, or if the media is not open.
    @discardableResult public func selectQuality(_ quality: Quality, now: HostTime) -> Bool {
        guard !variants.isEmpty else { return false }
        if case .variant(let index) = quality {
            guard variants.indices.contains(index) else { return false }
        }
        guard quality != self.quality else { return true }
        order(variantState.choose(quality, playing: currentVariant, now: now))
        if quality == .automatic { chooseVariant(now) }
        return true
    }

    private func order(_ variant: Int?) {
        if let variant { pipeline.packets.orderVariant(variant) }
    }

    /// Applies the demuxer's answers, and chooses a variant automatically.
    private func advanceVariants(_ now: HostTime) {
        guard !variants.isEmpty else { return }
        if let change = pipeline.packets.takeVariantChange() { apply(change, now) }
        if variantState.isFree { chooseVariant(now) }
    }

    private func chooseVariant(_ now: HostTime) {
        guard let current = currentVariant, !isLost,
            let best = VariantChoice.best(
                of: variants, rate: pipeline.packets.rate, lines: screenLines, excluding: variantState.refused)
        else { return }
        order(variantState.prefer(best, to: current, now: now))
    }

    private func apply(_ change: VariantChange, _ now: HostTime) {
        guard variantState.take(change), var info, variants.indices.contains(change.variant) else { return }
        let audio = selectedAudioTrack
        info.useVariant(change.variant)
        if let audio { selectedAudioTrack = info.audioTrack(audio, inVariant: change.variant) }
        media = .open(info)
        switch (change.result, phase) {
        case (_, .opening), (_, .failed), (_, .ended), (.refused, _), (.tooSlow, _): break
        // A paused frame is replaced at once.
        case (.joined, .paused): refresh(now: now)
        case (.joined, _): break
        case (.awaitsSeek, .scrubbing): request(.exact, now)
        case (.awaitsSeek, .preroll):
            seek(to: pendingSeek?.target ?? mediaTime(at: now), mode: pendingSeek?.mode ?? .exact, now: now)
        case (.awaitsSeek, _): seek(to: mediaTime(at: now), mode: .exact, now: now)
        }
    }
}

// MARK: - Waiting for the network

extension Player {
    /// How long playback goes without data before it starts buffering or fails.
    private static let starvationTimeout = Duration.milliseconds(250)

    /// Whether playback may have to wait for data: from a network, from a playlist, or from a file that is being written.
    private var mayWait: Bool { isStream || pipeline.packets.isGrowing }

    /// Starts buffering if playback that may have to wait for data has been without for `starvationTimeout`.
    private func noteStarvation(_ head: FrameQueue.Head, _ now: HostTime) {
        let awaitsAudio = !hasVideo || hasAudio && info?.isStill == true
        guard mayWait, awaitsAudio || head.first == nil && !head.hasEnded, pipeline.packets.isStarved else {
            starvedSince = nil
            return
        }
        let since = starvedSince ?? now
        starvedSince = since
        if now - since >= Self.starvationTimeout {
            starvedSince = nil
            // Nothing was shown or heard since then. Set the clock back, so that nothing is skipped.
            if !hasAudio { clock.set(clock.time(at: since), at: now) }
            clock.stop(at: now)
            pipeline.audio?.pause()
            phase = .buffering
        }
    }

    private func advanceBuffering(_ now: HostTime) {
        if let reason = pipeline.packets.loss, pipeline.packets.isStarved {
            phase = .failed(.connectionLost(reason: reason))
        } else if pipeline.packets.loss != nil || pipeline.packets.isReadyToResume {
            startClock(now: now, from: nil)
        }
    }

    /// Returns whether playback has reached a missing part of a playlist since the last call. The picture stands still
    /// there.
    public func takeMissingPart(at now: HostTime) -> Bool {
        isStream && phase == .running && pipeline.packets.takeMissingParts(until: clock.time(at: now))
    }

    /// Fails playback if the connection is lost and nothing is buffered. Returns whether playback failed.
    ///
    /// - Parameter since: When playback began to wait for data. Playback does not fail within `starvationTimeout` of
    ///   this time.
    private func isLost(_ now: HostTime, since: HostTime) -> Bool {
        guard now - since >= Self.starvationTimeout, let reason = pipeline.packets.loss, pipeline.packets.isStarved
        else { return false }
        phase = .failed(.connectionLost(reason: reason))
        return true
    }

    /// Whether playback has failed because the connection was lost.
    private var isLost: Bool {
        if case .failed(.connectionLost) = phase { true } else { false }
    }

    /// Reconnects after a lost connection. If the media can seek, playback resumes at the current position; otherwise,
    /// it resumes wherever the stream continues.
    private func retry(now: HostTime) {
        guard let info else { return }
        if info.isSeekable { return seek(to: mediaTime(at: now), mode: .exact, now: now) }
        pipeline.packets.retry()
        phase = .buffering
    }
}
