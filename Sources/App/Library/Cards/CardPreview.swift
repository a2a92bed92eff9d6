import Time

/// The state of a video that plays in a card before the user has opened it.
struct CardPreview {
    /// Whether its audio is off.
    var isSilenced: Bool
    /// Whether it was muted before.
    var wasMuted = false
    /// Whether it has played long enough to count as played by the user.
    var isWatched = false
    /// How long it has played, not counting the time since `runsSince`.
    var watched = Duration.zero
    var runsSince: HostTime?

    /// A video that has played this long in its card counts as played by the user.
    static let watchedAfter = Duration.seconds(30)
}

extension PlaybackSession {
    /// Whether the user has opened it or watched it for a while.
    var isWatched: Bool { preview?.isWatched ?? true }

    /// Whether it has no audio because it plays in a card.
    var isSilenced: Bool { preview?.isSilenced == true && player.isMuted }

    /// Whether the user has muted it; the silence of a preview does not count.
    var isMutedByUser: Bool { isSilenced ? preview?.wasMuted ?? false : player.isMuted }

    /// Mutes or unmutes it as the user last chose.
    func setMutedByUser(_ isMuted: Bool) {
        if isSilenced { preview?.wasMuted = isMuted } else { player.isMuted = isMuted }
    }

    func begin(_ preview: CardPreview) {
        self.preview = preview
        guard preview.isSilenced else { return }
        self.preview?.wasMuted = player.isMuted
        player.isMuted = true
    }

    /// Ends the preview and restores the audio, as the user has opened it. False if it was not a preview.
    func endPreview() -> Bool {
        guard preview != nil else { return false }
        player.isMuted = isMutedByUser
        preview = nil
        return true
    }

    /// Adds up how long the preview has played. True if it has just come to count as played.
    func countPreview(now: HostTime) -> Bool {
        guard var preview, !preview.isWatched else { return false }
        if let since = preview.runsSince { preview.watched = preview.watched + max(.zero, now - since) }
        preview.runsSince = player.isRunning ? now : nil
        preview.isWatched = preview.watched >= CardPreview.watchedAfter
        self.preview = preview
        return preview.isWatched
    }
}
