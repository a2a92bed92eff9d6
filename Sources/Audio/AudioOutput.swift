public import Logging
import GlissadePlatform
public import GlissadeTime

/// Plays one decoder's audio, and reports which sample is heard at a given time.
///
/// While there is no sound server, playback proceeds in silence, and `position` still advances. If the server dies,
/// silence takes over at the sample being heard, until a server is available again.
///
/// A *generation* consists of the samples written between two calls to `flush` or `splice`. Each of these calls begins
/// a new generation. From then on, samples of older generations are refused. Samples may be written before `start` is
/// called. `start` drops the samples that precede the start position.
///
/// Threads: shared. `write`, `finish` and `waitUntilReady` must be called on the decoder's thread. All other methods
/// may be called on any thread. Of those, only `stop` blocks. The others hold locks for microseconds, and never call
/// the server.
public final class AudioOutput: Sendable {
    /// What plays the samples: a sound server, or silence alone.
    public enum Backend: Hashable, Sendable {
        /// A sound server, reached through PulseAudio's client library; silence while no server answers.
        case pulse
        /// Silence at all times, paced by the monotonic clock.
        case silent
    }

    private let transport: Monitor<AudioTransport>
    private let link: PulseLink?

    /// Creates an output. With the backend `pulse`, connects to the server in the background.
    ///
    /// - Parameters:
    ///   - server: The server's address in PulseAudio's syntax (`unix:/run/…`); nil for the user's default server.
    ///   - applicationName: The application's name in the user's mixer.
    ///   - streamName: The stream's name in the user's mixer.
    ///   - onEvent: Called on the thread that talks to the server. If the thread cannot be started, `onEvent` is called
    ///     on the current thread before this initializer returns. Must not block. Must not retain the output, because
    ///     the output would then never be freed.
    public init(
        backend: Backend, server: String? = nil, applicationName: String, streamName: String,
        logger: Logger = Logger(label: "audio"), onEvent: @escaping @Sendable (AudioEvent) -> Void = { _ in }
    ) {
        let transport = Monitor(AudioTransport(format: .standard))
        self.transport = transport
        switch backend {
        case .silent:
            link = nil
        case .pulse:
            transport.update { $0.awaitServer() }
            let report: @Sendable (AudioEvent) -> Void = { event in
                logger.log(event)
                onEvent(event)
            }
            let client = PulseClient(server: server, applicationName: applicationName, streamName: streamName)
            do throws(PulseLink.Refusal) {
                link = try PulseLink(client: client, transport: transport, report: report)
            } catch {
                // Silence, as without a server, but permanently.
                link = nil
                transport.update { $0.loseServer(now: .now()) }
                report(.unavailable(reason: error.reason))
            }
        }
    }

    deinit { stop() }

    /// Stops playback for good, refuses further samples, and closes the connection. Waits briefly for the thread that
    /// talks to the server to end. May be called repeatedly.
    public func stop() {
        transport.update { $0.stop() }
        link?.stop()
    }

    // MARK: - Writing

    /// The format in which to write samples. It follows the format of the output device. If samples in another format
    /// are passed to `write`, `write` returns `formatChanged`.
    public var format: AudioFormat { transport.withLock { $0.format } }

    /// Sleeps until it is known whether there is a server. Before that, `format` is only an assumption. Returns early
    /// if the output is stopped, and at `deadline` at the latest.
    public func waitUntilReady(until deadline: HostTime) {
        _ = transport.wait(until: deadline) { $0.isDecided || $0.isStopped ? true : nil }
    }

    /// Queues samples. Sleeps while the queue, which holds 0.4 s, is full.
    ///
    /// - Parameters:
    ///   - samples: Interleaved samples, in whole frames.
    ///   - format: The format of `samples`. If it is not the output's current format, the result is `formatChanged`.
    ///   - media: The media time of the first frame. A gap after the previous samples is filled with silence; an
    ///     overlap with them is trimmed.
    ///   - speed: The speed of the samples, in media seconds per second of audio. For example, 2 if the decoder has
    ///     sped the audio up to double speed.
    ///   - generation: The generation of `samples`. If it is not the current generation, the result is `flushed`.
    public func write(
        _ samples: UnsafeBufferPointer<Float>, as format: AudioFormat, startingAt media: MediaTime, speed: Double,
        generation: Int
    ) -> AudioWriteResult {
        precondition(speed > 0 && speed.isFinite, "audio cannot be played at speed \(speed)")
        var rest = samples
        var media = media
        while true {
            var seen = 0
            var deadline: HostTime?
            var wakesServer = false
            let result = transport.withLock { transport -> AudioWriteResult? in
                if transport.isStopped { return .stopped }
                if generation != transport.generation { return .flushed }
                if format != transport.format { return .formatChanged }
                let now = HostTime.now()
                let done = transport.push(rest, startingAt: media, speed: speed, now: now)
                wakesServer = transport.isHungry && done > 0
                media = media + format.duration(ofFrames: Double(done) * speed)
                rest = UnsafeBufferPointer(rebasing: rest[(done * format.channelCount)...])
                let frames = rest.count / format.channelCount
                if frames == 0 { return .accepted }
                deadline = transport.whenRoom(for: min(frames, transport.leastRoom), now: now)
                seen = transport.changes
                return nil
            }
            if wakesServer { link?.wake() }
            if let result { return result }
            _ = transport.wait(until: deadline) { [seen] in
                $0.changes != seen || $0.hasRoom(for: rest.count / format.channelCount) ? true : nil
            }
        }
    }

    /// Marks `generation` as complete: no more samples will follow. Queued samples still play to the end. Does nothing
    /// if `generation` is not current.
    public func finish(generation: Int) {
        transport.update { $0.finish(generation: generation) }
        link?.wake()
    }

    // MARK: - Playing

    /// Drops all samples, including those that the server holds, and begins the generation `generation`. From now on,
    /// only samples of that generation are accepted. They are not played until `start` or `follow` is called.
    public func flush(generation: Int) {
        transport.update { $0.flush(generation: generation) }
        link?.wake()
    }

    /// Begins the generation `generation`, whose samples seamlessly follow the audio about to be heard. Use it to
    /// change to another speed or track of the same media. Samples queued for later are dropped. From now on, only
    /// samples of `generation` are accepted. They play without a call to `start`.
    ///
    /// - Returns: The media time at which the new samples should begin. Earlier samples are trimmed exactly. Nil if
    ///   playback has not started or has been stopped, or if the media time of the queued audio is unknown. In that
    ///   case, nothing has changed: use `flush` and `start` instead.
    public func splice(generation: Int) -> MediaTime? {
        transport.update { $0.splice(generation: generation, now: .now()) }
    }

    /// The duration of the audio in the queue, not counting what the server holds.
    public var queuedDuration: Duration {
        transport.withLock { $0.format.duration(ofFrames: Double($0.queue.writeIndex - $0.queue.readIndex)) }
    }

    /// Starts playback exactly at the media time `media`: drops earlier samples, or inserts silence before the first
    /// sample. Video should wait for audio, which is first heard at `onset`. Does nothing if `generation` is not
    /// current or has already been started.
    ///
    /// If the first queued sample is more than 0.5 s later than `media`, video need not wait: this call then acts like
    /// `follow`.
    ///
    /// - Parameter speed: The video's speed. Used only if this call acts like `follow`.
    public func start(from media: MediaTime, speed: Double = 1, generation: Int) {
        transport.update { $0.start(from: media, speed: speed, generation: generation, now: .now()) }
        link?.wake()
    }

    /// Makes audio follow the video, which shows the media time `media` at the host time `host`. Audio joins in sync as
    /// soon as there are samples and a server can play them. Does nothing if `generation` is not current. May be called
    /// repeatedly.
    ///
    /// - Parameter speed: The video's speed.
    public func follow(_ media: MediaTime, at host: HostTime, speed: Double, generation: Int) {
        transport.update { $0.follow(media, at: host, speed: speed, generation: generation, now: .now()) }
        link?.wake()
    }

    /// Updates the speed of the video that audio is waiting to join (see `follow`), from the host time `host` on. Does
    /// nothing if `generation` is not current, or if audio has already joined the video.
    ///
    /// - Parameter speed: The video's new speed.
    public func setFollowedSpeed(_ speed: Double, at host: HostTime, generation: Int) {
        transport.withLock { $0.setFollowedSpeed(speed, at: host, generation: generation) }
    }

    /// When audio is first heard after a start or resume, and the media time of that audio. If audio follows video and
    /// has no samples yet, the value describes the video instead. Nil before playback starts, while it is paused, and
    /// while the time is unknown. Each report from the server may change the value.
    public var onset: AudioOnset? { transport.withLock { $0.onset } }

    /// Pauses audio and `position`. A paused output causes no periodic wake-ups.
    public func pause() {
        transport.update { $0.setPaused(true, now: .now()) }
        link?.wake()
    }

    /// Resumes playback at the sample at which `pause` stopped it.
    public func resume() {
        transport.update { $0.setPaused(false, now: .now()) }
        link?.wake()
    }

    /// The volume, clamped to 0…1.3; 1 is the recorded level. The amplitude is proportional to the cube of the volume,
    /// as in desktop mixers. Changes are heard within the sink's latency, because the server applies the volume.
    public var volume: Double {
        get { transport.withLock { $0.volume } }
        set {
            transport.withLock { $0.volume = newValue.isNaN ? 0 : min(max(newValue, 0), 1.3) }
            link?.wake()
        }
    }

    /// Whether audio is muted. Muted audio still advances `position`.
    public var isMuted: Bool {
        get { transport.withLock { $0.isMuted } }
        set {
            transport.withLock { $0.isMuted = newValue }
            link?.wake()
        }
    }

    // MARK: - Time

    /// Returns the audio heard at `host`. `host` may be slightly in the future. Returns nil before the first sample is
    /// heard, while samples are missing, and after the end. Within a generation, the position never goes back. While
    /// the output is paused, the position stands still.
    public func position(at host: HostTime) -> AudioPosition? {
        transport.withLock { transport in
            transport.advance(to: .now())
            return transport.position(at: host)
        }
    }

    /// Returns whether `finish` was called for the current generation, and all of its audio has been heard by `host`.
    public func hasEnded(at host: HostTime) -> Bool { transport.withLock { $0.hasEnded(at: host) } }

    /// The number of times the server has run out of samples during playback, since the output was created.
    public var underrunCount: Int { transport.withLock { $0.underruns } }
}

extension Logger {
    fileprivate func log(_ event: AudioEvent) {
        switch event {
        case .connected(let format): info("audio: \(format.sampleRate) Hz, \(format.channelCount) channels")
        case .unavailable(let reason): warning("no sound server, playing silence: \(reason)")
        case .lost(let reason): warning("lost the sound server, playing silence: \(reason)")
        }
    }
}
