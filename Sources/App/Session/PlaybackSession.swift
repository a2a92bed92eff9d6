import History
import Layers
import Platform
import Playback
import Presentation
import Rendering
import Time

/// What the command line asked of the media that it named; nil where it did not say.
struct LaunchOverrides: Hashable, Sendable {
    var start: Duration?
    /// 0…1.3.
    var volume: Double?
    var isMuted: Bool?
    var speed: Double?
}

/// What plays: a list of media one after the other, the player of the present one, and its picture. It outlives the
/// pages that show it.
@MainActor final class PlaybackSession {
    static let surface = SurfaceID(rawValue: 1)

    /// How the present media stands, and what is to come of it.
    enum News {
        /// It is open, plays, or was paused.
        case changed
        /// Another media has taken its place: it has ended, or `failed` names what could not be played.
        case next(failed: String?)
        /// The last of the list has ended.
        case ended
        /// The last of the list cannot be played.
        case failed
        /// Its connection is lost, where it was; `reason` says how.
        case lost(reason: String)
    }

    private let options: PlayerOptions
    private var renderer: any Renderer
    private let log: FrameLog
    private let console: Console
    private let history: PlayHistory?
    private let wake: @Sendable () -> Void
    private(set) var video: VideoPresenter
    /// The subtitles of the present media.
    private(set) var subtitles: SubtitleChoices
    private(set) var playlist: Playlist
    private var lastState: Player.State?
    private var wasRunning = false
    private var wasSeeking = false
    /// Which way it went through the list last: past what cannot be played it goes on that way.
    private var direction = 1
    /// The speed that a person has set since the program began; what was remembered of a film is its own.
    var sessionSpeed: Double?
    private var knownTitle: String?
    /// What the command line asked for the present media; what it did not ask for is as it was left.
    private(set) var asked: LaunchOverrides
    /// What is known of the present media from before, until its tracks are chosen.
    var remembered: HistoryEntry?
    /// Whether a person has chosen the sound track.
    var isAudioChosen = false
    /// Whether it was looked for sound in a language that a person prefers.
    var hasPreferredAudio = false
    /// The speed before a long press, while it lasts.
    var speedBeforeHold: Double?
    /// How it plays in a card; nil once a person has opened it.
    var preview: CardPreview?
    /// Counts of players that are gone.
    private var earlierCounts = Player.Counts()

    init(
        _ film: MediaItem, playlist: Playlist, options: PlayerOptions, asked: LaunchOverrides = LaunchOverrides(),
        renderer: any Renderer,
        log: FrameLog, console: Console, history: PlayHistory?, wake: @escaping @Sendable () -> Void
    ) {
        self.playlist = playlist
        self.asked = asked
        self.options = options
        self.renderer = renderer
        self.log = log
        self.console = console
        self.history = history
        self.wake = wake
        subtitles = film.subtitles
        video = VideoPresenter(
            player: film.player, renderer: renderer, surface: Self.surface, log: log, after: nil)
    }

    var player: Player { video.player }
    /// Media seconds a second, but for a moment's.
    var lastingSpeed: Double { speedBeforeHold ?? player.speed }
    var location: String { player.location }

    /// The media's own title, or its file's name.
    var title: String {
        if let knownTitle { return knownTitle }
        let title = player.info?.title ?? Self.name(of: location)
        if player.info != nil { knownTitle = title }
        return title
    }

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

    /// Plays `list` instead, from its place on; nothing where it is empty.
    ///
    /// - Parameter keepsPicture: whether the last picture stays until there is another one.
    func play(_ list: Playlist, keepsPicture: Bool) {
        guard let location = list.current else { return }
        playlist = list
        open(location, keepsPicture: keepsPicture)
    }

    /// Goes on or back in the list; false where there is nothing there.
    func skip(by step: Int) -> Bool {
        direction = step < 0 ? -1 : 1
        guard playlist.move(by: step), let location = playlist.current else { return false }
        open(location, keepsPicture: true)
        return true
    }

    /// Goes on with what plays, as a part of another list.
    func continueIn(_ list: Playlist) { playlist = list }

    /// Takes note of what has happened; what follows from it for the others, or nil.
    func advance(to now: HostTime) -> News? {
        player.advance(to: now)
        let state = player.state
        let isRunning = player.isRunning
        let isSeeking = player.isSeeking
        guard state != lastState || isRunning != wasRunning || isSeeking != wasSeeking else { return nil }
        (wasRunning, wasSeeking) = (isRunning, isSeeking)
        if !isRunning { log.interrupt() }
        // A seek stops the clock, and starts it again, and may land elsewhere, in the middle of playing or of a pause.
        guard state != lastState else { return .changed }
        lastState = state
        switch state {
        case .opening: return .changed
        case .playing, .paused, .buffering, .reconnecting:
            if !player.hasVideo { video.clear() }
            return .changed
        case .ended:
            history?.record(self, now: now, isLast: true)
            direction = 1
            return skip(by: 1) ? .next(failed: nil) : .ended
        case .failed(.connectionLost(let reason)):
            // It is not over: nothing follows it, and it may go on.
            history?.record(self, now: now, isLast: true)
            console.error("\(location): connection lost: \(reason)")
            return .lost(reason: reason)
        case .failed(let error):
            console.error("\(location): \(error)")
            let failed = location
            if skip(by: direction) || skip(by: 1) { return .next(failed: failed) }
            video.clear()
            return .failed
        }
    }

    /// Goes on with another renderer: all but the picture plays on, and that comes anew.
    func change(to renderer: any Renderer, now: HostTime) {
        self.renderer = renderer
        // Nobody is left to let go of what was held.
        player.cancelScrub(now: now)
        if let speed = speedBeforeHold.take() { player.setSpeed(speed, now: now) }
        video = VideoPresenter(replacing: video, renderer: renderer)
        subtitles.subtitles.forget()
    }

    /// The player's threads end; nothing is heard of it any more.
    func retire() { player.retire() }

    private func open(_ next: String, keepsPicture: Bool) {
        earlierCounts = counts
        player.retire()
        var options = options
        options.volume = player.volume
        options.isMuted = isMutedByHand
        preview = nil
        options.speed = sessionSpeed ?? options.speed
        options.isPaused = false
        options.start = nil
        options.pictures = VideoPresenter.request(renderer.traits)
        let film = MediaItem(next, options: options, console: console, history: history, wake: wake)
        subtitles = film.subtitles
        video = VideoPresenter(
            player: film.player, renderer: renderer, surface: Self.surface, log: log,
            after: keepsPicture ? video : nil)
        lastState = nil
        wasRunning = false
        asked = LaunchOverrides()
        knownTitle = nil
        remembered = nil
        isAudioChosen = false
        hasPreferredAudio = false
        speedBeforeHold = nil
    }
}
