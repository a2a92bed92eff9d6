import Time

/// The player's state as published to the desktop. A value; any thread.
public struct DesktopState: Hashable, Sendable {
    /// The playback status.
    public enum Status: String, Sendable {
        // The raw values are those of MPRIS.
        case playing = "Playing"
        case paused = "Paused"
        case stopped = "Stopped"
    }

    /// `stopped` if nothing is open.
    public var status = Status.stopped
    /// The path or URL of the open medium, which identifies it.
    public var location: String?
    /// The title, in one line.
    public var title: String?
    /// The length; nil if unknown.
    public var length: Duration?
    /// The position, from the beginning.
    public var position = Duration.zero
    /// The playback speed; 1 is normal.
    public var rate = 1.0
    /// The rates that the desktop can request.
    public var rates = 0.25...4.0
    /// 1 is the medium's own level.
    public var volume = 1.0
    /// Whether the playlist has a next entry.
    public var canGoNext = false
    /// Whether the playlist has a previous entry.
    public var canGoPrevious = false
    /// Whether the medium can be played from another position.
    public var canSeek = false
    /// Whether there is video: keeps the screen on while it plays.
    public var hasVideo = false

    public init() {}

    /// Whether the screen must stay on.
    public var keepsScreenOn: Bool { hasVideo && status == .playing }

    /// Whether anything but the position differs.
    func differs(from other: DesktopState) -> Bool {
        var other = other
        other.position = position
        return self != other
    }

    /// Returns the position `time` after this state was published.
    func position(after time: Duration) -> Duration {
        guard status == .playing, rate.isFinite else { return max(.zero, position) }
        let moved = position + .nanoseconds(Int64(clampingNanoseconds: max(.zero, time).inSeconds * rate))
        return min(max(.zero, moved), length ?? moved)
    }
}
