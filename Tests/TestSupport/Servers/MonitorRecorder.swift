import GlissadeCPulse
import Glibc
import GlissadePlatform
import GlissadeTime

/// Records what a sound server's sink plays, and when each sample of it is heard.
///
/// Shared by any threads. Judges from outside: it knows nothing of who plays. Ends in `deinit`, or with its server.
package final class MonitorRecorder: Sendable, CustomReflectable {
    /// What a failing expectation looks at: the lock within would end the program.
    package var customMirror: Mirror { Mirror(self, children: []) }

    private struct State {
        var recording: Recording
        var isStopped = false
        var failure: String?
    }

    private let state: Monitor<State>
    private let thread: NamedThread

    /// Starts to listen; `wait` for what is to be heard.
    package init(
        server address: String, source: String = "test.monitor", sampleRate: Int = 48_000, channelCount: Int = 2
    ) {
        let state = Monitor(State(recording: Recording(sampleRate: sampleRate, channelCount: channelCount)))
        self.state = state
        thread = try! NamedThread(name: "recorder") {
            let stream = MonitorStream(address: address, source: source, rate: sampleRate, channels: channelCount) {
                change in
                state.update { change(&$0.recording) }
            }
            while !state.withLock({ $0.isStopped }) {
                if let failure = stream.listen() {
                    state.update { $0.failure = failure }
                    break
                }
            }
            stream.close()
        }
    }

    deinit {
        state.update { $0.isStopped = true }
        thread.join()
    }

    /// Sleeps until `body` answers, asking with each piece that is recorded. Nil when `bound` has passed without.
    package func wait<R>(atMost bound: Duration = .seconds(10), for body: (Recording) -> R?) -> R? {
        state.wait(until: .now() + bound) { body($0.recording) }
    }

    /// A fresh null sink has two seconds of silence before it; what is played then is heard after those.
    static let settledLatency = Duration.milliseconds(100)

    /// Sleeps until the sink plays without delay.
    package func waitUntilSettled() -> Bool {
        wait { recording in recording.starts.isEmpty ? nil : true } ?? false
    }

    package var recording: Recording { state.withLock { $0.recording } }
    /// Why nothing more is recorded, if so.
    package var failure: String? { state.withLock { $0.failure } }
}

/// The recorder's dealings with PulseAudio, on its own thread.
private final class MonitorStream {
    private let loop = pa_mainloop_new()!
    private let context: OpaquePointer
    private var stream: OpaquePointer?
    private let address: String
    private let source: String
    private var spec: pa_sample_spec
    private let change: ((inout Recording) -> Void) -> Void
    private var nextQuestion = HostTime(nanoseconds: 0)

    init(
        address: String, source: String, rate: Int, channels: Int,
        change: @escaping ((inout Recording) -> Void) -> Void
    ) {
        self.address = address
        self.source = source
        self.change = change
        spec = pa_sample_spec(format: PA_SAMPLE_FLOAT32LE, rate: UInt32(rate), channels: UInt8(channels))
        context = pa_context_new(pa_mainloop_get_api(loop), "recorder")
        pa_context_connect(context, address, PA_CONTEXT_NOAUTOSPAWN, nil)
    }

    func close() {
        if let stream {
            pa_stream_disconnect(stream)
            pa_stream_unref(stream)
        }
        pa_context_disconnect(context)
        pa_context_unref(context)
        pa_mainloop_free(loop)
    }

    /// One turn. - Returns: why it cannot go on.
    func listen() -> String? {
        guard pa_mainloop_prepare(loop, 50_000) >= 0, pa_mainloop_poll(loop) >= 0 else { return "the loop has ended" }
        pa_mainloop_dispatch(loop)
        switch pa_context_get_state(context) {
        case PA_CONTEXT_READY: break
        case PA_CONTEXT_FAILED, PA_CONTEXT_TERMINATED: return String(cString: pa_strerror(pa_context_errno(context)))
        default: return nil
        }
        guard let stream else {
            open()
            return nil
        }
        switch pa_stream_get_state(stream) {
        case PA_STREAM_READY: break
        case PA_STREAM_FAILED, PA_STREAM_TERMINATED:
            return String(cString: pa_strerror(pa_context_errno(context)))
        default: return nil
        }
        read(stream)
        if HostTime.now() >= nextQuestion {
            nextQuestion = .now() + .milliseconds(100)
            ask(stream)
        }
        return nil
    }

    private func open() {
        stream = pa_stream_new(context, "recorder", &spec, nil)
        var attributes = pa_buffer_attr(
            maxlength: .max, tlength: .max, prebuf: .max, minreq: .max,
            fragsize: UInt32(Int(spec.rate) / 100 * Int(spec.channels) * 4))
        pa_stream_connect_record(stream, source, &attributes, PA_STREAM_ADJUST_LATENCY)
    }

    private func read(_ stream: OpaquePointer) {
        while pa_stream_readable_size(stream) > 0 {
            var data: UnsafeRawPointer?
            var size = 0
            guard pa_stream_peek(stream, &data, &size) >= 0, size > 0 else { return }
            let count = size / 4
            change { recording in
                if let data {
                    recording.samples.append(
                        contentsOf: UnsafeBufferPointer(start: data.assumingMemoryBound(to: Float.self), count: count))
                } else {
                    recording.samples.append(contentsOf: repeatElement(0, count: count))
                }
            }
            pa_stream_drop(stream)
        }
    }

    private func ask(_ stream: OpaquePointer) {
        let operation = pa_stream_update_timing_info(
            stream,
            { stream, success, observer in
                guard success != 0, let info = pa_stream_get_timing_info(stream)?.pointee else { return }
                Unmanaged<MonitorStream>.fromOpaque(observer!).takeUnretainedValue().take(info)
            }, Unmanaged.passUnretained(self).toOpaque())
        if let operation { pa_operation_unref(operation) }
    }

    /// At the report's time the server had recorded `write_index` bytes, and more had been played whose way to there was
    /// not over yet (`source_usec`); a monitor hears samples when they are mixed, `sink_usec` before they sound.
    private func take(_ info: pa_timing_info) {
        var wall = timeval()
        gettimeofday(&wall, nil)
        let age = (wall.tv_sec - info.timestamp.tv_sec) * 1_000_000 + Int(wall.tv_usec) - Int(info.timestamp.tv_usec)
        let heard =
            Double(info.write_index) / Double(Int(spec.rate) * Int(spec.channels) * 4)
            + (Double(info.source_usec) - Double(info.sink_usec)) / 1e6
        let start = HostTime.now() - .microseconds(age) - .nanoseconds(Int64(heard * 1e9))
        let latency = Duration.microseconds(Int64(info.sink_usec))
        change { recording in
            recording.sinkLatency = latency
            if latency < MonitorRecorder.settledLatency { recording.starts.append(start.nanoseconds) }
        }
    }
}
