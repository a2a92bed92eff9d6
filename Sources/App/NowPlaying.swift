import Host
import Motion
import Playback
import Rendering
import Stage
import Windowing

/// What plays: a list of media one after the other, the player of the present one, and its picture. It outlives the
/// pages that show it.
@MainActor final class NowPlaying {
    static let surface = SurfaceID(rawValue: 1)

    /// How the present media stands, and what is to come of it.
    enum News {
        /// It is open, plays, or was paused.
        case changed
        /// Another media has taken its place: it has ended, or could not be played.
        case next(isAfterFailure: Bool)
        /// The last of the list has ended.
        case ended
        /// The last of the list cannot be played.
        case failed
    }

    private let options: PlayerOptions
    private let device: GLDevice
    private let log: FrameLog
    private let console: Console
    private let wake: @Sendable () -> Void
    private(set) var video: VideoView
    private var playlist: ArraySlice<String>
    private var lastState: Player.State?
    /// Counts of players that are gone.
    private var earlierCounts = Player.Counts()

    init(
        player: Player, playlist: ArraySlice<String>, options: PlayerOptions, device: GLDevice, log: FrameLog,
        console: Console, wake: @escaping @Sendable () -> Void
    ) {
        self.playlist = playlist
        self.options = options
        self.device = device
        self.log = log
        self.console = console
        self.wake = wake
        video = VideoView(player: player, device: device, surface: Self.surface, log: log, after: nil)
    }

    var player: Player { video.player }
    var location: String { player.location }

    /// The media's own title, or its file's name.
    var title: String { player.info?.title ?? Self.name(of: location) }

    /// A file's name, without its folder.
    static func name(of location: String) -> String {
        location.split(separator: "/").last.map(String.init) ?? location
    }

    /// What the window is called while `location` plays.
    static func windowTitle(of location: String) -> String { name(of: location) + " — Glissade" }

    /// Frames due and dropped, over all that was played.
    var counts: Player.Counts {
        Player.Counts(
            due: earlierCounts.due + player.counts.due, dropped: earlierCounts.dropped + player.counts.dropped)
    }

    /// Plays `locations` instead, one after the other; nothing where there are none.
    ///
    /// - Parameter keepsPicture: whether the last picture stays until there is another one.
    func play(_ locations: [String], keepsPicture: Bool) {
        playlist = locations[...]
        _ = playNext(keepsPicture: keepsPicture)
    }

    /// Takes note of what has happened; what follows from it for the others, or nil.
    func advance(to now: HostTime) -> News? {
        player.advance(to: now)
        let state = player.state
        guard state != lastState else { return nil }
        lastState = state
        if !player.isRunning { log.interrupt() }
        switch state {
        case .opening: return .changed
        case .playing, .paused, .buffering:
            if !player.hasVideo { video.clear() }
            return .changed
        case .ended: return playNext(keepsPicture: true) ? .next(isAfterFailure: false) : .ended
        case .failed(let error):
            console.error("\(location): \(error)")
            if playNext(keepsPicture: true) { return .next(isAfterFailure: true) }
            video.clear()
            return .failed
        }
    }

    /// The player's threads end; nothing is heard of it any more.
    func retire() { player.retire() }

    private func playNext(keepsPicture: Bool) -> Bool {
        guard let next = playlist.popFirst() else { return false }
        earlierCounts = counts
        player.retire()
        var options = options
        options.volume = player.volume
        options.isMuted = player.isMuted
        options.isPaused = false
        options.start = nil
        options.pictures = VideoView.request(device)
        let console = console
        let player = Player(location: next, options: options, wake: wake) { console.report($0, of: next) }
        video = VideoView(
            player: player, device: device, surface: Self.surface, log: log, after: keepsPicture ? video : nil)
        lastState = nil
        return true
    }
}
