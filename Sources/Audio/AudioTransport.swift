import GlissadeTime

/// The state of audio playback: the queue, the clock, and which device consumes the samples. Shared by the threads of
/// the decoder, the player and the server connection.
///
/// Reads no clock: the time is passed in. `AudioOutput` holds the transport in a `Monitor`, so every method must return
/// quickly.
///
/// Two devices can consume the samples. The *server* pulls them ahead of time and reports when they are heard.
/// *Silence* needs no thread: `advance` drops the samples that have "played" by now. When one device takes over from
/// the other, indices, media times and the clock continue.
///
/// Playback begins in one of two ways. After `start`, audio leads: it begins as soon as the server can play, or at once
/// if there is no server. After `follow`, video leads: silence runs at once, and the server joins later, at the frame
/// that is due then.
///
/// Threads: none of its own. Shared through the `Monitor` that holds it.
struct AudioTransport: ~Copyable {
    /// What consumes the samples.
    enum Device { case silence, server }

    /// The video that audio follows: the media time shown at a host time, and the video's speed.
    private struct Followed {
        var media: MediaTime
        var host: HostTime
        var speed: Double
    }

    /// How far playback has come. Whether it is paused is told apart: a pause may come before the start.
    private enum Run {
        /// Playback has never started, so the device need not run.
        case new
        /// Playback has started before, but not since the last flush.
        case flushed
        /// Audio leads: the clock waits for samples that arrive too late.
        case leading
        /// Video leads, and no sample has been scheduled to match it.
        case following(Followed)
        /// The samples are scheduled to match the video. Those that arrive too late are dropped.
        case keepingTime
        case stopped
    }

    /// Which device consumes the samples, and whether there is another.
    private enum Output {
        /// The first attempt to reach a server has not ended. Until then, playback does not begin.
        case awaitingServer
        case silence
        /// Silence is playing, and there is a server, which must `join` before it gets samples.
        case silenceBesideServer
        /// - Parameters:
        ///   - offset: The number to add to the server's frame count to get the queue's index; nil until the server gets
        ///     the first samples after a flush.
        ///   - isHungry: Whether the server has asked for more samples than were queued.
        case server(offset: Int?, isHungry: Bool)

        /// A server that has got no samples yet.
        static let freshServer = Output.server(offset: nil, isHungry: false)
    }

    /// The maximum duration of the queued audio. It is long enough to bridge stalls of the decoder thread, and short
    /// enough for quick changes of speed or track.
    static let capacity = Duration.milliseconds(400)

    /// How much queued audio `splice` keeps while silence plays. It must last while the decoder restarts.
    static let silentBridge = Duration.milliseconds(100)
    /// How much queued audio `splice` keeps while the server plays. The server holds about 100 ms more.
    static let serverBridge = Duration.milliseconds(20)

    private(set) var queue: SampleQueue
    private(set) var clock: StreamClock
    private(set) var generation = 0
    private var run = Run.new
    private var output = Output.silence
    private(set) var isPaused = false
    /// Whether no samples of this generation will follow.
    private var isFinished = false
    /// The number of flushes. Used to recognize stale data on its way to or from the server.
    private(set) var flushes = 0
    /// The number of changes to which a blocked writer must react.
    private(set) var changes = 0
    var volume = 1.0
    var isMuted = false
    /// The number of times the server has run out of samples while there should have been audio.
    var underruns = 0

    init(format: AudioFormat) {
        queue = SampleQueue(format: format, capacity: Self.capacity)
        clock = StreamClock(rate: format.sampleRate, from: 0)
    }

    var format: AudioFormat { queue.format }
    /// What consumes the samples now.
    var device: Device { if case .server = output { .server } else { .silence } }
    /// Whether the first attempt to reach a server has ended. Until then, `start` does not begin playback.
    var isDecided: Bool { if case .awaitingServer = output { false } else { true } }
    /// Whether there is a server. If silence is playing, the server must `join` before it gets samples.
    var hasServer: Bool {
        switch output {
        case .awaitingServer, .silence: false
        case .silenceBesideServer, .server: true
        }
    }
    /// Whether the server has asked for more samples than were queued. If so, it must be woken when more are queued.
    var isHungry: Bool { if case .server(_, let isHungry) = output { isHungry } else { false } }
    private var serverOffset: Int? { if case .server(let offset, _) = output { offset } else { nil } }

    /// Whether playback has ended for good.
    var isStopped: Bool { if case .stopped = run { true } else { false } }
    /// Whether playback has started since the last flush, even if it is paused.
    private var isStarted: Bool {
        switch run {
        case .new, .flushed, .stopped: false
        case .leading, .following, .keepingTime: true
        }
    }
    private var isFollowing: Bool { if case .following = run { true } else { false } }
    /// Whether samples should be heard: playback has started, and is neither paused nor stopped.
    var isPlaying: Bool { isStarted && !isPaused }
    /// Whether the device should run. It keeps running between two generations, because a suspended device takes time
    /// to wake.
    var needsDevice: Bool {
        switch run {
        case .new, .stopped: false
        case .flushed, .leading, .following, .keepingTime: !isPaused
        }
    }
    /// Whether the queue is empty and no samples will follow.
    var isDrained: Bool { isFinished && queue.isEmpty }

    // MARK: - The decoder's side

    /// Queues as many of the samples as fit. If silence was waiting for samples, starts it.
    ///
    /// - Parameter media: The media time of the first frame.
    /// - Returns: The number of frames consumed. It is less than the number given if the queue becomes full.
    mutating func push(
        _ chunk: UnsafeBufferPointer<Float>, startingAt media: MediaTime, speed: Double, now: HostTime
    ) -> Int {
        advance(to: now)
        if device == .silence, case .leading = run, queue.isEmpty, let index = clock.lineIndex(at: now),
            index >= Double(queue.writeIndex)
        {
            clock.starve(at: queue.writeIndex)
        }
        let done = queue.push(chunk, startingAt: media, speed: speed)
        if isFollowing { runFollowed(now: now) } else { runSilence(from: now) }
        return done
    }

    /// Returns the time at which silence will have played enough to make room for `frames` frames; nil while the server
    /// plays or the clock is stopped.
    func whenRoom(for frames: Int, now: HostTime) -> HostTime? {
        guard device == .silence, let index = clock.lineIndex(at: now) else { return nil }
        let missing = Double(queue.writeIndex + frames - queue.capacity) - index
        return now + format.duration(ofFrames: max(missing, 0)) + .milliseconds(1)
    }

    /// The free space, in frames, at which a blocked writer is woken, unless the writer needs less.
    var leastRoom: Int { queue.capacity / 8 }

    /// Returns whether there is room for `frames` or `leastRoom` frames, whichever is fewer.
    func hasRoom(for frames: Int) -> Bool { queue.room >= min(frames, leastRoom) }

    mutating func finish(generation: Int) {
        guard generation == self.generation else { return }
        isFinished = true
        changes += 1
    }

    // MARK: - The player's side

    mutating func flush(generation: Int) {
        self.generation = generation
        queue.removeAll()
        clock.starve(at: queue.readIndex)
        switch run {
        case .new, .flushed, .stopped: break
        case .leading, .following, .keepingTime: run = .flushed
        }
        isFinished = false
        if hasServer { output = .freshServer }
        flushes += 1
        changes += 1
    }

    /// Ends playback for good.
    mutating func stop() {
        run = .stopped
        flush(generation: generation)
    }

    /// If the gap between the start position and the first sample is longer than this, `start` makes audio follow the
    /// video.
    static let longestLead = Duration.milliseconds(500)

    mutating func start(from media: MediaTime, speed: Double = 1, generation: Int, now: HostTime) {
        guard generation == self.generation, !isStarted, !isStopped else { return }
        if let first = queue.mediaTime(at: Double(queue.readIndex)), first - media > Self.longestLead {
            return follow(media, at: now, speed: speed, generation: generation, now: now)
        }
        queue.begin(at: media)
        clock.starve(at: queue.readIndex)
        run = .leading
        changes += 1
        runSilence(from: now)
    }

    /// Makes audio follow the video, which shows the media time `media` at the host time `host`. Audio is heard in sync
    /// as soon as possible. Samples that are due earlier are dropped.
    mutating func follow(_ media: MediaTime, at host: HostTime, speed: Double, generation: Int, now: HostTime) {
        guard generation == self.generation, !isStopped else { return }
        if device == .server {
            // The server's samples were meant for another time.
            output = .silenceBesideServer
            flushes += 1
        }
        clock.starve(at: queue.readIndex)
        run = .following(Followed(media: media, host: host, speed: speed))
        changes += 1
        runFollowed(now: now)
    }

    /// Records a change in the speed of the video that audio follows. The new speed applies from `host` on. Does
    /// nothing once the first sample has been scheduled.
    mutating func setFollowedSpeed(_ speed: Double, at host: HostTime, generation: Int) {
        guard generation == self.generation, case .following(let followed) = run, speed != followed.speed else {
            return
        }
        let media = followed.media + (host - followed.host) * followed.speed
        run = .following(Followed(media: media, host: host, speed: speed))
    }

    /// Starts silence in sync with the video that audio follows, if a sample is queued.
    private mutating func runFollowed(now: HostTime) {
        guard case .following(let followed) = run, !isPaused,
            let media = queue.mediaTime(at: Double(queue.readIndex))
        else { return }
        run = .keepingTime
        let wait = (media - followed.media) / followed.speed
        clock.run(from: Double(queue.readIndex), at: followed.host + wait)
        advance(to: now)
    }

    /// Begins a new generation whose samples seamlessly follow those that the device already holds. Drops the samples
    /// queued here, except those needed until the new samples arrive.
    ///
    /// - Returns: The media time at which the new samples should begin. Nil if playback has not started or has been
    ///   stopped, or if that time is unknown.
    mutating func splice(generation: Int, now: HostTime) -> MediaTime? {
        guard isStarted else { return nil }
        advance(to: now)
        // In addition to this queue, a server holds about 100 ms.
        let bridge = device == .silence ? Self.silentBridge : Self.serverBridge
        guard let media = queue.cut(keeping: format.frames(in: bridge)) else { return nil }
        self.generation = generation
        isFinished = false
        changes += 1
        return media
    }

    mutating func setPaused(_ paused: Bool, now: HostTime) {
        guard paused != isPaused else { return }
        advance(to: now)
        if paused, device == .silence, let (index, host) = clock.onset, host > now, let place = queue.place(at: index) {
            // Audio is not due yet. The pause must not count toward the wait for it.
            let media = place.media - (host - now) * place.speed
            run = .following(Followed(media: media, host: now, speed: place.speed))
            clock.starve(at: queue.readIndex)
        } else {
            halt(at: now)
        }
        isPaused = paused
        changes += 1
        if case .following(let followed) = run {
            // The video is paused as well, so the pause does not count toward the wait for audio.
            let media = paused ? followed.media + (now - followed.host) * followed.speed : followed.media
            run = .following(Followed(media: media, host: now, speed: followed.speed))
            runFollowed(now: now)
        } else if paused, case .silenceBesideServer = output {
            // From the resume on, the server plays instead of silence, so it need not `join`.
            output = .freshServer
            flushes += 1
        }
        runSilence(from: now)
    }

    /// When audio is first heard after a start or resume; nil while unknown. See `AudioOutput.onset`.
    var onset: AudioOnset? {
        guard isPlaying else { return nil }
        if case .following(let followed) = run {
            return AudioOnset(
                host: followed.host, mediaTime: followed.media, speed: followed.speed, generation: generation)
        }
        guard let (index, host) = clock.onset, let place = queue.place(at: index) else { return nil }
        return AudioOnset(host: host, mediaTime: place.media, speed: place.speed, generation: generation)
    }

    /// The audio heard at `host`; nil if none is heard.
    func position(at host: HostTime) -> AudioPosition? {
        guard isStarted, let index = clock.index(at: host), index < Double(playableEnd),
            let place = queue.place(at: index)
        else { return nil }
        return AudioPosition(
            mediaTime: place.media, generation: generation, speed: place.speed,
            isServerLed: device == .server && clock.isServerLed)
    }

    /// Whether the current generation is finished and has been heard to its end by `host`.
    func hasEnded(at host: HostTime) -> Bool {
        guard isStarted, isFinished, queue.isEmpty || device == .silence else { return false }
        return max(clock.index(at: host) ?? clock.audibleFrom, clock.audibleFrom) >= Double(queue.writeIndex)
    }

    /// The index after the last frame that can currently be heard. Once the server's reports drive the clock, only
    /// frames that were passed to the server can be heard.
    private var playableEnd: Int { device == .server && clock.isServerLed ? queue.readIndex : queue.writeIndex }

    // MARK: - Silence

    /// Drops the samples that silence has "played" by `now`. Forgets the media times of frames heard more than a second
    /// ago.
    mutating func advance(to now: HostTime) {
        guard let index = clock.lineIndex(at: now) ?? clock.index(at: now) else { return }
        // Clamped, since the index may come from the server's reports, which cannot be trusted.
        let reached = Int(clamping: index)
        if device == .silence { queue.skip(reached.subtractingClamped(queue.readIndex)) }
        queue.forget(before: reached.subtractingClamped(format.sampleRate))
    }

    private mutating func runSilence(from now: HostTime) {
        guard device == .silence, isDecided, isPlaying, !isFollowing, !clock.isRunning,
            clock.next < Double(queue.writeIndex)
        else { return }
        clock.run(from: clock.next, at: now)
    }

    /// Stops the clock at its current frame, or at the end of the playable frames if the clock has passed that end.
    private mutating func halt(at now: HostTime) {
        if let index = clock.index(at: now), index >= Double(playableEnd) {
            clock.starve(at: playableEnd)
        } else {
            clock.freeze(at: now)
        }
    }

    /// Continues with silence from the frame heard now. Must be called when the server is gone or suspended. Audio that
    /// was due while the server no longer responded is skipped.
    mutating func loseServer(now: HostTime) {
        let wasHeard = device == .server
        output = .silence
        changes += 1
        guard wasHeard else { return runSilence(from: now) }
        if isPlaying, clock.isRunning, !clock.isServerLed {
            // The server has joined, but silence still drives the clock.
            run = .keepingTime
        } else if isPlaying, let index = clock.lineIndex(at: now), index >= clock.audibleFrom, !isDrained {
            clock.run(from: index, at: now)
            run = .keepingTime
        } else {
            halt(at: now)
            runSilence(from: now)
        }
        advance(to: now)
    }

    // MARK: - The server's side

    /// Records that there is a server, which plays in `format`. If silence is already playing, the server must `join`
    /// before it plays.
    mutating func takeOver(in format: AudioFormat, now: HostTime) {
        advance(to: now)
        if format != self.format { change(to: format, now: now) }
        changes += 1
        output =
            if !clock.isRunning && !isFollowing || device == .server {
                .server(offset: nil, isHungry: isHungry)
            } else {
                .silenceBesideServer
            }
    }

    /// Makes playback wait until the first attempt to reach a server ends, with `takeOver` or `loseServer`.
    mutating func awaitServer() { output = .awaitingServer }

    /// Whether the server has yet to take over from silence. Until it does, it is given silence to play.
    var isJoining: Bool { if case .silenceBesideServer = output { isPlaying } else { false } }

    /// The answer to a server that asks to take over from silence.
    enum Join: Equatable {
        /// The server has taken over. From the next write on, its samples come from `pull`.
        case joined
        /// The server must first be given `frames` frames of silence; if nil, as many as it wants.
        case silence(frames: Int?)
    }

    /// Lets the server take over from silence, starting with the frame that is due when the next write to the server is
    /// heard.
    ///
    /// - Parameters:
    ///   - serverIndex: The position of the next write, in the server's own count of frames.
    ///   - host: When that write will be heard.
    ///   - flushes: The number of flushes that the server has performed, as counted by `flushes`.
    mutating func join(serverIndex: Int, heardAt host: HostTime, flushes: Int, now: HostTime) -> Join {
        guard isJoining, flushes == self.flushes, let due = clock.lineIndex(at: host) else {
            return .silence(frames: nil)
        }
        advance(to: now)
        let index = Int(clamping: due.rounded())
        guard index >= queue.readIndex else {
            return .silence(frames: queue.readIndex.subtractingClamped(index))
        }
        // Drop the samples that are due before that write is heard; silence is heard instead.
        queue.skip(index - queue.readIndex)
        changes += 1
        guard index < queue.writeIndex else { return .silence(frames: nil) }
        output = .server(offset: index - serverIndex, isHungry: false)
        return .joined
    }

    /// Makes the server join again. Must be called when the server's audio will be heard at a different time than
    /// expected. Does nothing once the server's reports drive the clock.
    mutating func rejoin() {
        guard device == .server, !clock.isServerLed, clock.isRunning else { return }
        output = .silenceBesideServer
        flushes += 1
        changes += 1
    }

    /// Moves samples for the server to `target`. Moves none until the server has performed the latest flush.
    ///
    /// - Parameters:
    ///   - serverIndex: The number of frames that the server has received so far.
    ///   - flushes: The number of flushes that the server has performed, as counted by `flushes`.
    /// - Returns: The number of frames moved to `target`.
    mutating func pull(
        _ frames: Int, into target: UnsafeMutablePointer<Float>, serverIndex: Int, flushes: Int, now: HostTime
    ) -> Int {
        guard case .server(var offset, _) = output, isStarted, flushes == self.flushes else { return 0 }
        if !queue.isEmpty {
            // The server has run out of samples and not reported it yet: new samples will be heard later.
            if clock.isRunning, let index = clock.index(at: now), index >= Double(playableEnd) {
                clock.starve(at: queue.readIndex)
            }
            offset = offset ?? queue.readIndex - serverIndex
        }
        let count = queue.pull(frames, into: target)
        output = .server(offset: offset, isHungry: count < frames && !isFinished)
        advance(to: now)
        return count
    }

    /// Records a report from the server, with indices in the server's own count of frames. Ignores a report that was
    /// made before the latest flush. See `StreamClock.observe`.
    mutating func observe(_ serverIndex: Double, at host: HostTime, first: Double, flushes: Int) {
        guard isPlaying, flushes == self.flushes, let offset = serverOffset else { return }
        clock.observe(serverIndex + Double(offset), at: host, first: first + Double(offset))
    }

    /// How much later the server's audio will be heard than expected when the server joined; negative if earlier. Nil
    /// if the server has not joined, and once the server's reports drive the clock.
    func lag(ofServerAt serverIndex: Double, at host: HostTime, flushes: Int) -> Duration? {
        guard isPlaying, flushes == self.flushes, let offset = serverOffset, clock.isRunning,
            !clock.isServerLed, let index = clock.lineIndex(at: host)
        else { return nil }
        return format.duration(ofFrames: index - serverIndex - Double(offset))
    }

    /// Restarts the queue and the clock in another format. Queued audio is replaced with silence.
    private mutating func change(to format: AudioFormat, now: HostTime) {
        let wasRunning = clock.isRunning
        // The frame heard now, or else the first one to be heard, together with the time at which it is heard.
        let (index, host) = clock.index(at: now).map { ($0, now) } ?? clock.onset ?? (clock.next, now)
        let media = queue.mediaTime(at: index)
        let end = queue.endMedia
        let speed = queue.lastSpeed
        queue = SampleQueue(format: format, capacity: Self.capacity)
        clock = StreamClock(rate: format.sampleRate, from: 0)
        if let end {
            queue.begin(at: end)
            if let media, media < end { queue.append(silence: end - media, at: media, speed: speed) }
        }
        if wasRunning { clock.run(from: 0, at: host) }
    }
}
