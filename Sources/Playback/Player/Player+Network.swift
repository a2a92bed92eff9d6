import Time

// What a player does while the network gives nothing.

extension Player {
    static let starvationPatience = Duration.milliseconds(250)

    /// A media that comes over a network slower than it plays is waited for; a file never is.
    func noteStarvation(_ glance: FrameQueue.Glance, _ now: HostTime) {
        let awaitsAudio = !hasVideo || hasAudio && info?.isStill == true
        guard isAddress, awaitsAudio || glance.first == nil && !glance.hasEnded, pipeline.packets.isStarved else {
            starvedSince = nil
            return
        }
        let since = starvedSince ?? now
        starvedSince = since
        if now - since >= Self.starvationPatience {
            starvedSince = nil
            // Nothing was seen or heard in the meantime, and nothing of it is left out.
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

    /// Fails where the connection was lost before anything came of a seek, `since` some time; true then.
    func isLost(_ now: HostTime, since: HostTime) -> Bool {
        guard now - since >= Self.starvationPatience, let reason = pipeline.packets.loss, pipeline.packets.isStarved
        else { return false }
        phase = .failed(.connectionLost(reason: reason))
        return true
    }

    /// Whether it has failed in a way that may pass.
    var isLost: Bool {
        if case .failed(.connectionLost) = phase { true } else { false }
    }

    /// Goes on where the connection was lost, if there is one now.
    func retry(now: HostTime) {
        guard let info else { return }
        if info.isSeekable { return seek(to: mediaTime(at: now), mode: .exact, now: now) }
        pipeline.packets.retry()
        phase = .buffering
    }
}
