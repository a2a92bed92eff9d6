public import Logging
import Platform
public import Time

/// Plays one decoder's audio, and reports which sample is heard when.
///
/// Playback starts immediately, in silence, and becomes audible once a server answers. If the server dies, silence
/// takes over at the very sample that was heard, until there is a server again. `position` keeps advancing all the
/// while.
///
/// A *generation* is a sequence of samples between two seeks. `flush` begins a new one; from then on, samples of
/// older generations are refused. Samples may be written before `start`, which trims them to where playback begins.
///
/// Threads: shared. `write` and `finish` belong to the decoder's thread. All other calls may come from any thread and
/// do not block: the locks inside are held for microseconds, never across a call to the server.
public final class AudioOutput: Sendable {
    /// Where samples go.
    public enum Backend: Hashable, Sendable {
        /// PulseAudio's client library; silence while no server answers.
        case pulse
        /// Silence, paced by the monotonic clock.
        case silent
    }

    private let transport: Monitor<AudioTransport>
    private let link: PulseLink?

    /// Creates an output, and connects it to the server in the background.
    ///
    /// - Parameters:
    ///   - server: The server's address in PulseAudio's syntax (`unix:/run/…`); nil for the user's default server.
    ///   - applicationName: The application's name in the user's mixer.
    ///   - streamName: The stream's name in the user's mixer.
    ///   - onEvent: Called on the thread that talks to the server, or on the calling thread if that one cannot be
    ///     started. Must neither block nor retain the output, which would never be freed.
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
            transport.update { $0.isDecided = false }
            let report: @Sendable (AudioEvent) -> Void = { event in
                logger.log(event)
                onEvent(event)
            }
            let client = PulseClient(server: server, applicationName: applicationName, streamName: streamName)
            do throws(PulseLink.Refusal) {
                link = try PulseLink(client: client, transport: transport, report: report)
            } catch {
                // As without a server, but permanently.
                link = nil
                transport.update { $0.loseServer(now: .now()) }
                report(.unavailable(reason: error.reason))
            }
        }
    }

    deinit { stop() }

    /// Stops playback, refuses further samples, and closes the connection. Waits for the server's thread, which ends
    /// promptly.
    public func stop() {
        transport.update { transport in
            transport.isStopped = true
            transport.flush(generation: transport.generation)
        }
        link?.stop()
    }

    // MARK: - Writing

    /// The format in which to write samples: the device's own rate and channels, so that nothing is converted twice.
    public var format: AudioFormat { transport.withLock { $0.format } }

    /// Sleeps until it is known whether there is a server, and therefore which `format` to write, or until `deadline`.
    public func waitUntilReady(until deadline: HostTime) {
        _ = transport.wait(until: deadline) { $0.isDecided || $0.isStopped ? true : nil }
    }

    /// Queues samples; sleeps while the queue is full (about 0.4 s).
    ///
    /// - Parameters:
    ///   - samples: Interleaved, whole frames.
    ///   - format: The format of the samples; if it is not the current one, the result is `.formatChanged`.
    ///   - media: The media time of the first frame. A gap is filled with silence, an overlap trimmed.
    ///   - speed: Media seconds per second of audio: 2 for audio stretched to play at double speed.
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

    /// Ends `generation`: queued samples still play to the end.
    public func finish(generation: Int) {
        transport.update { $0.finish(generation: generation) }
        link?.wake()
    }

    // MARK: - Playing

    /// Drops all samples, also at the server, and begins `generation`. From now on, only its samples are accepted.
    public func flush(generation: Int) {
        transport.update { $0.flush(generation: generation) }
        link?.wake()
    }

    /// Begins a new generation that seamlessly follows the audio about to be heard, for another speed or track of the
    /// same media. Samples queued for later are dropped. From now on, only samples of `generation` are accepted, and
    /// they play without `start`.
    ///
    /// - Returns: The media time from which samples are wanted; earlier samples are trimmed exactly. Nil, changing
    ///   nothing, if no audio has started: use `flush` and `start`.
    public func splice(generation: Int) -> MediaTime? {
        transport.update { $0.splice(generation: generation, now: .now()) }
    }

    /// The duration of queued audio, not counting the server's buffer. Any thread.
    public var queuedDuration: Duration {
        transport.withLock { $0.format.duration(ofFrames: Double($0.queue.writeIndex - $0.queue.readIndex)) }
    }

    /// Starts playback exactly at `media`: drops earlier samples, or inserts silence before the first one. Video
    /// should wait for audio; `onset` tells when it will be heard. Does nothing if `generation` is not current or
    /// already plays.
    ///
    /// - Parameter speed: The video's speed. If audio begins much later than `media`, it joins the video, as after
    ///   `follow`.
    public func start(from media: MediaTime, speed: Double = 1, generation: Int) {
        transport.update { $0.start(from: media, speed: speed, generation: generation, now: .now()) }
        link?.wake()
    }

    /// Makes audio follow video that shows `media` at `host`. Audio joins in sync as soon as there are samples and a
    /// server can play them. Does nothing if `generation` is not current. May be called repeatedly.
    ///
    /// - Parameter speed: The video's speed.
    public func follow(_ media: MediaTime, at host: HostTime, speed: Double, generation: Int) {
        transport.update { $0.follow(media, at: host, speed: speed, generation: generation, now: .now()) }
        link?.wake()
    }

    /// Changes the speed of the video that audio follows (see `follow`), from `host` on. Does nothing if `generation`
    /// is not current, or once it has samples.
    ///
    /// - Parameter speed: The video's speed.
    public func setFollowedSpeed(_ speed: Double, at host: HostTime, generation: Int) {
        transport.withLock { $0.setFollowedSpeed(speed, at: host, generation: generation) }
    }

    /// When started or resumed audio begins to be heard; nil while paused, not started, or not known yet. Changes
    /// with the server's reports.
    public var onset: AudioOnset? { transport.withLock { $0.onset } }

    /// Pauses audio and `position`. While paused, no thread wakes up except for writes.
    public func pause() {
        transport.update { $0.setPaused(true, now: .now()) }
        link?.wake()
    }

    /// Resumes at the sample at which `pause` stopped.
    public func resume() {
        transport.update { $0.setPaused(false, now: .now()) }
        link?.wake()
    }

    /// The volume, clamped to 0…1.3; 1 is the recorded level. The amplitude follows its cube, as in desktop mixers.
    /// The server applies it, so a change is heard within the sink's latency, not the queue's.
    public var volume: Double {
        get { transport.withLock { $0.volume } }
        set {
            transport.withLock { $0.volume = newValue.isNaN ? 0 : min(max(newValue, 0), 1.3) }
            link?.wake()
        }
    }

    /// Whether audio is muted. Muted samples still play in time.
    public var isMuted: Bool {
        get { transport.withLock { $0.isMuted } }
        set {
            transport.withLock { $0.isMuted = newValue }
            link?.wake()
        }
    }

    // MARK: - Time

    /// The audio heard at `host`, which may be slightly in the future. Nil before the first sample is heard, while
    /// the decoder has fallen behind, and after the end. Within a generation, the position never goes back, and it
    /// stands still while paused.
    public func position(at host: HostTime) -> AudioPosition? {
        transport.withLock { transport in
            transport.advance(to: .now())
            return transport.position(at: host)
        }
    }

    /// Whether the generation is finished and has been heard to its end by `host`.
    public func hasEnded(at host: HostTime) -> Bool { transport.withLock { $0.hasEnded(at: host) } }

    /// How often the server ran out of samples during playback.
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
