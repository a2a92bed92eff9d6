import Host
import Motion

/// The output's own thread: carries the player's wishes to the server, paces silence, and looks for a server that is
/// not there.
struct OutputDriver {
    let core: Monitor<OutputCore>
    let server: String?
    let applicationName: String
    let streamName: String
    let onEvent: @Sendable (String) -> Void

    /// What the driver has carried out.
    private struct Applied: Equatable {
        var isPlaying = false
        var flushCount = 0
        var volume = 1.0
        var isMuted = false
    }

    private enum Task {
        case stop
        case apply(Applied)
        case feed
        case tick
        case lost(reason: String)
        case retry
    }

    /// Runs until the output is stopped.
    func run(usesServer: Bool) {
        var connection: PulseConnection?
        var retryAt: HostTime? = usesServer ? HostTime.now() : nil
        var mayStartServer = true
        var wasLost = false
        var applied = Applied()
        while true {
            let task = next(applied, connection, retryAt)
            switch task {
            case .stop:
                connection?.close()
                return
            case .retry:
                connection?.close()
                connection = PulseConnection(
                    core: core, server: server, applicationName: applicationName, streamName: streamName,
                    mayStartServer: mayStartServer)
                mayStartServer = false
                retryAt = connection == nil ? .now() + AudioOutput.retryInterval : nil
                applied = Applied(flushCount: -1, volume: -1)
            case .lost(let reason):
                connection?.close()
                connection = nil
                core.update { $0.loseServer(now: .now()) }
                if !wasLost { onEvent("no sound server (\(reason)); silent until there is one") }
                wasLost = true
                retryAt = .now() + AudioOutput.retryInterval
            case .apply(let wanted):
                if wanted.flushCount != applied.flushCount, applied.flushCount >= 0 { connection?.flush() }
                if wanted.volume != applied.volume || wanted.isMuted != applied.isMuted {
                    connection?.setVolume(wanted.volume, isMuted: wanted.isMuted)
                }
                if wanted.isPlaying { connection?.feed() }
                connection?.setCorked(!wanted.isPlaying)
                if wasLost, connection != nil { onEvent("the sound server is back") }
                wasLost = false
                applied = wanted
            case .feed: connection?.feed()
            case .tick: core.update { $0.consumeSilently(now: .now()) }
            }
        }
    }

    /// Sleeps until there is something to do.
    private func next(_ applied: Applied, _ connection: PulseConnection?, _ retryAt: HostTime?) -> Task {
        let isSilent = core.withLock { core in
            if case .silence = core.leader { return core.isPlaying }
            return false
        }
        let tick = isSilent ? HostTime.now() + .milliseconds(25) : nil
        let deadline = [tick, retryAt].compactMap { $0 }.min()
        if let retryAt, retryAt <= .now() { return .retry }
        let task: Task? = core.wait(until: deadline) { core in
            if core.isStopped { return .stop }
            guard let connection else { return nil }
            switch connection.takeNews() {
            case .failed(let reason): return .lost(reason: reason)
            case .none: break
            }
            guard core.hasServer else { return nil }
            let wanted = Applied(
                isPlaying: core.isPlaying, flushCount: core.flushCount, volume: core.volume, isMuted: core.isMuted)
            if wanted != applied { return .apply(wanted) }
            if connection.isHungry, core.isPlaying, !core.queue.isEmpty { return .feed }
            return nil
        }
        if let task { return task }
        if let retryAt, retryAt <= .now() { return .retry }
        return .tick
    }
}
