import GlissadeCPulse
import GlissadePlatform
import Synchronization
import GlissadeTime

/// Connects one audio output to the sound server, plays its audio, and reconnects after the connection is lost.
///
/// After each wake-up, `settle` compares the current state with what the `AudioTransport` requires, and requests the
/// necessary changes.
///
/// Threads: confined to `PulseLink`'s thread. Other threads communicate with it through the `AudioTransport` and
/// `PulseLink.wake`.
final class PulseSession {
    private enum Stage {
        /// Not connected. The next attempt is due at `retryAt`.
        case idle(retryAt: HostTime)
        /// Connecting, waiting for the sink's format, or about to replace the stream.
        case connecting(PulseContext)
        case streaming(PulseContext, PulseStream)
    }

    static let retryInterval = Duration.seconds(1)

    private let client: PulseClient
    private let loop: OpaquePointer
    private let bell: PulseLink.Bell
    private let transport: Monitor<AudioTransport>
    private let report: (AudioEvent) -> Void
    private var stage: Stage
    /// Whether a missing or lost server has been reported since the last connection. Retries do not report it again.
    private var saidUnavailable = false
    private var isFirst = true

    init(
        client: PulseClient, loop: OpaquePointer, bell: PulseLink.Bell, transport: Monitor<AudioTransport>,
        report: @escaping (AudioEvent) -> Void
    ) {
        self.client = client
        self.loop = loop
        self.bell = bell
        self.transport = transport
        self.report = report
        stage = .idle(retryAt: .now())
    }

    func run() {
        while !transport.withLock({ $0.isStopped }) {
            bell.isRung.store(false, ordering: .sequentiallyConsistent)
            let deadline = settle()
            var timeout: Int32 = -1
            if let deadline {
                // The timeout is in microseconds.
                timeout = Int32(clamping: max(0, (deadline - .now()).nanoseconds / 1000))
            }
            guard pa_mainloop_prepare(loop, timeout) >= 0 else { break }
            if bell.isRung.load(ordering: .sequentiallyConsistent) { pa_mainloop_wakeup(loop) }
            guard pa_mainloop_poll(loop) >= 0 else { break }
            pa_mainloop_dispatch(loop)
        }
        // Closes the stream and then the connection, while the loop still exists.
        stage = .idle(retryAt: .now())
        transport.update { $0.loseServer(now: .now()) }
    }

    /// Responds to changes in the server's state and in the transport. Returns when to call again at the latest; nil
    /// for no time limit.
    private func settle() -> HostTime? {
        switch stage {
        case .idle(let retryAt): return connect(at: retryAt)
        case .connecting(let context): return follow(context)
        case .streaming(let context, let stream): return play(context, stream)
        }
    }

    private func connect(at retryAt: HostTime) -> HostTime? {
        // While nothing plays, do not wake up to look for a server. A start or resume wakes this thread.
        guard isFirst || transport.withLock({ $0.isPlaying }) else { return nil }
        guard HostTime.now() >= retryAt else { return retryAt }
        // The first attempt may start the user's server, depending on the client configuration. A server that was
        // stopped on purpose must not be restarted every second.
        guard let context = PulseContext(client: client, loop: loop, mayStartServer: isFirst) else {
            fail(PulseLink.noConnection)
            return settle()
        }
        isFirst = false
        stage = .connecting(context)
        return follow(context)
    }

    private func follow(_ context: PulseContext) -> HostTime? {
        switch context.state {
        case .pending: break
        case .failed(let reason): fail(reason)
        case .ready(let format):
            let (volume, isMuted) = transport.withLock { ($0.volume, $0.isMuted) }
            switch PulseStream.make(
                in: context, format: format, name: client.streamName, volume: volume, isMuted: isMuted,
                transport: transport)
            {
            case .success(let stream):
                stage = .streaming(context, stream)
                return play(context, stream)
            case .failure(let failure): fail(failure.reason)
            }
        }
        if case .idle = stage { return settle() }
        return context.deadline
    }

    private func play(_ context: PulseContext, _ stream: PulseStream) -> HostTime? {
        if case .failed(let reason) = context.state {
            fail(reason)
            return settle()
        }
        if case .ready(let format) = context.state, format != stream.format, stream.hasOpened {
            // The current sink has a new format: silence plays until there is a new stream.
            transport.update { $0.loseServer(now: .now()) }
            stage = .connecting(context)
            return follow(context)
        }
        switch stream.settle() {
        case .waiting(let until): return until
        case .opened:
            saidUnavailable = false
            report(.connected(stream.format))
            return play(context, stream)
        case .failed(let reason):
            fail(reason)
            return settle()
        }
    }

    /// Drops the connection and continues with silence. The next attempt is due after `retryInterval`.
    private func fail(_ reason: String) {
        let now = HostTime.now()
        var wasPlaying = false
        if case .streaming(_, let stream) = stage { wasPlaying = stream.hasOpened }
        stage = .idle(retryAt: now + Self.retryInterval)
        transport.update { $0.loseServer(now: now) }
        if wasPlaying {
            report(.lost(reason: reason))
        } else if !saidUnavailable {
            report(.unavailable(reason: reason))
        }
        saidUnavailable = true
    }
}
