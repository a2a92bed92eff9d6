import CPulse
import Platform
import Time

/// A connection to the sound server, and the format of the sink in use: at first, the default sink's. Confined to
/// `PulseLink`'s thread; closes in `deinit`.
final class PulseContext {
    enum State {
        case pending
        /// Connected, with the sink's format.
        case ready(AudioFormat)
        case failed(String)
    }

    let pointer: OpaquePointer
    private var sinkQuery: OpaquePointer?
    private var sinkFormat: AudioFormat?
    private var failure: String?
    private let connectedAt = HostTime.now()

    /// How long a server may stay silent after accepting a connection before it is considered hung.
    static let timeout = Duration.seconds(5)

    enum Sink {
        case standard
        case index(UInt32)
    }

    /// Creates a context and connects it to the server; nil if memory or file descriptors have run out.
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

    /// When to check `state` again even if nothing happens.
    var deadline: HostTime { connectedAt + Self.timeout }

    /// Queries the format of a sink; `state` tells when it is known.
    func askForSink(_ sink: Sink) {
        if let sinkQuery {
            pa_operation_cancel(sinkQuery)
            pa_operation_unref(sinkQuery)
        }
        let answer: pa_sink_info_cb_t = { _, info, end, context in
            // The query is cancelled in `deinit`, so the context is alive whenever this is called.
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
