import Motion

/// What plays and what is heard: the queue, the clock, and the state they share between the decoder's thread, the
/// player's and the sound server's.
///
/// Pure: told the time. `AudioOutput` holds it in a `Monitor`; every method is short. Two devices can take the samples.
/// The *server* pulls them ahead and reports when they sound. *Silence* is no thread but arithmetic: each call first lets
/// fall what has "sounded" by now. So a paused output does nothing whatever, and the change from one device to the other
/// is a change of who pulls: indices, media times and the clock go on.
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
    /// Whether the first attempt to reach a server has ended, either way.
    var isDecided = false
    /// What must be added to the server's frame count to get our index; nil before the first pull after a flush.
    private var serverOffset: Int?

    init(format: AudioFormat) {
        queue = SampleQueue(format: format, capacity: Self.capacity)
        clock = StreamClock(rate: format.sampleRate, from: 0)
    }

    /// A server's sink takes its share of the latency; silence begins at once.
    var startLatency: Duration { device == .server ? PulseStream.latency / 3 : .zero }
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
        if device == .silence, clock.isRunning, queue.isEmpty { clock.starve(at: queue.writeIndex) }
        let done = queue.push(chunk, startingAt: media, speed: speed)
        runSilence(from: now)
        return done
    }

    /// When paced silence will have made room for `frames`; nil if the server, or a resume, is what to wait for.
    func whenRoom(for frames: Int, now: HostTime) -> HostTime? {
        guard device == .silence, let index = clock.index(at: now), clock.isRunning else { return nil }
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
        serverOffset = nil
        flushes += 1
        changes += 1
    }

    mutating func start(from media: MediaTime, generation: Int, now: HostTime) {
        guard generation == self.generation, !isStarted else { return }
        queue.begin(at: media)
        clock.starve(at: queue.readIndex)
        isStarted = true
        hasStarted = true
        changes += 1
        runSilence(from: now)
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
        halt(at: now)
        isPaused = paused
        changes += 1
        runSilence(from: now)
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
        guard let index = clock.index(at: now) else { return }
        if device == .silence { queue.skip(Int(index) - queue.readIndex) }
        queue.forget(before: Int(index) - format.sampleRate)
    }

    private mutating func runSilence(from now: HostTime) {
        guard device == .silence, isPlaying, !clock.isRunning, clock.next < Double(queue.writeIndex) else { return }
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

    /// The server is gone or suspended: silence goes on from what is heard now. What it still held counts as lost sound,
    /// not as lost time.
    mutating func loseServer(now: HostTime) {
        guard device == .server else { return }
        halt(at: now)
        device = .silence
        serverOffset = nil
        isHungry = false
        changes += 1
        runSilence(from: now)
        advance(to: now)
    }

    // MARK: - The server's side

    /// The server plays from now on, in `format`; its first sample is expected to be heard after `latency`.
    mutating func takeOver(in format: AudioFormat, latency: Duration, now: HostTime) {
        advance(to: now)
        if format != self.format { change(to: format, now: now) }
        // Silence has been running meanwhile: what will be past when the server is heard is not worth sending.
        if clock.isRunning { queue.skip(format.frames(in: latency)) }
        device = .server
        serverOffset = nil
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

    /// How long it takes yet until the server is heard, where nothing has been since the start; nil where something has.
    func wait(forServerAt serverIndex: Double, flushes: Int) -> Duration? {
        guard device == .server, isPlaying, flushes == self.flushes, let offset = serverOffset, !clock.isRunning
        else { return nil }
        return format.duration(ofFrames: clock.next - serverIndex - Double(offset))
    }

    /// How much later the server will be heard than the silence which it is to take over from; nil once it is heard.
    func lag(ofServerAt serverIndex: Double, at host: HostTime, flushes: Int) -> Duration? {
        guard device == .server, isPlaying, flushes == self.flushes, let offset = serverOffset, clock.isRunning,
            !clock.isServerLed, let index = clock.index(at: host)
        else { return nil }
        return format.duration(ofFrames: index - serverIndex - Double(offset))
    }

    /// Starts the queue anew in another format. What was queued is lost as sound; as time it stays, as silence.
    private mutating func change(to format: AudioFormat, now: HostTime) {
        let wasRunning = clock.isRunning
        let wasHeard = clock.index(at: now) != nil
        let media = queue.mediaTime(at: clock.index(at: now) ?? clock.next)
        let end = queue.endMedia
        let speed = queue.lastSpeed
        queue = SampleQueue(format: format, capacity: Self.capacity)
        clock = StreamClock(rate: format.sampleRate, from: 0)
        if let end {
            queue.begin(at: end)
            if let media, media < end { queue.append(silence: end - media, at: media, speed: speed) }
        }
        if wasHeard { clock.run(from: 0, at: now) }
        if !wasRunning { clock.freeze(at: now) }
    }
}
