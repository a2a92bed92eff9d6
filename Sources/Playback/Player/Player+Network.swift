import Time

// Waiting for the network.

extension Player {
    static let starvationTimeout = Duration.milliseconds(250)

    /// Notes that playback lacks data. It waits for a slow network, never for a file.
    func noteStarvation(_ head: FrameQueue.Head, _ now: HostTime) {
        let awaitsAudio = !hasVideo || hasAudio && info?.isStill == true
        guard isAddress, awaitsAudio || head.first == nil && !head.hasEnded, pipeline.packets.isStarved else {
            starvedSince = nil
            return
        }
        let since = starvedSince ?? now
        starvedSince = since
        if now - since >= Self.starvationTimeout {
            starvedSince = nil
            // Nothing was shown or heard meanwhile, so nothing is skipped.
            if !hasAudio { clock.set(clock.time(at: since), at: now) }
            clock.stop(at: now)
            pipeline.audio?.pause()
            phase = .buffering
        }
    }

    func advanceBuffering(_ now: HostTime) {
        if let reason = pipeline.packets.loss, pipeline.packets.isStarved {
            phase = .failed(.connectionLost(reason: reason))
        } else if pipeline.packets.loss != nil || pipeline.packets.isReadyToResume {
            startClock(now: now, from: nil)
        }
    }

    /// Fails if the connection was lost while a seek, in progress for the time since `since`, had produced nothing.
    /// Returns whether it did.
    func isLost(_ now: HostTime, since: HostTime) -> Bool {
        guard now - since >= Self.starvationTimeout, let reason = pipeline.packets.loss, pipeline.packets.isStarved
        else { return false }
        phase = .failed(.connectionLost(reason: reason))
        return true
    }

    /// Whether it has failed in a way that may be temporary.
    var isLost: Bool {
        if case .failed(.connectionLost) = phase { true } else { false }
    }

    /// Continues after a lost connection.
    func retry(now: HostTime) {
        guard let info else { return }
        if info.isSeekable { return seek(to: mediaTime(at: now), mode: .exact, now: now) }
        pipeline.packets.retry()
        phase = .buffering
    }
}
