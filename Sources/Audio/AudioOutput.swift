import Host
public import Motion
import Synchronization

/// Where decoded sound goes, and who knows what is heard when.
///
/// Shared: one decoder's thread writes, and sleeps while there is enough; the main thread starts, pauses and asks for
/// the position, and waits for nothing; a thread of its own speaks to the sound server.
///
/// Where there is no server, or it goes away, silence takes its place at once: samples are consumed as the monotonic
/// clock goes, so that everything else runs on; and sound comes back by itself within a second or so of the server.
public final class AudioOutput: Sendable {
    public enum Backend: Sendable {
        /// A PulseAudio server, or PipeWire's.
        case pulse
        /// Silence only.
        case silent
    }

    public enum WriteResult: Hashable, Sendable {
        case accepted
        /// The device wants another format than the samples have: resample for `format`.
        case formatChanged
        /// The samples are of a generation that is over.
        case flushed
        case stopped
    }

    /// How much decoded sound waits here, before what waits in the server.
    static let queueDuration = Duration.milliseconds(400)
    /// How soon a lost server is tried again.
    static let retryInterval = Duration.seconds(1)
    /// How often silence consumes.
    private static let silentTick = Duration.milliseconds(25)

    private let core: Monitor<OutputCore>
    private let thread: Thread

    /// - Parameters:
    ///   - server: a PulseAudio address; nil finds the user's own.
    ///   - onEvent: told in a few words when the server is lost and when it is back; called from the output's thread.
    public init(
        backend: Backend, applicationName: String, streamName: String, server: String? = nil,
        onEvent: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        let core = Monitor(OutputCore(format: .standard))
        self.core = core
        thread = Thread(name: "sound") {
            let driver = OutputDriver(
                core: core, server: server, applicationName: applicationName, streamName: streamName, onEvent: onEvent)
            driver.run(usesServer: backend == .pulse)
        }
    }

    /// What to write now. It may change when a server is found or found again.
    public var format: AudioFormat { core.withLock { $0.queue.format } }

    /// Hands over samples; sleeps while the queue is full. The decoder's thread.
    ///
    /// - Parameters:
    ///   - mediaTime: of the first frame.
    ///   - speed: media seconds a second.
    public func write(
        _ samples: UnsafeBufferPointer<Float>, startingAt mediaTime: MediaTime, speed: Double, generation: Int
    ) -> WriteResult {
        let format = format
        let count = samples.count / format.channelCount
        var done = 0
        while done < count {
            let offset = done
            let step: (Int, WriteResult?)? = core.wait { core in
                if core.isStopped { return (0, .stopped) }
                if core.generation != generation { return (0, .flushed) }
                if core.queue.format != format { return (0, .formatChanged) }
                let time =
                    mediaTime
                    + .nanoseconds(Int64(Double(offset) / Double(format.sampleRate) * speed * 1e9))
                let taken = core.queue.append(
                    UnsafeBufferPointer(rebasing: samples[(offset * format.channelCount)...]), at: time, speed: speed)
                return taken > 0 ? (taken, nil) : nil
            }
            guard let step else { return .stopped }
            if let end = step.1 { return end }
            done += step.0
        }
        return .accepted
    }

    /// No more samples come in this generation. The decoder's thread.
    public func finish(generation: Int) {
        core.update { if $0.generation == generation { $0.isFinished = true } }
    }

    /// Drops everything that has not been heard, here and in the server, and pauses; only samples of `generation` are
    /// taken in from now on.
    public func flush(generation: Int) {
        core.update { $0.flush(generation: generation) }
    }

    /// Plays from `mediaTime` on: what lies before it is dropped.
    public func start(from mediaTime: MediaTime, generation: Int) {
        core.update { core in
            guard core.generation == generation else { return }
            core.start(from: mediaTime, now: .now())
        }
    }

    /// Leaves out as much as it takes for what is heard to be level again with `mediaTime`, which is on show at `now`.
    public func catchUp(with mediaTime: MediaTime, now: HostTime, generation: Int) {
        core.update { if $0.generation == generation { $0.catchUp(with: mediaTime, now: now) } }
    }

    public func pause() { core.update { $0.pause(now: .now()) } }

    /// Goes on from where it was paused.
    public func resume() { core.update { $0.resume(now: .now()) } }

    /// 0…1.3; 1 is the media's own level. Steps are even to the ear.
    public var volume: Double {
        get { core.withLock { $0.volume } }
        set { core.update { $0.volume = min(max(0, newValue), 1.3) } }
    }

    public var isMuted: Bool {
        get { core.withLock { $0.isMuted } }
        set { core.update { $0.isMuted = newValue } }
    }

    /// What is heard at `host`; nil while nothing is: before the first sample has come through, after the last one, or
    /// while the decoder is behind.
    public func position(at host: HostTime) -> AudioPosition? { core.withLock { $0.position(at: host) } }

    /// Ends the output and waits for its thread. Must be called once.
    public func stop() {
        core.update { $0.isStopped = true }
        thread.join()
    }
}
