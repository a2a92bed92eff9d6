import Audio
import Host
public import Motion

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
        case ended
        case failed(PlaybackError)
    }

    /// Frames given out and thrown away since the beginning.
    public struct Counts: Hashable, Sendable {
        /// Frames whose time came.
        public var due = 0
        /// Those of them that were passed over because the next one was due as well.
        public var dropped = 0

        public init(due: Int = 0, dropped: Int = 0) {
            self.due = due
            self.dropped = dropped
        }
    }

    /// The media's path or address.
    public let location: String
    /// What is in it; nil until it is open.
    public private(set) var info: MediaInfo?
    public private(set) var hasVideo = false
    public private(set) var hasAudio = false
    public private(set) var counts = Counts()

    let pipeline: Pipeline
    private let isUntimed: Bool
    private var phase = Phase.opening
    private var clock: PlaybackClock
    private var generation = 0
    private var wantsPause: Bool
    private var startAfterOpening: Duration?
    private var lastShown: MediaTime?
    private var pendingSeek: (target: MediaTime, mode: SeekMode)?
    private var isStepPending = false
    /// The clock was moved by frame steps since the sound last stood where it does.
    private var soundIsElsewhere = false
    private var starvedSince: HostTime?

    private enum Phase: Equatable {
        case opening
        case failed(PlaybackError)
        /// Decoding towards the first frame, and the first sound, of a generation.
        case preroll(since: HostTime, target: MediaTime?)
        /// The first frame is on show; the sound starts, and the clock with it.
        case startingSound(since: HostTime)
        case running
        case paused
        case buffering
        case ended
    }

    /// A newer seek waits so long for the first frame of the one before it: without this, a quick row of seeks would
    /// show nothing at all until its end.
    static let seekPatience = Duration.milliseconds(120)
    /// A media whose picture begins long after its sound begins without it after this.
    static let picturePatience = Duration.seconds(2)
    /// The sound may hold the first frame up no longer than this.
    static let soundPatience = Duration.milliseconds(300)
    /// A server that does not say what is audible holds the clock up no longer than this.
    static let positionPatience = Duration.milliseconds(500)

    /// Opens `location` in the background.
    ///
    /// - Parameters:
    ///   - wake: makes the frame loop call `advance`; called from any thread.
    ///   - report: told what goes wrong while playing goes on; called from any thread.
    public init(
        location: String, options: PlayerOptions = PlayerOptions(), wake: @escaping @Sendable () -> Void,
        report: @escaping @Sendable (PlaybackProblem) -> Void
    ) {
        self.location = location
        isUntimed = options.isUntimed
        wantsPause = options.isPaused
        startAfterOpening = options.start
        clock = PlaybackClock(speed: options.speed, at: .now())
        volume = options.volume
        isMuted = options.isMuted
        isLooping = options.isLooping
        pipeline = Pipeline(location: location, options: options, wake: wake, report: report)
        pipeline.audio?.volume = volume
        pipeline.audio?.isMuted = isMuted
    }

    isolated deinit { pipeline.stop() }

    // MARK: - State

    public var state: State {
        switch phase {
        case .opening: .opening
        case .failed(let error): .failed(error)
        case .ended: .ended
        case .buffering: .buffering
        case .preroll, .startingSound, .running, .paused: wantsPause ? .paused : .playing
        }
    }

    public var isPaused: Bool { wantsPause }
    public var speed: Double { clock.speed }

    /// Whether the clock goes: frames fall due by themselves.
    public var isRunning: Bool { phase == .running }

    /// The position on the media's own time line at `now`, counted from its beginning.
    public func position(at now: HostTime) -> Duration {
        guard let info else { return startAfterOpening ?? .zero }
        let time = (pendingSeek?.target ?? mediaTime(at: now)) - info.startTime
        return max(.zero, min(time, info.duration ?? time))
    }

    /// What lies between the sound and the picture shown with `presentationTime` at `host`: positive where the picture
    /// is ahead. Nil where nothing is heard.
    public func soundOffset(of presentationTime: MediaTime, at host: HostTime) -> Duration? {
        guard phase == .running, let heard = pipeline.audio?.position(at: host), heard.generation == generation,
            heard.isServerLed
        else { return nil }
        return presentationTime - heard.mediaTime
    }

    /// Where it is in the media at `now`.
    private func mediaTime(at now: HostTime) -> MediaTime {
        if case .preroll(_, let target?) = phase {
            // A seek that was not exact is where the frame is that it found.
            if let lastShown, !pipeline.packets.startsExactly { return lastShown }
            return target
        }
        return inFirstRound(clock.time(at: now))
    }

    /// Time runs on from round to round of a loop: the same place in the first round. The end of a round is its end, not
    /// the beginning of the next, once it is at the end.
    private func inFirstRound(_ time: MediaTime) -> MediaTime {
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
    public var isLooping: Bool { didSet { pipeline.packets.isLooping = isLooping } }

    /// In which form frames are to come; those that are queued already come as they are.
    public func setPictureRequest(_ request: PictureRequest) { pipeline.setRequest(request) }

    public func setSpeed(_ speed: Double, now: HostTime) {
        guard speed != clock.speed else { return }
        let position = mediaTime(at: now)
        clock.setSpeed(speed, at: now)
        pipeline.setSpeed(speed)
        // What is queued in the sound output was stretched for the old speed.
        if hasAudio { seek(to: position, mode: .exact, now: now) }
    }

    // MARK: - Transport

    public func pause(now: HostTime) {
        wantsPause = true
        pipeline.audio?.pause()
        switch phase {
        case .running, .startingSound, .buffering:
            clock.stop(at: now)
            phase = .paused
        default: break
        }
    }

    public func play(now: HostTime) {
        wantsPause = false
        isStepPending = false
        switch phase {
        case .paused where soundIsElsewhere && hasAudio: seek(to: mediaTime(at: now), mode: .exact, now: now)
        case .paused: startClock(now: now, from: nil)
        case .ended: seek(to: info?.startTime ?? .zero, mode: .exact, now: now)
        default: break
        }
    }

    public func togglePause(now: HostTime) {
        if wantsPause || phase == .ended { play(now: now) } else { pause(now: now) }
    }

    /// Goes to `position`, counted from the media's beginning; beyond its ends is at its ends.
    public func seek(to position: Duration, mode: SeekMode = .exact, now: HostTime) {
        guard let info else {
            if phase == .opening { startAfterOpening = position }
            return
        }
        let target = max(.zero, min(position, info.duration ?? position))
        seek(to: info.startTime + target, mode: mode, now: now)
    }

    /// Goes on or back by `step` from where it is, or from where it is going.
    public func seek(by step: Duration, isExact: Bool = false, now: HostTime) {
        let from = position(at: now)
        let base = info?.startTime ?? .zero
        seek(to: from + step, mode: isExact ? .exact : .step(from: base + from), now: now)
    }

    /// Shows the next frame, or the one before, and pauses.
    public func stepFrame(forward: Bool, now: HostTime) {
        pause(now: now)
        guard hasVideo else { return }
        if forward {
            // Taken when the frame before it is on show, should a seek be under way.
            isStepPending = true
        } else if let shown = lastShown {
            seek(to: inFirstRound(shown) - .nanoseconds(1), mode: .exact, now: now)
        }
    }

    /// Decodes the frame on show once more where it is paused, for a new picture request; a media that plays brings
    /// frames of the new form by itself, and one that has ended keeps what it has.
    public func refresh(now: HostTime) {
        guard hasVideo, let shown = lastShown, phase == .paused, !isStepPending else { return }
        seek(to: shown, mode: .exact, now: now)
    }

    private func seek(to target: MediaTime, mode: SeekMode, now: HostTime) {
        guard let info, info.isSeekable else { return }
        let target = max(target, info.startTime)
        isStepPending = false
        if case .preroll(let since, _) = phase, lastShown == nil, now - since < Self.seekPatience {
            pendingSeek = (target, mode)
            return
        }
        pendingSeek = nil
        generation += 1
        clock.stop(at: now)
        clock.set(target, at: now)
        pipeline.seek(to: target, mode: mode, generation: generation)
        soundIsElsewhere = false
        starvedSince = nil
        lastShown = nil
        phase = .preroll(since: now, target: target)
    }

    // MARK: - The frame loop's side

    /// Takes note of what the threads have done and of the time.
    public func advance(to now: HostTime) {
        switch phase {
        case .opening: finishOpening(now)
        case .preroll(let since, let target): advancePreroll(now, since: since, target: target)
        case .startingSound(let since): advanceStart(now, since: since)
        case .running: advanceRunning(now)
        case .buffering:
            if pipeline.packets.isAtLimit { startClock(now: now, from: nil) }
        case .failed, .paused, .ended: break
        }
    }

    /// When `advance` must be called again if nothing happens; nil where only news from elsewhere can change anything.
    public func nextWake(now: HostTime) -> HostTime? {
        switch phase {
        case .opening, .failed, .ended, .paused: return nil
        case .preroll(let since, _):
            if pendingSeek != nil { return since + Self.seekPatience }
            if lastShown != nil || !hasVideo { return since + Self.soundPatience }
            // Nobody tells when everything is full and no picture has come.
            return max(since + Self.picturePatience, now + .milliseconds(100))
        // A few looks until the server says what is heard.
        case .startingSound: return now + .milliseconds(4)
        case .buffering: return now + .milliseconds(50)
        case .running:
            let glance = pipeline.frames.glance()
            if isUntimed { return glance.hasEnded && glance.first == nil ? now : nil }
            if glance.first != nil { return nil }
            if hasVideo && !glance.hasEnded { return starvedSince.map { $0 + Self.starvationPatience } }
            return end(glance).flatMap { clock.hostTime(of: $0) } ?? (hasAudio ? now + .milliseconds(100) : nil)
        }
    }

    /// When the next frame falls due; nil where none waits or the clock stands.
    ///
    /// A frame that waits for nothing but to be taken is due since ever: the first after a seek, a frame step, any
    /// without a clock.
    public var nextFrameDue: HostTime? {
        guard let first = pipeline.frames.glance().first else { return nil }
        let since = HostTime(nanoseconds: 0)
        switch phase {
        case .preroll: return lastShown == nil ? since : nil
        case .paused: return isStepPending ? since : nil
        case .running: return isUntimed ? since : clock.hostTime(of: first)
        default: return nil
        }
    }

    /// When a frame with `presentationTime` was due, by the clock as it goes now.
    public func dueTime(of presentationTime: MediaTime) -> HostTime? {
        phase == .running && !isUntimed ? clock.hostTime(of: presentationTime) : nil
    }

    /// The newest frame that is due by `visible`, the time at which what is drawn now will be seen; nil where the frame
    /// on show stays. Older ones that are due as well are dropped and counted.
    public func takeFrame(visibleAt visible: HostTime) -> VideoFrame? {
        var glance = pipeline.frames.glance()
        guard let first = glance.first else { return nil }
        switch phase {
        case .preroll where lastShown == nil: return take(countsAsDue: !wantsPause)
        case .paused where isStepPending:
            isStepPending = false
            soundIsElsewhere = true
            clock.set(first, at: visible)
            return take(countsAsDue: false)
        case .running where isUntimed:
            clock.set(first, at: visible)
            return take(countsAsDue: true)
        case .running:
            let time = clock.time(at: visible)
            guard first <= time else { return nil }
            pipeline.video?.setLateness(time - first)
            while let second = glance.second, second <= time {
                counts.due += 1
                counts.dropped += 1
                _ = pipeline.frames.pop()
                glance = pipeline.frames.glance()
            }
            return take(countsAsDue: true)
        default: return nil
        }
    }

    private func take(countsAsDue: Bool) -> VideoFrame? {
        guard let frame = pipeline.frames.pop() else { return nil }
        if countsAsDue { counts.due += 1 }
        lastShown = frame.presentationTime
        return frame
    }

    // MARK: - Phases

    private func finishOpening(_ now: HostTime) {
        switch pipeline.outcome {
        case nil: return
        case .failure(let error): phase = .failed(error)
        case .success(let opened):
            info = opened.info
            hasVideo = opened.hasVideo
            hasAudio = opened.hasAudio && !isUntimed
            clock.set(opened.info.startTime, at: now)
            phase = .preroll(since: now, target: nil)
            if let start = startAfterOpening, start > .zero {
                lastShown = opened.info.startTime  // No frame of the beginning is worth waiting for.
                seek(to: start, mode: .exact, now: now)
            }
            startAfterOpening = nil
            advance(to: now)
        }
    }

    private func advancePreroll(_ now: HostTime, since: HostTime, target: MediaTime?) {
        let glance = pipeline.frames.glance()
        if let pending = pendingSeek, lastShown != nil || now - since >= Self.seekPatience {
            pendingSeek = nil
            lastShown = lastShown ?? pending.target
            return seek(to: pending.target, mode: pending.mode, now: now)
        }
        let isStuck = now - since >= Self.picturePatience && pipeline.packets.isAtLimit
        guard !hasVideo || lastShown != nil || glance.hasEnded && glance.first == nil || isStuck else { return }
        let soundIsReady = !hasAudio || pipeline.sound?.isReady(generation) != false
        guard soundIsReady || now - since >= Self.soundPatience || wantsPause else { return }

        // An exact seek goes on from its target, anything else from the frame that it found.
        var from = target ?? info?.startTime ?? .zero
        if let lastShown, !pipeline.packets.startsExactly { from = lastShown }
        if target == nil, let start = info?.startTime { from = max(from, start) }
        clock.set(from, at: now)
        if wantsPause {
            soundIsElsewhere = true
            phase = .paused
        } else {
            startClock(now: now, from: from)
        }
    }

    /// Lets the clock go, by the sound where there is sound.
    private func startClock(now: HostTime, from: MediaTime?) {
        guard hasAudio, let audio = pipeline.audio else {
            clock.run(at: now)
            phase = .running
            return
        }
        if let from { audio.start(from: from, generation: generation) }
        audio.resume()
        phase = .startingSound(since: now)
        advance(to: now)
    }

    private func advanceStart(_ now: HostTime, since: HostTime) {
        let heard = pipeline.audio?.position(at: now).flatMap { $0.generation == generation ? $0 : nil }
        guard heard != nil || now - since >= Self.positionPatience else { return }
        // The picture on show keeps its place: the clock only waits for the sound, it does not go back to it.
        if let heard, heard.mediaTime > clock.time(at: now) { clock.set(heard.mediaTime, at: now) }
        clock.run(at: now)
        phase = .running
    }

    private func advanceRunning(_ now: HostTime) {
        if isUntimed {
            let glance = pipeline.frames.glance()
            if glance.hasEnded && glance.first == nil || !hasVideo { finish(now) }
            return
        }
        if let audio = pipeline.audio, hasAudio, let heard = audio.position(at: now), heard.generation == generation {
            clock.observe(heard.mediaTime, at: now)
        }
        let glance = pipeline.frames.glance()
        noteStarvation(glance, now)
        if let end = end(glance), glance.first == nil, clock.time(at: now) >= end {
            clock.set(end, at: now)
            finish(now)
        }
    }

    private static let starvationPatience = Duration.milliseconds(250)

    /// A media that comes over a network slower than it plays is waited for; a file never is.
    private func noteStarvation(_ glance: FrameQueue.Glance, _ now: HostTime) {
        guard glance.first == nil, !glance.hasEnded, hasVideo, pipeline.packets.isVideoStarved,
            MediaInput.isAddress(location)
        else {
            starvedSince = nil
            return
        }
        let since = starvedSince ?? now
        starvedSince = since
        if now - since >= Self.starvationPatience {
            starvedSince = nil
            clock.stop(at: now)
            pipeline.audio?.pause()
            phase = .buffering
        }
    }

    private func finish(_ now: HostTime) {
        if isLooping, !isUntimed, info?.isSeekable == true, info?.isStill == false {
            lastShown = lastShown ?? .zero
            return seek(to: info?.startTime ?? .zero, mode: .exact, now: now)
        }
        clock.stop(at: now)
        pipeline.audio?.pause()
        phase = .ended
    }

    /// Where the media ends; nil until every track has met its end.
    private func end(_ glance: FrameQueue.Glance) -> MediaTime? {
        var end = MediaTime(nanoseconds: .min)
        if hasVideo, info?.isStill != true || !hasAudio {
            guard glance.hasEnded, let video = pipeline.video?.end else { return nil }
            end = max(end, video)
        }
        if hasAudio {
            guard let sound = pipeline.sound?.end(generation) else { return nil }
            end = max(end, sound)
        }
        return end.nanoseconds == .min ? nil : end
    }
}
