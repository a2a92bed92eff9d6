import Time

/// What the desktop is told of what plays. A value; any thread.
public struct DesktopState: Hashable, Sendable {
    /// Whether something plays.
    public enum Status: String, Sendable {
        // The words of MPRIS.
        case playing = "Playing"
        case paused = "Paused"
        case stopped = "Stopped"
    }

    /// `stopped` where nothing is open.
    public var status = Status.stopped
    /// What is open, by its path or address; one medium is told from another by it.
    public var location: String?
    /// What to call it, in one line.
    public var title: String?
    /// Its length, where known.
    public var length: Duration?
    /// Where it is, from its beginning.
    public var position = Duration.zero
    /// How fast it plays: 1 is its own speed.
    public var rate = 1.0
    /// The rates that can be asked for.
    public var rates = 0.25...4.0
    /// 1 is its own loudness.
    public var volume = 1.0
    /// Whether the playlist has a next entry.
    public var canGoNext = false
    /// Whether the playlist has a previous entry.
    public var canGoPrevious = false
    /// Whether the medium can be played from another position.
    public var canSeek = false
    /// Whether somebody looks at it: the screen is kept from going dark while it plays.
    public var isFilm = false

    public init() {}

    /// Whether the screen is not to go dark.
    public var keepsScreenOn: Bool { isFilm && status == .playing }

    /// Whether anything but the position differs.
    func differs(from other: DesktopState) -> Bool {
        var other = other
        other.position = position
        return self != other
    }

    /// Where it is so long after it was where it says.
    func position(after time: Duration) -> Duration {
        guard status == .playing, rate.isFinite else { return max(.zero, position) }
        let moved = position + .nanoseconds(Int64(clampingNanoseconds: max(.zero, time).inSeconds * rate))
        return min(max(.zero, moved), length ?? moved)
    }
}
