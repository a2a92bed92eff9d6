import GlissadeFilm
import GlissadeHistory
import GlissadeLayers
import GlissadeMedia
import GlissadePlatform
import GlissadePlayback
import GlissadePresentation
import GlissadeRendering
import GlissadeTime

/// The start position, volume, mute state and speed from the command line. A value that the command line does not set
/// is nil.
struct LaunchOverrides: Hashable, Sendable {
    var start: Duration?
    /// The volume, 0…1.3.
    var volume: Double?
    var isMuted: Bool?
    var speed: Double?
}

/// A playback session: a playlist, and its current entry's player, film on screen and subtitles. Main thread.
///
/// A session outlives the pages that show it.
@MainActor final class PlaybackSession {
    static let surface = SurfaceID(rawValue: 1)

    /// An event of the playlist's current entry, returned by `advance`.
    enum Event {
        /// The player's state has changed, or a seek has started or ended.
        case changed
        /// Another entry is now playing, because the previous one ended or failed. `failed` is the previous entry's
        /// location if that entry failed, else nil.
        case next(failed: String?)
        /// The last entry of the playlist has ended.
        case ended
        /// The entry cannot be played, and there is no other entry to skip to.
        case failed
        /// The connection to the media's server was lost, for the given reason.
        case lost(reason: String)
    }

    private let options: PlayerOptions
    private var services: PlaybackServices
    private(set) var film: FilmScreen
    /// Whether there is nothing to see but a cover.
    var isSong: Bool {
        guard let info = player.info, info.audioTrack != nil else { return false }
        return !player.hasVideo || info.isStill
    }

    /// The time whose lines are shown, on the media timeline: that of the visible frame, or of what is heard of a song.
    /// Nil before there is either.
    func subtitleTime(at now: HostTime) -> MediaTime? {
        guard isSong, let info = player.info else { return film.shownTime }
        return info.startTime + player.position(at: now)
    }

    /// The subtitles of the current entry.
    private(set) var subtitles: SubtitleChoices
    /// The moving comments of the current entry.
    private(set) var comments: FilmComments
    /// The cover art of the current entry.
    private(set) var cover: CoverArt
    /// The problems of the current entry.
    private(set) var problems: FilmProblems
    private(set) var playlist: Playlist
    private var lastState: Player.State?
    private var wasRunning = false
    private var wasSeeking = false
    /// How the current entry came to play.
    private enum Origin {
        /// The user chose it among others. If it cannot be played, nothing else plays in its place.
        case chosen
        /// It is the first one, or the one after or before another, by the direction of the last skip: 1 or -1. Entries that
        /// cannot be played are skipped in the same direction.
        case followed(Int)
    }

    private var origin = Origin.followed(1)
    /// The speed that the user has set; nil if the user has set none. This speed also applies to later entries.
    ///
    /// A speed restored from the history applies only to that file.
    var sessionSpeed: Double?
    /// The cached title of the current entry; nil until `title` is first read after the file has been opened.
    private var knownTitle: String?
    /// The values from the command line for the current entry. For all entries but the first, they are nil.
    private(set) var asked: LaunchOverrides
    /// The history entry whose track selection has yet to be restored; nil if there is none.
    var remembered: HistoryEntry?
    /// Whether the user or the history has chosen the audio track.
    var isAudioChosen = false
    /// Whether the preferred audio languages have been applied.
    var hasPreferredAudio = false
    /// The speed before the current long press; nil while there is no long press.
    var speedBeforeHold: Double?
    /// The state of a preview in a library row; nil if the user has opened the file.
    var preview: InlinePreview?
    /// The numbers of due and dropped frames in earlier entries.
    private var earlierCounts = Player.Counts()

    init(
        _ item: MediaItem, playlist: Playlist, options: PlayerOptions, asked: LaunchOverrides = LaunchOverrides(),
        services: PlaybackServices
    ) {
        self.playlist = playlist
        self.asked = asked
        self.options = options
        self.services = services
        subtitles = item.subtitles
        comments = item.comments
        cover = item.cover
        problems = item.problems
        film = FilmScreen(
            player: item.player, renderer: services.renderer, surface: Self.surface, log: services.log, after: nil)
    }

    var player: Player { film.player }
    /// The speed without the effect of a long press.
    var lastingSpeed: Double { speedBeforeHold ?? player.speed }
    var location: String { player.location }

    /// The title from the file's metadata or, if there is none, the file's name.
    var title: String {
        if let knownTitle { return knownTitle }
        let title = player.info?.title ?? Self.name(of: location)
        if player.info != nil { knownTitle = title }
        return title
    }

    /// The URL of the current entry for the desktop. It is found once for each entry, since that may read the file
    /// system.
    var publishedURL: String? {
        if let published, published.location == location { return published.url }
        let url = DesktopController.publishedURL(of: location)
        published = (location, url)
        return url
    }
    private var published: (location: String, url: String?)?

    /// Whether there is a next entry, or may be one.
    var mayHaveNext: Bool { playlist.hasNext || continuesInFolder }
    /// Whether there is a previous entry, or may be one.
    var mayHavePrevious: Bool { playlist.hasPrevious || continuesInFolder }
    /// Whether the folder of the current entry becomes the playlist when the user skips: the entry is a file that was
    /// opened alone. Its neighbors are not known before.
    private var continuesInFolder: Bool { playlist.locations.count == 1 && !isAddress(location) }

    /// The last component of a path or URL.
    static func name(of location: String) -> String {
        if location == StandardInput.location { return "Standard input" }
        // A name that is not valid text.
        if location.hasPrefix(FileAddress.prefix) { return BytePath(location: location).displayName }
        return location.split(separator: "/").last.map(String.init) ?? location
    }

    /// The title of the window while `location` is playing.
    static func windowTitle(of location: String) -> String { name(of: location) + " — Glissade" }

    /// The numbers of due and dropped frames in all entries.
    var counts: Player.Counts {
        Player.Counts(
            due: earlierCounts.due + player.counts.due, dropped: earlierCounts.dropped + player.counts.dropped)
    }

    /// Plays another playlist from its current entry. An empty playlist is ignored.
    ///
    /// - Parameters:
    ///   - keepsPicture: Whether the previous entry's last frame stays visible until the first new one.
    ///   - isChosen: Whether the user chose the current entry among the others.
    func play(_ list: Playlist, keepsPicture: Bool, isChosen: Bool = false) {
        guard let location = list.current else { return }
        playlist = list
        setChosen(isChosen)
        open(location, keepsPicture: keepsPicture)
    }

    /// Moves by `step` entries in the playlist, and plays the entry there. Returns false if there is no such entry.
    func skip(by step: Int) -> Bool {
        origin = .followed(step < 0 ? -1 : 1)
        guard playlist.move(by: step), let location = playlist.current else { return false }
        open(location, keepsPicture: true)
        return true
    }

    /// Sets whether the user chose the current entry among the others.
    func setChosen(_ isChosen: Bool) { origin = isChosen ? .chosen : .followed(1) }

    /// Replaces the playlist without interrupting the current entry.
    func continueIn(_ list: Playlist) { playlist = list }

    /// Advances the player. If the entry has ended or cannot be played, plays another entry if there is one. Returns
    /// the event; nil if nothing has changed.
    func advance(to now: HostTime) -> Event? {
        player.advance(to: now)
        let state = player.state
        let isRunning = player.isRunning
        let isSeeking = player.isSeeking
        guard state != lastState || isRunning != wasRunning || isSeeking != wasSeeking else { return nil }
        (wasRunning, wasSeeking) = (isRunning, isSeeking)
        if !isRunning { services.log.interrupt() }
        // Seeks change the position but not the state.
        guard state != lastState else { return .changed }
        lastState = state
        switch state {
        case .opening: return .changed
        case .playing, .paused, .buffering, .reconnecting:
            if !player.hasVideo { film.clear() }
            return .changed
        case .ended:
            services.history?.record(self, now: now, isLast: true)
            return skip(by: 1) ? .next(failed: nil) : .ended
        case .failed(.connectionLost(let reason)):
            // The entry has not ended: the user may resume it.
            services.history?.record(self, now: now, isLast: true)
            services.console.error("\(ShownLocation.text(location)): connection lost: \(reason)")
            return .lost(reason: reason)
        case .failed(let error):
            services.console.error("\(ShownLocation.text(location)): \(error)")
            let failed = location
            if case .followed(let direction) = origin, skip(by: direction) || skip(by: 1) {
                return .next(failed: failed)
            }
            film.clear()
            return .failed
        }
    }

    /// Switches to another renderer without interrupting audio. The visible frame is decoded again.
    func change(to renderer: any Renderer, now: HostTime) {
        services.renderer = renderer
        // The pages that would end a scrub or a long press are gone.
        player.cancelScrub(now: now)
        if let speed = speedBeforeHold.take() { player.setSpeed(speed, now: now) }
        film = FilmScreen(replacing: film, renderer: renderer)
        subtitles.subtitles.forget()
    }

    /// Ends the session: stops the player and its threads.
    func retire() { player.retire() }

    private func open(_ next: String, keepsPicture: Bool) {
        earlierCounts = counts
        player.retire()
        var options = options
        options.volume = player.volume
        options.isMuted = isMutedByUser
        preview = nil
        options.speed = sessionSpeed ?? options.speed
        options.isPaused = false
        options.start = nil
        options.pictures = FilmScreen.format(for: services.renderer.traits)
        let item = services.open(next, options: options)
        subtitles = item.subtitles
        comments = item.comments
        cover = item.cover
        problems = item.problems
        film = FilmScreen(
            player: item.player, renderer: services.renderer, surface: Self.surface, log: services.log,
            after: keepsPicture ? film : nil)
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
