import GlissadeCPulse
import GlissadePlatform
import GlissadeTime

/// A connection to the sound server. Also queries the format of a sink, initially that of the default sink. The
/// connection is closed in `deinit`.
///
/// Threads: confined to `PulseLink`'s thread, including callbacks.
final class PulseContext {
    enum State {
        case pending
        /// Connected, and the sink's format is known.
        case ready(AudioFormat)
        case failed(String)
    }

    let pointer: OpaquePointer
    private var sinkQuery: OpaquePointer?
    private var sinkFormat: AudioFormat?
    private var failure: String?
    private let connectedAt = HostTime.now()

    /// The time limit for connecting and getting the sink's format. The same limit applies to opening a stream.
    static let timeout = Duration.seconds(5)

    /// A sink to query: the default sink, or the sink with the given index on the server.
    enum Sink {
        case standard
        case index(UInt32)
    }

    /// Creates a context, and starts to connect it to the server. Nil if memory or file descriptors have run out.
    init?(client: PulseClient, loop: OpaquePointer, mayStartServer: Bool) {
        guard let pointer = pa_context_new(pa_mainloop_get_api(loop), client.applicationName) else { return nil }
        self.pointer = pointer
        // No state callback is needed, since `PulseSession.settle` checks `state` after each wake-up.
        let flags = mayStartServer ? PA_CONTEXT_NOFLAGS : PA_CONTEXT_NOAUTOSPAWN
        if pa_context_connect(pointer, client.server, flags, nil) < 0 { failure = lastError }
    }

    deinit {
        if let sinkQuery {
            pa_operation_cancel(sinkQuery)
            pa_operation_unref(sinkQuery)
        }
        pa_context_disconnect(pointer)
        pa_context_unref(pointer)
    }

    var lastError: String { String(cString: pa_strerror(pa_context_errno(pointer))) }

    var state: State {
        if let failure { return .failed(failure) }
        switch pa_context_get_state(pointer) {
        case PA_CONTEXT_READY: break
        case PA_CONTEXT_FAILED: return .failed(lastError)
        case PA_CONTEXT_TERMINATED: return .failed("the connection was ended")
        default: return pending
        }
        if let sinkFormat { return .ready(sinkFormat) }
        if sinkQuery == nil {
            askForSink(.standard)
            if sinkQuery == nil { failure = lastError }
        }
        return pending
    }

    private var pending: State {
        HostTime.now() - connectedAt < Self.timeout ? .pending : .failed("the server does not answer")
    }

    /// The time at which a pending connection counts as failed. Check `state` again at this time.
    var deadline: HostTime { connectedAt + Self.timeout }

    /// Queries the format of a sink, and cancels any earlier query. `state` contains the format once the server has
    /// answered.
    func askForSink(_ sink: Sink) {
        if let sinkQuery {
            pa_operation_cancel(sinkQuery)
            pa_operation_unref(sinkQuery)
        }
        let answer: pa_sink_info_cb_t = { _, info, end, context in
            // The query is canceled in `deinit`, so the context is alive whenever this is called.
            let context = Unmanaged<PulseContext>.fromOpaque(context!).takeUnretainedValue()
            if let spec = info?.pointee.sample_spec {
                context.sinkFormat = AudioFormat(sinkRate: Int(spec.rate), sinkChannels: Int(spec.channels))
            } else if end != 0, context.sinkFormat == nil {
                context.failure = "the server has no output"
            }
        }
        let this = Unmanaged.passUnretained(self).toOpaque()
        sinkQuery =
            switch sink {
            case .standard: pa_context_get_sink_info_by_name(pointer, "@DEFAULT_SINK@", answer, this)
            case .index(let index): pa_context_get_sink_info_by_index(pointer, index, answer, this)
            }
    }
}
