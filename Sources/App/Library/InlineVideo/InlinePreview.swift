import GlissadeTime

/// The state of a preview: a video that plays in a row of the library and that the user has not opened.
struct InlinePreview {
    /// Whether the preview plays without audio.
    var isSilenced: Bool
    /// Whether the user has muted the player, before or during a preview without audio. If so, the player stays muted
    /// when the preview ends.
    var wasMuted = false
    /// Whether the preview counts as played by the user: the user started it, or it has played for `watchedAfter`.
    var isWatched = false
    /// The playing time that has been counted so far.
    var watched = Duration.zero
    /// When `watched` was last updated; nil if playback was not running then.
    var runsSince: HostTime?

    /// The playing time after which an autoplayed preview counts as played by the user.
    static let watchedAfter = Duration.seconds(30)
}

extension PlaybackSession {
    /// Whether the video counts as played by the user. False only for an autoplayed preview that has played for less
    /// than `InlinePreview.watchedAfter`.
    var isWatched: Bool { preview?.isWatched ?? true }

    /// Whether the video is a preview that plays without audio.
    var isSilenced: Bool { preview?.isSilenced == true && player.isMuted }

    /// Whether the user has muted the video. The automatic muting of a preview does not count.
    var isMutedByUser: Bool { isSilenced ? preview?.wasMuted ?? false : player.isMuted }

    /// Sets whether the user has muted the video. A preview without audio stays silent until the user opens it.
    func setMutedByUser(_ isMuted: Bool) {
        if isSilenced { preview?.wasMuted = isMuted } else { player.isMuted = isMuted }
    }

    func begin(_ preview: InlinePreview) {
        self.preview = preview
        guard preview.isSilenced else { return }
        self.preview?.wasMuted = player.isMuted
        player.isMuted = true
    }

    /// Turns the preview into normal playback, and restores the audio. Called when the user opens the video. Returns
    /// false if there is no preview.
    func endPreview() -> Bool {
        guard preview != nil else { return false }
        player.isMuted = isMutedByUser
        preview = nil
        return true
    }

    /// Updates the playing time of the preview. Returns true once, when the preview starts to count as played by the
    /// user.
    func countPreview(now: HostTime) -> Bool {
        guard var preview, !preview.isWatched else { return false }
        if let since = preview.runsSince { preview.watched = preview.watched + max(.zero, now - since) }
        preview.runsSince = player.isRunning ? now : nil
        preview.isWatched = preview.watched >= InlinePreview.watchedAfter
        self.preview = preview
        return preview.isWatched
    }
}
