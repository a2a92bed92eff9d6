import CPulse
import Host
import Motion
import Synchronization

/// A connection to a sound server with one playback stream.
///
/// The output's thread owns it; PulseAudio's callbacks come on the thread of its main loop, under that loop's lock. The
/// loop's lock is taken before the core's, never after it.
final class PulseConnection: @unchecked Sendable {
    // @unchecked: everything mutable but `failure` and `isHungry` is touched under the main loop's lock alone.

    enum News {
        case none
        case failed(reason: String)
    }

    /// How much sound the server holds ready: enough to ride out a busy machine, little enough to pause at once.
    private static let targetLatency: UInt64 = 120_000
    private static let requestLatency: UInt64 = 20_000

    private let core: Monitor<OutputCore>
    private let streamName: String
    private let loop: OpaquePointer
    private let context: OpaquePointer
    private var stream: OpaquePointer?
    private var hasOwnChannelMap = false
    private let failure = Mutex<String?>(nil)
    private let hungry = Atomic<Bool>(false)

    /// Begins to connect; nil where the library itself fails.
    ///
    /// - Parameter mayStartServer: whether the user's configuration may have a server started for us.
    init?(
        core: Monitor<OutputCore>, server: String?, applicationName: String, streamName: String, mayStartServer: Bool
    ) {
        guard let loop = pa_threaded_mainloop_new() else { return nil }
        guard let context = pa_context_new(pa_threaded_mainloop_get_api(loop), applicationName) else {
            pa_threaded_mainloop_free(loop)
            return nil
        }
        self.core = core
        self.streamName = streamName
        self.loop = loop
        self.context = context
        pa_context_set_state_callback(
            context, { _, opaque in PulseConnection.from(opaque)?.contextChanged() }, asOpaque)
        let flags = mayStartServer ? PA_CONTEXT_NOFLAGS : PA_CONTEXT_NOAUTOSPAWN
        if pa_context_connect(context, server, flags, nil) < 0 || pa_threaded_mainloop_start(loop) < 0 { fail() }
    }

    deinit {
        pa_context_unref(context)
        pa_threaded_mainloop_free(loop)
    }

    /// Leaves the server. Must be called once, not from a callback.
    func close() {
        pa_threaded_mainloop_lock(loop)
        if let stream {
            pa_stream_set_write_callback(stream, nil, nil)
            pa_stream_set_state_callback(stream, nil, nil)
            pa_stream_disconnect(stream)
            pa_stream_unref(stream)
        }
        stream = nil
        pa_context_set_state_callback(context, nil, nil)
        pa_context_disconnect(context)
        pa_threaded_mainloop_unlock(loop)
        pa_threaded_mainloop_stop(loop)
    }

    /// What the driver must know. Any thread; takes no lock of the main loop's.
    func takeNews() -> News { failure.withLock { $0.map { .failed(reason: $0) } ?? .none } }

    /// The server has asked for more than there was. Any thread.
    var isHungry: Bool { hungry.load(ordering: .relaxed) }

    // MARK: - The driver's side

    func setCorked(_ isCorked: Bool) {
        locked { stream in
            guard pa_stream_is_corked(stream) != (isCorked ? 1 : 0) else { return }
            release(pa_stream_cork(stream, isCorked ? 1 : 0, nil, nil))
            if !isCorked { askForTiming(stream) }
        }
    }

    /// Drops what the server has not played yet.
    func flush() {
        locked { stream in
            release(pa_stream_cork(stream, 1, nil, nil))
            release(pa_stream_flush(stream, nil, nil))
        }
    }

    /// Writes as much as the server has room for.
    func feed() { locked { write(to: $0, Int(clamping: pa_stream_writable_size($0))) } }

    func setVolume(_ volume: Double, isMuted: Bool) {
        locked { stream in
            let index = pa_stream_get_index(stream)
            var levels = self.levels(volume, stream)
            release(pa_context_set_sink_input_volume(context, index, &levels, nil, nil))
            release(pa_context_set_sink_input_mute(context, index, isMuted ? 1 : 0, nil, nil))
        }
    }

    private func levels(_ volume: Double, _ stream: OpaquePointer) -> pa_cvolume {
        var levels = pa_cvolume()
        let channels = pa_stream_get_sample_spec(stream).pointee.channels
        // PulseAudio's scale is cubic already: equal steps sound equal.
        pa_cvolume_set(&levels, UInt32(channels), pa_volume_t((volume * Double(PA_VOLUME_NORM)).rounded()))
        return levels
    }

    private func locked(_ body: (OpaquePointer) -> Void) {
        pa_threaded_mainloop_lock(loop)
        defer { pa_threaded_mainloop_unlock(loop) }
        if let stream, pa_stream_get_state(stream) == PA_STREAM_READY { body(stream) }
    }

    // MARK: - The main loop's side

    private func contextChanged() {
        switch pa_context_get_state(context) {
        case PA_CONTEXT_READY: connectStream(channels: nil)
        case PA_CONTEXT_FAILED, PA_CONTEXT_TERMINATED: fail()
        default: break
        }
    }

    /// Makes the stream in the device's own rate and channels, or with `channels` in WAVE's order: a device of more than
    /// two may have them in an order of its own.
    private func connectStream(channels: UInt8?) {
        var format = pa_sample_spec(format: PA_SAMPLE_FLOAT32LE, rate: 48000, channels: channels ?? 2)
        var map = pa_channel_map()
        pa_channel_map_init_extend(&map, UInt32(format.channels), PA_CHANNEL_MAP_WAVEEX)
        guard let stream = pa_stream_new(context, streamName, &format, &map) else { return fail() }
        self.stream = stream
        hasOwnChannelMap = channels != nil
        pa_stream_set_state_callback(
            stream, { _, opaque in PulseConnection.from(opaque)?.streamChanged() }, asOpaque)
        pa_stream_set_write_callback(
            stream,
            { stream, room, opaque in
                guard let stream else { return }
                PulseConnection.from(opaque)?.write(to: stream, room)
            }, asOpaque)
        let unset = UInt32.max
        func bytes(_ latency: UInt64) -> UInt32 { UInt32(clamping: pa_usec_to_bytes(latency, &format)) }
        var buffer = pa_buffer_attr(
            maxlength: unset, tlength: bytes(Self.targetLatency), prebuf: bytes(Self.requestLatency),
            minreq: bytes(Self.requestLatency), fragsize: unset)
        var flags =
            PA_STREAM_START_CORKED.rawValue | PA_STREAM_ADJUST_LATENCY.rawValue | PA_STREAM_FIX_RATE.rawValue
        if channels == nil { flags |= PA_STREAM_FIX_CHANNELS.rawValue }
        if pa_stream_connect_playback(stream, nil, &buffer, pa_stream_flags_t(flags), nil, nil) < 0 { fail() }
    }

    private func streamChanged() {
        guard let stream else { return }
        switch pa_stream_get_state(stream) {
        case PA_STREAM_READY:
            let format = pa_stream_get_sample_spec(stream).pointee
            if format.channels > 2, !hasOwnChannelMap {
                pa_stream_set_state_callback(stream, nil, nil)
                pa_stream_set_write_callback(stream, nil, nil)
                pa_stream_disconnect(stream)
                pa_stream_unref(stream)
                self.stream = nil
                return connectStream(channels: format.channels)
            }
            core.update {
                $0.gainServer(
                    format: AudioFormat(sampleRate: Int(format.rate), channelCount: Int(format.channels)), now: .now())
            }
        case PA_STREAM_FAILED, PA_STREAM_TERMINATED: fail()
        default: break
        }
    }

    private func write(to stream: OpaquePointer, _ room: Int) {
        guard pa_stream_get_state(stream) == PA_STREAM_READY else { return }
        let frameBytes = pa_frame_size(pa_stream_get_sample_spec(stream))
        var frames = room / frameBytes
        guard frames > 0, room != .max else { return }
        while frames > 0 {
            let count = core.withLock { core in
                guard core.isPlaying else { return 0 }
                return core.read(frames) { samples in
                    pa_stream_write(
                        stream, samples.baseAddress, samples.count * MemoryLayout<Float>.size, nil, 0,
                        PA_SEEK_RELATIVE)
                }
            }
            if count == 0 { break }
            frames -= count
        }
        hungry.store(frames > 0, ordering: .relaxed)
        core.update { _ in }  // The decoder may have waited for this room.
        if pa_stream_is_corked(stream) == 0 { askForTiming(stream) }
    }

    /// Asks the server where it is; the answer comes within a millisecond or so.
    private func askForTiming(_ stream: OpaquePointer) {
        release(
            pa_stream_update_timing_info(
                stream,
                { stream, success, opaque in
                    guard let stream, success != 0 else { return }
                    PulseConnection.from(opaque)?.timingCame(stream)
                }, asOpaque))
    }

    private func timingCame(_ stream: OpaquePointer) {
        guard pa_stream_is_corked(stream) == 0, let timing = pa_stream_get_timing_info(stream)?.pointee,
            timing.playing != 0, timing.write_index_corrupt == 0, timing.read_index_corrupt == 0
        else { return }
        let format = pa_stream_get_sample_spec(stream)
        let queued = Double(timing.write_index - timing.read_index) / Double(pa_bytes_per_second(format))
        // As the library reckons itself: what the server has not read, and what the device has not played, less what it
        // went on to play while its answer was under way.
        let unheard = queued + (Double(timing.sink_usec) - Double(timing.transport_usec)) / 1e6
        core.update { $0.observe(unheard: unheard, at: .now()) }
    }

    private func fail() {
        let reason = String(cString: pa_strerror(pa_context_errno(context)))
        failure.withLock { $0 = $0 ?? reason }
        core.update { _ in }
    }

    private func release(_ operation: OpaquePointer?) {
        if let operation { pa_operation_unref(operation) }
    }

    private var asOpaque: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    private static func from(_ opaque: UnsafeMutableRawPointer?) -> PulseConnection? {
        opaque.map { Unmanaged<PulseConnection>.fromOpaque($0).takeUnretainedValue() }
    }
}
