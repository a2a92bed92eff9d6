import GlissadePlayback
import GlissadeTime

/// The state of the playback session, as shown by the controls.
struct PlayerStatus: Hashable {
    enum Activity: Hashable {
        case opening, playing, paused, buffering, reconnecting, ended, failed
    }

    var activity = Activity.opening
    /// Whether playback is waiting for the file to open, for more data, or for a lost connection to be restored.
    var isWaiting: Bool { [.opening, .buffering, .reconnecting].contains(activity) }
    /// Whether playback has reached the end of the file. False for a still image, which has no end.
    var isAtEnd = false
    /// The playback position, counted from the start of the file.
    var position = Duration.zero
    /// The file's length; nil if unknown.
    var length: Duration?
    var isSeekable = false
    /// The part of the file that has been read ahead, starting at the current position; nil if unknown.
    var buffered: ClosedRange<Duration>?
    /// Whether the playback position is advancing.
    var isRunning = false
    var speed = 1.0
    /// The volume, 0…1.3; 1 is the original level.
    var volume = 1.0
    var isMuted = false
    var hasAudio = false
    var hasNext = false
    var hasPrevious = false
    /// Whether there are variants of the stream, audio tracks or subtitles to choose from.
    var hasTracks = false
    /// Whether the file has moving comments.
    var hasComments = false
    /// Whether moving comments are shown.
    var showsComments = false
    var isFullscreen = false
    /// Whether picture-in-picture is available for the current file.
    var canFloat = false

    /// Returns a position as a fraction of the length, clamped to 0…1. Returns 0 if the length is unknown.
    func fraction(_ position: Duration) -> Double {
        guard let length, length > .zero else { return 0 }
        return min(max(0, Double(position.nanoseconds) / Double(length.nanoseconds)), 1)
    }

    /// Returns the position at a fraction of the length. Clamps the fraction to 0…1. Returns 0 if the length is
    /// unknown.
    func position(at fraction: Double) -> Duration {
        guard let length, fraction > 0 else { return .zero }
        return .nanoseconds(Int64(clamping: Double(length.nanoseconds) * min(fraction, 1)))
    }
}

extension PlayerStatus {
    /// Returns whether pressing the play button pauses `player`. If so, the button shows the pause icon.
    @MainActor static func pauses(_ player: Player) -> Bool {
        switch player.state {
        case .opening, .playing, .buffering, .reconnecting: true
        case .paused, .ended, .failed: false
        }
    }

    @MainActor init(_ playing: PlaybackSession, isFullscreen: Bool, canFloat: Bool = false, now: HostTime) {
        let player = playing.player
        activity =
            switch player.state {
            case .opening: .opening
            case .playing: .playing
            case .paused: .paused
            case .buffering: .buffering
            case .reconnecting: .reconnecting
            case .ended: .ended
            case .failed: .failed
            }
        isAtEnd = player.state == .ended && player.info?.isStill != true
        position = player.position(at: now)
        length = player.info?.duration
        isSeekable = player.info?.isSeekable ?? false
        isRunning = player.isRunning
        buffered = player.bufferedRange(at: now)
        speed = player.speed
        volume = player.volume
        isMuted = player.isMuted
        hasAudio = player.hasAudio
        hasNext = playing.mayHaveNext
        hasPrevious = playing.mayHavePrevious
        hasTracks =
            !player.audioTracks.isEmpty || !player.variants.isEmpty || !playing.subtitles.choices.isEmpty
        self.isFullscreen = isFullscreen
        self.canFloat = canFloat && player.hasVideo
    }
}
