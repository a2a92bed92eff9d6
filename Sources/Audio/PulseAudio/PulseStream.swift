import GlissadeCPulse
import GlissadePlatform
import GlissadeTime

/// A playback stream on the sound server. Feeds, corks and flushes the stream and sets its volume, as the
/// `AudioTransport` requires. The stream is disconnected in `deinit`.
///
/// Threads: confined to `PulseLink`'s thread, including callbacks.
final class PulseStream {
    struct Failure: Error { let reason: String }

    /// The result of `settle`.
    enum Outcome {
        /// There is nothing more to do at the moment. Call `settle` again after each wake-up, and at this time at the
        /// latest; nil for no time limit.
        case waiting(until: HostTime?)
        /// The server has just accepted the stream. Returned once.
        case opened
        case failed(String)
    }

    /// The amount of audio that the server buffers, including the sink's buffer. Large enough to bridge moments in
    /// which the CPU is busy, and small enough that a pause seems immediate.
    static let latency = Duration.milliseconds(120)
    /// The minimum amount of audio that the server requests at a time. Limits wake-ups to about forty per second.
    static let request = Duration.milliseconds(25)
    /// The amount of audio that the server must hold before it starts to play, both at first and after an underrun. A
    /// late write therefore causes one interruption rather than many.
    static let prebuffer = Duration.milliseconds(40)

    /// The largest acceptable lead or lag of the server's audio after the server has taken over from silence. If the
    /// deviation is larger, the server must join again.
    static let largestLag = Duration.milliseconds(25)
    /// The maximum number of attempts to take over from silence in sync. After the last attempt, the clock follows the
    /// server even if the deviation exceeds `largestLag`.
    static let mostJoins = 4
    /// Two consecutive reports agree if their positions, adjusted for the time between them, differ by at most this
    /// much.
    static let agreement = Duration.milliseconds(5)
    /// How long a suspended device may take to wake after the stream is uncorked. If the device stays suspended for
    /// longer, the desktop is assumed to have suspended it.
    static let wakingTime = Duration.milliseconds(500)

    let format: AudioFormat
    private(set) var hasOpened = false
    private let context: PulseContext
    private let transport: Monitor<AudioTransport>
    private let pointer: OpaquePointer
    private let timing: PulseTiming

    // The state last sent to the server, so that only differences are sent.
    private var isCorked = true
    private var volume: Double
    private var isMuted: Bool
    private var flushes = 0
    /// The position of the next write, in the server's count of frames. Nil after a flush until the server has reported
    /// its position.
    private var written: Int? = 0
    /// Whether the server was told to play its last samples. Reset by the next write.
    private var isTriggered = false
    /// Whether anything has been written since the last flush.
    private var isFed = false
    /// Whether the desktop has suspended the device. During the suspension, silence plays.
    private var isSuspended = false
    /// The latest report made while the stream was playing, and whether it agrees with the previous one. Nil after a
    /// flush, cork, uncork or move until the next such report.
    private var lastReport: (report: PulseTiming.Report, isConfirmed: Bool)?
    private var joins = 0
    private let createdAt = HostTime.now()
    private var uncorkedAt = HostTime(nanoseconds: 0)
    private var underflows = 0
    /// Whether the stream has been moved to another sink, and `followMove` has yet to handle the move.
    private var hasMoved = false

    static func make(
        in context: PulseContext, format: AudioFormat, name: String, volume: Double, isMuted: Bool,
        transport: Monitor<AudioTransport>
    ) -> Result<PulseStream, Failure> {
        var spec = pa_sample_spec(
            format: PA_SAMPLE_FLOAT32LE, rate: UInt32(format.sampleRate), channels: UInt8(format.channelCount))
        var map = pa_channel_map()
        pa_channel_map_init_extend(&map, UInt32(format.channelCount), PA_CHANNEL_MAP_WAVEEX)
        guard let pointer = pa_stream_new(context.pointer, name, &spec, &map) else {
            return .failure(Failure(reason: context.lastError))
        }
        let stream = PulseStream(
            pointer, in: context, format: format, volume: volume, isMuted: isMuted, transport: transport)
        return stream.open() ? .success(stream) : .failure(Failure(reason: context.lastError))
    }

    private init(
        _ pointer: OpaquePointer, in context: PulseContext, format: AudioFormat, volume: Double, isMuted: Bool,
        transport: Monitor<AudioTransport>
    ) {
        self.pointer = pointer
        self.context = context
        self.format = format
        self.volume = volume
        self.isMuted = isMuted
        self.transport = transport
        timing = PulseTiming(stream: pointer, format: format)
    }

    deinit {
        timing.cancel()
        pa_stream_set_underflow_callback(pointer, nil, nil)
        pa_stream_set_moved_callback(pointer, nil, nil)
        pa_stream_disconnect(pointer)
        pa_stream_unref(pointer)
    }

    private func open() -> Bool {
        pa_stream_set_underflow_callback(
            pointer,
            { _, stream in
                // The callback is removed in `deinit`, so the stream is alive whenever this is called.
                Unmanaged<PulseStream>.fromOpaque(stream!).takeUnretainedValue().underflows += 1
            }, Unmanaged.passUnretained(self).toOpaque())
        pa_stream_set_moved_callback(
            pointer,
            { _, stream in
                // This callback is removed in `deinit` as well.
                Unmanaged<PulseStream>.fromOpaque(stream!).takeUnretainedValue().hasMoved = true
            }, Unmanaged.passUnretained(self).toOpaque())
        func bytes(_ duration: Duration) -> UInt32 { UInt32(format.frames(in: duration) * format.bytesPerFrame) }
        var attributes = pa_buffer_attr(
            maxlength: .max, tlength: bytes(Self.latency), prebuf: bytes(Self.prebuffer),
            minreq: bytes(Self.request), fragsize: .max)
        // The volume is relative to the sink's. With coupled ("flat") volumes, 100 % here would otherwise raise the
        // volume of the whole desktop.
        let flags = [
            PA_STREAM_START_CORKED, PA_STREAM_ADJUST_LATENCY, PA_STREAM_RELATIVE_VOLUME,
            isMuted ? PA_STREAM_START_MUTED : PA_STREAM_START_UNMUTED,
        ].reduce(0) { $0 | $1.rawValue }
        var volumes = channelVolumes
        return pa_stream_connect_playback(pointer, nil, &attributes, pa_stream_flags_t(flags), &volumes, nil) >= 0
    }

    /// Compares the stream's state with what the transport wants, and requests the necessary changes. Call after each
    /// wake-up.
    func settle() -> Outcome {
        switch pa_stream_get_state(pointer) {
        case PA_STREAM_READY: break
        case PA_STREAM_FAILED: return .failed(context.lastError)
        case PA_STREAM_TERMINATED: return .failed("the server ended the stream")
        default:
            let deadline = createdAt + PulseContext.timeout
            return HostTime.now() < deadline ? .waiting(until: deadline) : .failed("the server does not answer")
        }
        let opens = !hasOpened
        hasOpened = true
        if opens { takeOver() }
        let now = HostTime.now()
        if timing.isUnanswered(at: now) { return .failed("the server does not answer") }
        followSuspension(now: now)
        followMove(now: now)
        let wants = transport.withLock {
            (
                flushes: $0.flushes, plays: $0.needsDevice && ($0.hasServer || isSuspended), volume: $0.volume,
                isMuted: $0.isMuted
            )
        }
        if wants.flushes != flushes { flush(wants.flushes, now: now) }
        for report in timing.takeReports() { take(report) }
        setVolume(wants.volume, isMuted: wants.isMuted)
        feed(now: now)
        if wants.plays == isCorked { cork(!wants.plays, now: now) }
        finishIfDrained()
        countUnderflows(now: now)
        if opens { return .opened }
        return .waiting(
            until: timing.settle(
                now: now, isPlaying: !isCorked, needs: written == nil, awaitsAudio: isFed && lastReport == nil))
    }

    // MARK: - Between silence and audio

    private func takeOver() {
        transport.update { transport in
            flushes = transport.flushes
            transport.takeOver(in: format, now: .now())
            joins = 0
        }
    }

    /// Handles a suspension of the device by the desktop, for example while another user's session has the device.
    ///
    /// The stream stays uncorked during the suspension. If the stream were corked, nothing would signal that the device
    /// is available again. A suspension within `wakingTime` after uncorking is ignored, because an idle device takes a
    /// moment to wake.
    private func followSuspension(now: HostTime) {
        let suspended = pa_stream_is_suspended(pointer) > 0
        if suspended, !isSuspended, !isCorked, now - uncorkedAt > Self.wakingTime {
            isSuspended = true
            transport.update { $0.loseServer(now: now) }
        } else if !suspended, isSuspended {
            isSuspended = false
            flush(flushes, now: now)
            takeOver()
        }
    }

    /// Handles a move to another sink: queries the stream's position and the new sink's format.
    private func followMove(now: HostTime) {
        guard hasMoved else { return }
        hasMoved = false
        lastReport = nil
        timing.restart(now: now)
        context.askForSink(.index(pa_stream_get_device_index(pointer)))
    }

    /// Writes silence until two reports agree on when the next write will be heard. The server then takes over with the
    /// samples that are due at that time.
    private func join(now: HostTime) {
        while let index = written, transport.withLock({ $0.isJoining && $0.flushes == flushes }) {
            var wanted: Int?
            if let (report, isConfirmed) = lastReport, isConfirmed {
                let wait = format.duration(ofFrames: Double(index) - report.heard)
                let answer = transport.update {
                    $0.join(serverIndex: index, heardAt: report.host + wait, flushes: flushes, now: now)
                }
                switch answer {
                case .joined:
                    joins += 1
                    return
                case .silence(let frames): wanted = frames
                }
            }
            guard
                write(
                    atMost: wanted ?? .max,
                    fill: { memory, frames, _ in
                        memory.update(repeating: 0, count: frames * format.channelCount)
                        return frames
                    }) > 0
            else { return }
        }
    }

    /// Makes the server join again if a report shows that its audio will be heard too late or too early. Does nothing
    /// after `mostJoins` attempts.
    private func checkJoin(_ report: PulseTiming.Report) {
        guard joins < Self.mostJoins, report.isPlaying,
            let lag = transport.withLock({ $0.lag(ofServerAt: report.heard, at: report.host, flushes: flushes) }),
            lag > Self.largestLag || lag < .zero - Self.largestLag
        else { return }
        transport.update { $0.rejoin() }
    }

    // MARK: - Feeding

    private func feed(now: HostTime) {
        join(now: now)
        write(atMost: .max) { memory, frames, index in
            // `update` wakes a decoder that waits for space.
            transport.update { $0.pull(frames, into: memory, serverIndex: index, flushes: flushes, now: now) }
        }
    }

    /// Writes at most `limit` frames, and no more than the server has space for.
    ///
    /// - Parameter fill: Fills the given memory with up to the given number of frames, and returns the number of frames
    ///   filled. The last argument is the index of the first frame, in the server's count.
    /// - Returns: The number of frames written.
    @discardableResult private func write(
        atMost limit: Int, fill: (UnsafeMutablePointer<Float>, Int, Int) -> Int
    ) -> Int {
        guard let index = written else { return 0 }
        let writable = pa_stream_writable_size(pointer)
        guard writable != .max, writable >= format.bytesPerFrame else { return 0 }
        var memory: UnsafeMutableRawPointer?
        var size = writable
        guard pa_stream_begin_write(pointer, &memory, &size) >= 0, let memory else { return 0 }
        let samples = memory.bindMemory(to: Float.self, capacity: size / MemoryLayout<Float>.size)
        let frames = fill(samples, min(limit, size / format.bytesPerFrame), index)
        guard frames > 0 else {
            pa_stream_cancel_write(pointer)
            return 0
        }
        pa_stream_write(pointer, memory, frames * format.bytesPerFrame, nil, 0, PA_SEEK_RELATIVE)
        written = index + frames
        isTriggered = false
        if !isFed {
            isFed = true
            timing.hurry(now: .now())
        }
        return frames
    }

    /// Makes the server play its last samples once the transport is drained. Without this, a server that holds less
    /// than `prebuffer` would wait forever for more samples.
    private func finishIfDrained() {
        guard !isTriggered, !isCorked, written != nil, transport.withLock({ $0.isDrained }) else { return }
        isTriggered = true
        discard(pa_stream_trigger(pointer, nil, nil))
    }

    private func countUnderflows(now: HostTime) {
        guard underflows > 0 else { return }
        let count = underflows
        underflows = 0
        guard !isCorked, written != nil else { return }
        transport.withLock { if !$0.isDrained { $0.underruns += count } }
        timing.hurry(now: now)
    }

    // MARK: - Orders

    private func flush(_ flushes: Int, now: HostTime) {
        self.flushes = flushes
        discard(pa_stream_flush(pointer, nil, nil))
        // Only the server knows how far it has read, so nothing is written until it has reported its position.
        written = nil
        isFed = false
        lastReport = nil
        timing.restart(now: now)
    }

    private func cork(_ corked: Bool, now: HostTime) {
        isCorked = corked
        if !corked { uncorkedAt = now }
        discard(pa_stream_cork(pointer, corked ? 1 : 0, nil, nil))
        lastReport = nil
        timing.restart(now: now)
    }

    private func take(_ report: PulseTiming.Report) {
        if written == nil { written = report.writeIndex }
        guard !isCorked, !isSuspended else { return }
        if report.isPlaying {
            let passed = lastReport.map {
                $0.report.heard + (report.host - $0.report.host).inSeconds * Double(format.sampleRate)
            }
            let isConfirmed = passed.map {
                (-Self.agreement.nanoseconds...Self.agreement.nanoseconds)
                    .contains(format.duration(ofFrames: report.heard - $0).nanoseconds)
            }
            lastReport = (report, isConfirmed ?? false)
        }
        checkJoin(report)
        // During an underrun, a report does not tell when later samples will be heard. At the end of the audio,
        // however, it tells when the last sample is heard.
        let isEnd = report.readIndex == written && transport.withLock { $0.isDrained }
        guard report.isPlaying || isEnd else { return }
        transport.withLock { $0.observe(report.heard, at: report.host, first: report.first, flushes: flushes) }
    }

    private func setVolume(_ volume: Double, isMuted: Bool) {
        let index = pa_stream_get_index(pointer)
        if volume != self.volume {
            self.volume = volume
            var volumes = channelVolumes
            discard(pa_context_set_sink_input_volume(context.pointer, index, &volumes, nil, nil))
        }
        if isMuted != self.isMuted {
            self.isMuted = isMuted
            discard(pa_context_set_sink_input_mute(context.pointer, index, isMuted ? 1 : 0, nil, nil))
        }
    }

    /// The volume of each channel on PulseAudio's scale, which is cubic like the player's scale.
    private var channelVolumes: pa_cvolume {
        var volumes = pa_cvolume()
        // 0x10000 is PA_VOLUME_NORM. Swift does not import that macro, because it contains a cast.
        pa_cvolume_set(&volumes, UInt32(format.channelCount), pa_volume_t((volume * 0x10000).rounded()))
        return volumes
    }

    /// Releases an operation without waiting for it to finish or checking its result.
    private func discard(_ operation: OpaquePointer?) {
        if let operation { pa_operation_unref(operation) }
    }
}
