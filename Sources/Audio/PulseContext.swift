import CPulse

/// A connection to the sound server, and the shape of its default sink.
///
/// Lives on `PulseLink`'s thread; closes in `deinit`.
final class PulseContext {
    enum State {
        case pending
        /// Connected, and this is what the sink wants.
        case ready(AudioFormat)
        case failed(String)
    }

    let pointer: OpaquePointer
    private var sinkQuery: OpaquePointer?
    private var sinkFormat: AudioFormat?
    private var failure: String?

    init(client: PulseClient, loop: OpaquePointer, mayStartServer: Bool) {
        guard let pointer = pa_context_new(pa_mainloop_get_api(loop), client.applicationName) else {
            fatalError("the sound server's client cannot be made")
        }
        self.pointer = pointer
        // Without a callback the state would still change, but this one is asked for by `settle`'s own look at it.
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
        default: return .pending
        }
        if let sinkFormat { return .ready(sinkFormat) }
        if sinkQuery == nil { askForSink() }
        return .pending
    }

    private func askForSink() {
        sinkQuery = pa_context_get_sink_info_by_name(
            pointer, "@DEFAULT_SINK@",
            { _, info, end, context in
                // The query is cancelled in `deinit`, so that the context is there as long as this may be called.
                let context = Unmanaged<PulseContext>.fromOpaque(context!).takeUnretainedValue()
                if let spec = info?.pointee.sample_spec {
                    context.sinkFormat = AudioFormat(sinkRate: Int(spec.rate), sinkChannels: Int(spec.channels))
                } else if end != 0, context.sinkFormat == nil {
                    context.failure = "the server has no output"
                }
            }, Unmanaged.passUnretained(self).toOpaque())
        if sinkQuery == nil { failure = lastError }
    }
}
