public import Logging
import Platform
public import Time

/// A sink for one decoder's sound, which also tells what of it is heard when.
///
/// Shared: `write` and `finish` are the decoder thread's, everything else may be called from any thread and does not
/// block (the locks inside are held for microseconds, and never across a call to the server). It starts at once, in
/// silence, and takes up sound when a server answers; a server that dies is followed by silence from the very sample that
/// was heard, until there is one again. The player sees only `position` going on.
///
/// A *generation* is one stretch of samples between two seeks. `flush` begins a new one; samples of an older one are
/// refused from then on. Samples may be written ahead of `start`, which cuts them to where playing is to begin.
public final class AudioOutput: Sendable {
    public enum Backend: Hashable, Sendable {
        /// The PulseAudio client API; silence while no server answers.
        case pulse
        /// Silence, paced by the monotonic clock.
        case silent
    }

    private let transport: Monitor<Transport>
    private let link: PulseLink?

    /// Returns at once; the server is sought in the background.
    ///
    /// - Parameters:
    ///   - server: the server's address as PulseAudio writes it (`unix:/run/…`); nil for the user's own.
    ///   - applicationName: what the user's mixer shows, and
    ///   - streamName: what it shows beneath.
    ///   - onEvent: called on the server's thread, or on this one where that cannot be started; must not block, nor hold the output (it would never be freed).
    public init(
        backend: Backend, server: String? = nil, applicationName: String, streamName: String,
        logger: Logger = Logger(label: "audio"), onEvent: @escaping @Sendable (AudioEvent) -> Void = { _ in }
    ) {
        let transport = Monitor(Transport(format: .standard))
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
                // As without a server, for good.
                link = nil
                transport.update { $0.loseServer(now: .now()) }
                report(.unavailable(reason: error.reason))
            }
        }
    }

    deinit { stop() }

    /// Plays no more, takes no more, frees the server's connection. Waits for the server's thread, which waits for nobody.
    public func stop() {
        transport.update { transport in
            transport.isStopped = true
            transport.flush(generation: transport.generation)
        }
        link?.stop()
    }

    // MARK: - Writing

    /// What to write now: the device's own rate and channels, so that nothing is converted twice.
    public var format: AudioFormat { transport.withLock { $0.format } }

    /// Sleeps until it is settled whether there is a server, hence which `format` is wanted, or until `deadline`.
    public func waitUntilReady(until deadline: HostTime) {
        _ = transport.wait(until: deadline) { $0.isDecided || $0.isStopped ? true : nil }
    }

    /// Queues a chunk; sleeps while there is no room (some 0.4 s are held).
    ///
    /// - Parameters:
    ///   - samples: interleaved, whole frames.
    ///   - format: what the samples are in; if it is not what is wanted, `.formatChanged`.
    ///   - media: the media time of the first frame. A gap to the chunk before is filled with silence, an overlap cut.
    ///   - speed: media seconds per second of sound: 2 for what was squeezed to be played at double speed.
    public func write(
        _ samples: UnsafeBufferPointer<Float>, as format: AudioFormat, startingAt media: MediaTime, speed: Double,
        generation: Int
    ) -> AudioWriteResult {
        precondition(speed > 0 && speed.isFinite, "sound cannot be played at speed \(speed)")
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

    /// No more samples of `generation` will come; what is queued is played to its end.
    public func finish(generation: Int) {
        transport.update { $0.finish(generation: generation) }
        link?.wake()
    }

    // MARK: - Playing

    /// Drops everything, here and in the server; from now on only samples of `generation` are taken.
    public func flush(generation: Int) {
        transport.update { $0.flush(generation: generation) }
        link?.wake()
    }

    /// Begins a new generation that follows on what is about to be heard, without a seam: for another speed or another
    /// track of the same media. What waits for later is dropped; from now on only samples of `generation` are taken, and
    /// they play by themselves.
    ///
    /// - Returns: the media time from which samples are wanted; earlier ones are cut, to the sample. Nil, and nothing is
    ///   done, where nothing has been started that they could follow: `flush` and `start` anew.
    public func splice(generation: Int) -> MediaTime? {
        transport.update { $0.splice(generation: generation, now: .now()) }
    }

    /// How much sound waits here, beside what the server holds; any thread.
    public var queuedDuration: Duration {
        transport.withLock { $0.format.duration(ofFrames: Double($0.queue.writeIndex - $0.queue.readIndex)) }
    }

    /// Begins to play at `media`: earlier samples are dropped, to the sample; if the first is later, silence leads to it.
    /// The sound leads: `onset` tells when it will be heard. Does nothing when `generation` is not the current one, or plays
    /// already.
    ///
    /// - Parameter speed: media seconds a second of the picture, for sound that begins much later: the picture leads then.
    public func start(from media: MediaTime, speed: Double = 1, generation: Int) {
        transport.update { $0.start(from: media, speed: speed, generation: generation, now: .now()) }
        link?.wake()
    }

    /// Plays beside a picture that leads, at which `media` is on show at `host`: what belongs to that time is heard then, from
    /// when there is any and a server can play it. Does nothing when `generation` is not the current one; may be called again.
    ///
    /// - Parameter speed: media seconds a second of the picture.
    public func follow(_ media: MediaTime, at host: HostTime, speed: Double, generation: Int) {
        transport.update { $0.follow(media, at: host, speed: speed, generation: generation, now: .now()) }
        link?.wake()
    }

    /// When sound that was started, or goes on after a pause, begins to be heard; nil while that is not known, paused or not
    /// started. Changes as the server reports.
    public var onset: AudioOnset? { transport.withLock { $0.onset } }

    /// Halts the sound and `position`. No thread wakes up while it is paused, but for writes.
    public func pause() {
        transport.update { $0.setPaused(true, now: .now()) }
        link?.wake()
    }

    /// Goes on with the sample at which `pause` halted.
    public func resume() {
        transport.update { $0.setPaused(false, now: .now()) }
        link?.wake()
    }

    /// 1 is as recorded; 0…1.3, clamped. Loudness follows its cube, as in the desktop's own mixers. The server applies it,
    /// so that it is heard within the sink's latency and not the queue's.
    public var volume: Double {
        get { transport.withLock { $0.volume } }
        set {
            transport.withLock { $0.volume = newValue.isNaN ? 0 : min(max(newValue, 0), 1.3) }
            link?.wake()
        }
    }

    public var isMuted: Bool {
        get { transport.withLock { $0.isMuted } }
        set {
            transport.withLock { $0.isMuted = newValue }
            link?.wake()
        }
    }

    // MARK: - Time

    /// What is heard at `host`, which may lie some frames ahead of now; nil while nothing is: before the first sample has
    /// come out, when the decoder has fallen behind, and after the end. Within a generation it never goes back as `host`
    /// goes on, and it stands still while paused.
    public func position(at host: HostTime) -> AudioPosition? {
        transport.withLock { transport in
            transport.advance(to: .now())
            return transport.position(at: host)
        }
    }

    /// Whether all of a finished generation has been heard.
    public func hasEnded(at host: HostTime) -> Bool { transport.withLock { $0.hasEnded(at: host) } }

    /// How often the server ran dry while there should have been sound.
    public var underrunCount: Int { transport.withLock { $0.underruns } }
}

extension Logger {
    fileprivate func log(_ event: AudioEvent) {
        switch event {
        case .connected(let format): info("sound: \(format.sampleRate) Hz, \(format.channelCount) channels")
        case .unavailable(let reason): warning("no sound server, playing silence: \(reason)")
        case .lost(let reason): warning("the sound server is lost, silence goes on: \(reason)")
        }
    }
}
