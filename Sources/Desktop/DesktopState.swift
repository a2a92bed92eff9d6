import GlissadeTime

/// The player's state as published to the desktop.
package struct DesktopState: Hashable, Sendable {
    /// Whether playback is running, paused or stopped.
    package enum Status: String, Sendable {
        // The raw values are those of MPRIS.
        case playing = "Playing"
        case paused = "Paused"
        case stopped = "Stopped"
    }

    /// The playback status; `stopped` if nothing is open.
    package var status = Status.stopped
    /// The path or URL of the open media; nil if nothing is open. A new value means that different media was opened.
    package var location: String?
    /// The URL of the media, in ASCII; nil if it has none, or none that may be published.
    package var url: String?
    /// The title of the media; nil if it has none.
    package var title: String?
    /// The artist of the media; nil if unknown.
    package var artist: String?
    /// The album that contains the media; nil if unknown.
    package var album: String?
    /// The `file:` URL of the cover art; nil if there is none.
    package var art: String?
    /// The duration of the media; nil if unknown.
    package var length: Duration?
    /// The playback position, measured from the beginning of the media.
    package var position = Duration.zero
    /// The playback speed; 1 is normal.
    package var rate = 1.0
    /// The playback speeds that the desktop can request.
    package var rates = 0.25...4.0
    /// The volume; 1 is the original level.
    package var volume = 1.0
    /// Whether there is, or may be, a next file to play.
    package var canGoNext = false
    /// Whether there is, or may be, a previous file to play.
    package var canGoPrevious = false
    /// Whether seeking in the media is possible.
    package var canSeek = false
    /// Whether the media has video. If true, the screen stays on during playback.
    package var hasVideo = false

    package init() {}

    /// Whether the screen must stay on.
    package var keepsScreenOn: Bool { hasVideo && status == .playing }

    /// Whether anything but the position differs from `other`.
    func differs(from other: DesktopState) -> Bool {
        var other = other
        other.position = position
        return self != other
    }

    /// Returns the expected position when `time` has passed since `position` was valid.
    func position(after time: Duration) -> Duration {
        guard status == .playing, rate.isFinite else { return max(.zero, position) }
        let moved = position + .nanoseconds(Int64(clampingNanoseconds: max(.zero, time).inSeconds * rate))
        return min(max(.zero, moved), length ?? moved)
    }
}
