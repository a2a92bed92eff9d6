import Host
import Motion

/// What the threads of an output share: the queue, the wishes of the player, and who leads. Only touched under the lock.
struct OutputCore: ~Copyable {
    /// Who paces what is heard.
    enum Leader: Equatable {
        /// Silence: `mediaTime` was due at `host`.
        case silence(mediaTime: MediaTime, host: HostTime)
        case server
        /// Nothing was started yet.
        case nobody
    }

    var queue: SampleQueue
    var generation = 0
    var isStopped = false
    var isFinished = false
    var volume = 1.0
    var isMuted = false

    /// The player's wish.
    private(set) var isPlaying = false
    /// Counts flushes, so that the driver sees each one.
    private(set) var flushCount = 0
    var leader = Leader.nobody
    /// The position while paused, and after it until the server's first word.
    private var held: MediaTime?
    private var speed = 1.0

    /// Whether a server takes the sound.
    private(set) var hasServer = false
    private var clock = StreamClock()
    private var runs: PlayedRuns
    /// Frames written to the server's stream since its beginning.
    private(set) var written = 0

    init(format: AudioFormat) {
        queue = SampleQueue(format: format, duration: AudioOutput.queueDuration)
        runs = PlayedRuns(sampleRate: format.sampleRate)
    }

    // MARK: - The player's wishes

    mutating func flush(generation: Int) {
        self.generation = generation
        queue.removeAll()
        runs.removeAll()
        clock.reset()
        isFinished = false
        isPlaying = false
        held = nil
        leader = .nobody
        flushCount += 1
    }

    mutating func start(from mediaTime: MediaTime, now: HostTime) {
        queue.begin(at: mediaTime)
        isPlaying = true
        held = nil
        leader = hasServer ? .server : .silence(mediaTime: mediaTime, host: now)
    }

    mutating func catchUp(with mediaTime: MediaTime, now: HostTime) {
        guard isPlaying, leader == .server, let seconds = clock.position(at: now) else { return }
        // What is written next is heard when all that was written has been.
        let unheard = max(0, Double(written) / Double(queue.format.sampleRate) - seconds)
        queue.begin(at: mediaTime + .nanoseconds(Int64(clampingNanoseconds: unheard * speed)))
    }

    mutating func pause(now: HostTime) {
        guard isPlaying else { return }
        held = position(at: now)?.mediaTime
        isPlaying = false
        clock.reset()
    }

    mutating func resume(now: HostTime) {
        guard !isPlaying, leader != .nobody else { return }
        isPlaying = true
        if case .silence(let mediaTime, _) = leader { leader = .silence(mediaTime: held ?? mediaTime, host: now) }
        if leader != .server { held = nil }
    }

    func position(at host: HostTime) -> AudioPosition? {
        guard let time = heard(at: host) else { return nil }
        return AudioPosition(mediaTime: time, generation: generation, isServerLed: leader == .server)
    }

    private func heard(at host: HostTime) -> MediaTime? {
        if !isPlaying { return held }
        switch leader {
        case .nobody: return nil
        case .silence(let mediaTime, let since):
            return mediaTime + .nanoseconds(Int64(Double((host - since).nanoseconds) * speed))
        case .server:
            guard let seconds = clock.position(at: host) else { return held }
            return runs.mediaTime(at: seconds * Double(queue.format.sampleRate))
        }
    }

    // MARK: - Silence

    /// Consumes what silence has passed over by `now`.
    mutating func consumeSilently(now: HostTime) {
        guard isPlaying, case .silence = leader, let time = heard(at: now) else { return }
        if let next = queue.speed, next != speed {
            speed = next
            leader = .silence(mediaTime: time, host: now)
        }
        queue.begin(at: time)
    }

    // MARK: - The server's side

    /// A server is ready to take sound in `format`; its stream is new.
    mutating func gainServer(format: AudioFormat, now: HostTime) {
        let time = heard(at: now)
        if format != queue.format { queue = SampleQueue(format: format, duration: AudioOutput.queueDuration) }
        runs = PlayedRuns(sampleRate: format.sampleRate)
        clock.reset()
        written = 0
        hasServer = true
        guard leader != .nobody else { return }
        // What is queued for now would be heard late by as much as the server buffers.
        if isPlaying, let time { queue.begin(at: time) }
        held = isPlaying ? nil : held
        leader = .server
    }

    mutating func loseServer(now: HostTime) {
        hasServer = false
        guard leader == .server else { return }
        // What was in the dead server's buffer is lost; time goes on from what was heard.
        let time = heard(at: now) ?? held ?? runs.last ?? .zero
        leader = .silence(mediaTime: time, host: now)
        if !isPlaying { held = time }
    }

    /// Hands frames on to the server.
    mutating func read(_ limit: Int, _ body: (UnsafeBufferPointer<Float>) -> Void) -> Int {
        let first = written
        var run: SampleQueue.Run?
        let count = queue.read(limit) { samples, part in
            body(samples)
            run = part
        }
        if let run {
            speed = run.speed
            runs.append(firstFrame: first, run)
        }
        written += count
        return count
    }

    /// The server says that `unheard` seconds of what was written are still to be heard at `host`.
    mutating func observe(unheard: Double, at host: HostTime) {
        guard isPlaying else { return }
        let rate = Double(queue.format.sampleRate)
        clock.observe(Double(written) / rate - unheard, at: host)
        if let seconds = clock.position(at: host) {
            runs.prune(before: seconds * rate)
            if runs.mediaTime(at: seconds * rate) != nil { held = nil }
        }
    }
}
