import Time

/// How a video plays in a card that the user has not opened.
struct CardPreview {
    /// Whether its audio is off.
    var isSilenced: Bool
    /// Whether it was muted before.
    var wasMuted = false
    /// Whether it has played long enough to count as played by the user.
    var isWatched = false
    /// How long it has played, and since when it is playing.
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

    /// Whether the user has muted it; a card's silence does not count.
    var isMutedByUser: Bool { isSilenced ? preview?.wasMuted ?? false : player.isMuted }

    /// Mutes it as it was when the user last played it.
    func setMutedByUser(_ isMuted: Bool) {
        if isSilenced { preview?.wasMuted = isMuted } else { player.isMuted = isMuted }
    }

    func begin(_ preview: CardPreview) {
        self.preview = preview
        guard preview.isSilenced else { return }
        self.preview?.wasMuted = player.isMuted
        player.isMuted = true
    }

    /// Restores the audio: the user has opened it. False if it was open before.
    func endPreview() -> Bool {
        guard preview != nil else { return false }
        player.isMuted = isMutedByUser
        preview = nil
        return true
    }

    /// Adds up how long it has played in its card. True if it counts as played from now on.
    func countPreview(now: HostTime) -> Bool {
        guard var preview, !preview.isWatched else { return false }
        if let since = preview.runsSince { preview.watched = preview.watched + max(.zero, now - since) }
        preview.runsSince = player.isRunning ? now : nil
        preview.isWatched = preview.watched >= CardPreview.watchedAfter
        self.preview = preview
        return preview.isWatched
    }
}
