import Time

/// What plays and what is heard: the queue, the clock, and the state they share between the decoder's thread, the
/// player's and the sound server's.
///
/// Pure: told the time. `AudioOutput` holds it in a `Monitor`; every method is short. Two devices can take the samples.
/// The *server* pulls them ahead and reports when they sound. *Silence* is no thread but arithmetic: each call first lets
/// fall what has "sounded" by now. So a paused output does nothing whatever, and the change from one device to the other
/// is a change of who pulls: indices, media times and the clock go on.
///
/// Playing begins in one of two ways. By `start`, the sound leads: a server is waited for, and `onset` tells when it will be
/// heard. By `follow`, the picture leads: silence runs at once, and the server joins it at the very frame that is due.
struct Transport: ~Copyable {
    enum Device { case silence, server }

    /// How much sound waits here at most. With the server's own 120 ms it covers the longest pause a decoder thread was
    /// seen to make on a loaded machine, and keeps a change of speed or track quick.
    static let capacity = Duration.milliseconds(400)

    /// What is kept where other samples are to follow: the time in which a decoder begins anew.
    static let silentBridge = Duration.milliseconds(100)
    static let serverBridge = Duration.milliseconds(20)

    private(set) var queue: SampleQueue
    private(set) var clock: StreamClock
    private(set) var device = Device.silence
    private(set) var generation = 0
    private(set) var isStarted = false
    private(set) var isPaused = false
    /// Whether it has played at all.
    private(set) var hasStarted = false
    private(set) var isFinished = false
    var isStopped = false
    /// Counts the flushes, so that what was under way to or from the server is known to be stale.
    private(set) var flushes = 0
    /// Counts everything a blocked writer has to reconsider.
    private(set) var changes = 0
    /// The server waits for samples that were not there.
    private(set) var isHungry = false
    var volume = 1.0
    var isMuted = false
    /// How often the server ran dry while there should have been sound.
    var underruns = 0
    /// Whether the first attempt to reach a server has ended, either way. Before that, `start` waits for it.
    var isDecided = true
    /// Whether a server is there to play; where silence leads none the less, it is to `join`.
    private(set) var hasServer = false
    /// Whether samples that come too late are dropped; where they are not, time waits for them.
    private var keepsTime = false
    /// Where the picture leads and no sample has come yet: that media time is on show at that time.
    private var followed: (media: MediaTime, host: HostTime, speed: Double)?
    /// What must be added to the server's frame count to get our index; nil before the first pull after a flush.
    private var serverOffset: Int?

    init(format: AudioFormat) {
        queue = SampleQueue(format: format, capacity: Self.capacity)
        clock = StreamClock(rate: format.sampleRate, from: 0)
    }

    var format: AudioFormat { queue.format }
    /// Whether samples are to be heard.
    var isPlaying: Bool { isStarted && !isPaused && !isStopped }
    /// Whether the device should be running: between two generations, too, since a device that is put to sleep for every
    /// seek takes its time to wake.
    var needsDevice: Bool { hasStarted && !isPaused && !isStopped }
    /// No sample is left to hand out and none will come.
    var isDrained: Bool { isFinished && queue.isEmpty }

    // MARK: - The decoder's side

    /// - Returns: the frames done with; fewer than given when the queue is full.
    mutating func push(
        _ chunk: UnsafeBufferPointer<Float>, startingAt media: MediaTime, speed: Double, now: HostTime
    ) -> Int {
        advance(to: now)
        if device == .silence, !keepsTime, queue.isEmpty, let index = clock.lineIndex(at: now),
            index >= Double(queue.writeIndex)
        {
            clock.starve(at: queue.writeIndex)
        }
        let done = queue.push(chunk, startingAt: media, speed: speed)
        if followed != nil { runFollowed(now: now) } else { runSilence(from: now) }
        return done
    }

    /// When paced silence will have made room for `frames`; nil if the server, or a resume, is what to wait for.
    func whenRoom(for frames: Int, now: HostTime) -> HostTime? {
        guard device == .silence, let index = clock.lineIndex(at: now) else { return nil }
        let missing = Double(queue.writeIndex + frames - queue.capacity) - index
        return now + format.duration(ofFrames: max(missing, 0)) + .milliseconds(1)
    }

    /// A blocked writer is woken for no less than this (or the whole of what it holds): a wake-up for each handful of
    /// samples would cost more than they do.
    var leastRoom: Int { queue.capacity / 8 }

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
        isStarted = false
        isFinished = false
        isHungry = false
        followed = nil
        keepsTime = false
        device = hasServer ? .server : .silence
        serverOffset = nil
        flushes += 1
        changes += 1
    }

    /// Sound that begins later than this after the place where playing starts is not waited for.
    static let longestLead = Duration.milliseconds(500)

    mutating func start(from media: MediaTime, speed: Double = 1, generation: Int, now: HostTime) {
        guard generation == self.generation, !isStarted else { return }
        if let first = queue.mediaTime(at: Double(queue.readIndex)), first - media > Self.longestLead {
            return follow(media, at: now, speed: speed, generation: generation, now: now)
        }
        queue.begin(at: media)
        clock.starve(at: queue.readIndex)
        isStarted = true
        hasStarted = true
        changes += 1
        runSilence(from: now)
    }

    /// The picture leads: `media` is on show at `host`, and sound is heard in its place as soon as it can be. What belongs to
    /// earlier is dropped.
    mutating func follow(_ media: MediaTime, at host: HostTime, speed: Double, generation: Int, now: HostTime) {
        guard generation == self.generation, !isStopped else { return }
        if device == .server {
            // What it holds was to be heard elsewhere.
            device = .silence
            serverOffset = nil
            isHungry = false
            flushes += 1
        }
        clock.starve(at: queue.readIndex)
        followed = (media, host, speed)
        keepsTime = true
        isStarted = true
        hasStarted = true
        changes += 1
        runFollowed(now: now)
    }

    /// Silence runs by the picture's time as soon as there is a sample whose time tells where.
    private mutating func runFollowed(now: HostTime) {
        guard let followed, isPlaying, let media = queue.mediaTime(at: Double(queue.readIndex)) else { return }
        self.followed = nil
        let wait = (media - followed.media) / followed.speed
        clock.run(from: Double(queue.readIndex), at: followed.host + wait)
        advance(to: now)
    }

    /// Begins a new generation whose samples follow on what the device holds already, without a seam: what waits here is
    /// dropped, but for as much as bridges the time until they come.
    ///
    /// - Returns: the media time from which they are wanted; nil where nothing has been started that they could follow.
    mutating func splice(generation: Int, now: HostTime) -> MediaTime? {
        guard isStarted, !isStopped else { return nil }
        advance(to: now)
        // Beside what waits here, a server holds some 100 ms.
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
            // What is to be heard later, by the picture, is so after the pause as well.
            followed = (place.media - (host - now) * place.speed, now, place.speed)
            clock.starve(at: queue.readIndex)
        } else {
            halt(at: now)
        }
        isPaused = paused
        changes += 1
        if let followed {
            // The picture stands as well: the time between is none of its own.
            let media = paused ? followed.media + (now - followed.host) * followed.speed : followed.media
            self.followed = (media, now, followed.speed)
            runFollowed(now: now)
        } else if paused, device == .silence, hasServer {
            // It need not join any more: it is there for the resume.
            device = .server
            serverOffset = nil
            flushes += 1
        }
        runSilence(from: now)
    }

    /// When what was started, or goes on, is heard from; nil while that is not known.
    var onset: AudioOnset? {
        guard isPlaying, isStarted else { return nil }
        if let followed {
            return AudioOnset(
                host: followed.host, mediaTime: followed.media, speed: followed.speed, generation: generation)
        }
        guard let (index, host) = clock.onset, let place = queue.place(at: index) else { return nil }
        return AudioOnset(host: host, mediaTime: place.media, speed: place.speed, generation: generation)
    }

    /// What is heard at `host`; nil while nothing is.
    func position(at host: HostTime) -> AudioPosition? {
        guard isStarted, let index = clock.index(at: host), index < Double(playableEnd),
            let place = queue.place(at: index)
        else { return nil }
        return AudioPosition(
            mediaTime: place.media, generation: generation, speed: place.speed,
            isServerLed: device == .server && clock.isServerLed)
    }

    /// Whether everything of a finished generation has been heard by `host`.
    func hasEnded(at host: HostTime) -> Bool {
        guard isStarted, isFinished, queue.isEmpty || device == .silence else { return false }
        return max(clock.index(at: host) ?? clock.audibleFrom, clock.audibleFrom) >= Double(queue.writeIndex)
    }

    /// The end of what can be heard: the server plays only what it was given.
    private var playableEnd: Int { device == .server && clock.isServerLed ? queue.readIndex : queue.writeIndex }

    // MARK: - Silence

    /// Lets go of what paced silence has "played" by `now`, and of the memory of what is long past.
    mutating func advance(to now: HostTime) {
        guard let index = clock.lineIndex(at: now) ?? clock.index(at: now) else { return }
        // The server's clock leads, and may say anything.
        let reached = Int(clamping: index)
        if device == .silence { queue.skip(reached.subtractingClamped(queue.readIndex)) }
        queue.forget(before: reached.subtractingClamped(format.sampleRate))
    }

    private mutating func runSilence(from now: HostTime) {
        guard device == .silence, isDecided, isPlaying, followed == nil, !clock.isRunning,
            clock.next < Double(queue.writeIndex)
        else { return }
        clock.run(from: clock.next, at: now)
    }

    /// The index stands still; if it has run past the end of what there was, it is at that end.
    private mutating func halt(at now: HostTime) {
        if let index = clock.index(at: now), index >= Double(playableEnd) {
            clock.starve(at: playableEnd)
        } else {
            clock.freeze(at: now)
        }
    }

    /// The server is gone or suspended: silence goes on from what is heard now. What it still held, and what it should have
    /// played since it stopped answering, counts as lost sound, not as lost time.
    mutating func loseServer(now: HostTime) {
        hasServer = false
        isDecided = true
        changes += 1
        guard device == .server else { return runSilence(from: now) }
        device = .silence
        serverOffset = nil
        isHungry = false
        if isPlaying, clock.isRunning, !clock.isServerLed {
            // Silence leads still: the server was to join it.
            keepsTime = true
        } else if isPlaying, let index = clock.lineIndex(at: now), index >= clock.audibleFrom, !isDrained {
            clock.run(from: index, at: now)
            keepsTime = true
        } else {
            halt(at: now)
            runSilence(from: now)
        }
        advance(to: now)
    }

    // MARK: - The server's side

    /// The server plays from now on, in `format`; where silence leads, only once it can `join`.
    mutating func takeOver(in format: AudioFormat, now: HostTime) {
        advance(to: now)
        if format != self.format { change(to: format, now: now) }
        hasServer = true
        isDecided = true
        serverOffset = nil
        changes += 1
        if !clock.isRunning && followed == nil { device = .server }
    }

    /// Whether the server is there while silence leads: it is given silence, too, until it can `join`.
    var isJoining: Bool { hasServer && device == .silence && isPlaying }

    enum Join: Equatable {
        /// From this frame on, the server is given samples by `pull`.
        case joined
        /// It is to be given silence first: so many frames, or nil for as many as it wants.
        case silence(frames: Int?)
    }

    /// Has the server take over from silence at the frame that is due.
    ///
    /// - Parameters:
    ///   - serverIndex: where the server's next write goes, in its count of frames.
    ///   - host: when that will be heard.
    mutating func join(serverIndex: Int, heardAt host: HostTime, flushes: Int, now: HostTime) -> Join {
        guard isJoining, flushes == self.flushes, let due = clock.lineIndex(at: host) else {
            return .silence(frames: nil)
        }
        advance(to: now)
        let index = Int(clamping: due.rounded())
        guard index >= queue.readIndex else {
            return .silence(frames: queue.readIndex.subtractingClamped(index))
        }
        // Room for what belongs there; what comes before it will not be heard.
        queue.skip(index - queue.readIndex)
        changes += 1
        guard index < queue.writeIndex else { return .silence(frames: nil) }
        device = .server
        serverOffset = index - serverIndex
        isHungry = false
        return .joined
    }

    /// The server, which has joined and is not heard yet, will be heard at another time than was reckoned: it is to join again.
    mutating func rejoin() {
        guard device == .server, !clock.isServerLed, clock.isRunning else { return }
        device = .silence
        serverOffset = nil
        flushes += 1
        changes += 1
    }

    /// Samples for the server, unless there has been a flush it has not done yet.
    ///
    /// - Parameter serverIndex: the server's count of frames written so far.
    /// - Returns: the frames put into `target`.
    mutating func pull(
        _ frames: Int, into target: UnsafeMutablePointer<Float>, serverIndex: Int, flushes: Int, now: HostTime
    ) -> Int {
        guard device == .server, isStarted, !isStopped, flushes == self.flushes else { return 0 }
        if !queue.isEmpty {
            // The server has run dry, for longer than it knows: what comes now is heard some time later.
            if clock.isRunning, let index = clock.index(at: now), index >= Double(playableEnd) {
                clock.starve(at: queue.readIndex)
            }
            serverOffset = serverOffset ?? queue.readIndex - serverIndex
        }
        let count = queue.pull(frames, into: target)
        isHungry = count < frames && !isFinished
        advance(to: now)
        return count
    }

    /// The server's report, in its own count of frames. See `StreamClock.observe`.
    mutating func observe(_ serverIndex: Double, at host: HostTime, first: Double, flushes: Int) {
        guard device == .server, isPlaying, flushes == self.flushes, let offset = serverOffset else { return }
        clock.observe(serverIndex + Double(offset), at: host, first: first + Double(offset))
    }

    /// How much later the server will be heard than the silence which it is to take over from; nil once it is heard.
    func lag(ofServerAt serverIndex: Double, at host: HostTime, flushes: Int) -> Duration? {
        guard device == .server, isPlaying, flushes == self.flushes, let offset = serverOffset, clock.isRunning,
            !clock.isServerLed, let index = clock.lineIndex(at: host)
        else { return nil }
        return format.duration(ofFrames: index - serverIndex - Double(offset))
    }

    /// Starts the queue anew in another format. What was queued is lost as sound; as time it stays, as silence.
    private mutating func change(to format: AudioFormat, now: HostTime) {
        let wasRunning = clock.isRunning
        // What is heard now, or what is heard first and when.
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
