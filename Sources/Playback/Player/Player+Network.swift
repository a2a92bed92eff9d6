public import GlissadeTime

// Waiting for the network.

extension Player {
    /// How long playback goes without data before it starts buffering or fails.
    static let starvationTimeout = Duration.milliseconds(250)

    /// Starts buffering if playback from a network or a playlist has been without data for `starvationTimeout`. Does
    /// nothing for any other file.
    func noteStarvation(_ head: FrameQueue.Head, _ now: HostTime) {
        let awaitsAudio = !hasVideo || hasAudio && info?.isStill == true
        guard isStream, awaitsAudio || head.first == nil && !head.hasEnded, pipeline.packets.isStarved else {
            starvedSince = nil
            return
        }
        let since = starvedSince ?? now
        starvedSince = since
        if now - since >= Self.starvationTimeout {
            starvedSince = nil
            // Nothing was shown or heard since then. Set the clock back, so that nothing is skipped.
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

    /// Returns whether playback has reached a missing part of a playlist since the last call. The picture stands still
    /// there.
    public func takeMissingPart(at now: HostTime) -> Bool {
        isStream && phase == .running && pipeline.packets.takeMissingParts(until: clock.time(at: now))
    }

    /// Fails playback if the connection is lost and nothing is buffered. Returns whether playback failed.
    ///
    /// - Parameter since: When playback began to wait for data. Playback does not fail within `starvationTimeout` of
    ///   this time.
    func isLost(_ now: HostTime, since: HostTime) -> Bool {
        guard now - since >= Self.starvationTimeout, let reason = pipeline.packets.loss, pipeline.packets.isStarved
        else { return false }
        phase = .failed(.connectionLost(reason: reason))
        return true
    }

    /// Whether playback has failed because the connection was lost.
    var isLost: Bool {
        if case .failed(.connectionLost) = phase { true } else { false }
    }

    /// Reconnects after a lost connection. If the media can seek, playback resumes at the current position; otherwise,
    /// it resumes wherever the stream continues.
    func retry(now: HostTime) {
        guard let info else { return }
        if info.isSeekable { return seek(to: mediaTime(at: now), mode: .exact, now: now) }
        pipeline.packets.retry()
        phase = .buffering
    }
}
