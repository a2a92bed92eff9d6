import GlissadeFilm
import GlissadeGeometry
import GlissadePlatform
import GlissadePlayback
import GlissadeTime

/// Starts and ends the playback session, and announces its changes. Main thread.
@MainActor final class PlaybackController: Advancing {
    private(set) var session: PlaybackSession?
    private(set) var record = Record()
    /// Called when the session, its title, its tracks or its length has changed. `isNew` is true if the session has a
    /// new player.
    var onChange: (@MainActor (_ session: PlaybackSession, _ isNew: Bool, _ now: HostTime) -> Void)?
    /// Called when the state, the position, or a setting such as the volume or the speed has changed.
    var onStateChange: (@MainActor (HostTime) -> Void)?
    /// Called when the session has ended.
    var onStop: (@MainActor (HostTime) -> Void)?
    /// Called with each event of the session, before the controller handles the event. Returns true to suppress the
    /// controller's own handling.
    var intercepts: (@MainActor (PlaybackSession.Event, HostTime) -> Bool)?

    private let options: LaunchOptions
    private let services: PlaybackServices
    private let history: HistoryController
    private let pages: Pages
    private let lifecycle: Lifecycle
    /// The session's player at the last call of `onChange`.
    private weak var knownPlayer: Player?
    /// When the next message about a missing part may be shown.
    private var nextMissingPart = HostTime(nanoseconds: 0)
    /// The shortest time between two messages about missing parts.
    private static let missingPartInterval = Duration.seconds(5)

    /// State that outlives a session. After a change of renderer, it is passed to the new `Application`.
    struct Record {
        /// Whether the user has opened something in the window. If so, the window stays open even if playback fails.
        var wasOpenedByUser = false
        /// Whether anything has played yet.
        var hasPlayed = false
        /// The volume, mute state and speed at the end of the last session.
        var levels = (volume: 1.0, isMuted: false, speed: 1.0)
        /// The numbers of due and dropped frames in earlier sessions.
        var counts = Player.Counts()
        /// The frame rate of the first video, in frames per second; nil if unknown.
        var frameRate: Double?
        /// The coded size of the first video.
        var videoSize: PixelSize?
    }

    init(
        options: LaunchOptions, services: PlaybackServices, history: HistoryController, pages: Pages,
        lifecycle: Lifecycle
    ) {
        self.options = options
        self.services = services
        self.history = history
        self.pages = pages
        self.lifecycle = lifecycle
    }

    /// Takes over an existing session and record, without announcing the session.
    func begin(_ session: PlaybackSession?, record: Record = Record()) {
        self.session = session
        self.record = record
    }

    /// The numbers of due and dropped frames in all sessions.
    var counts: Player.Counts {
        let present = session?.counts ?? Player.Counts()
        return Player.Counts(due: record.counts.due + present.due, dropped: record.counts.dropped + present.dropped)
    }

    /// Records that the user has opened something in the window.
    func setOpenedByUser() { record.wasOpenedByUser = true }

    // MARK: - Opening and ending

    /// Plays a playlist from its current entry. If the playlist is empty, only records the current session's position
    /// in the history.
    ///
    /// - Parameters:
    ///   - keepsPicture: Whether the previous file's last frame stays visible until the first new one.
    ///   - isChosen: Whether the user chose the current entry among the others: if it cannot be played, no other one plays
    ///     in its place.
    ///   - preview: The state of a preview in a library row; nil if the user has opened the file.
    func play(
        _ list: Playlist, keepsPicture: Bool, isChosen: Bool = false, preview: InlinePreview? = nil, now: HostTime
    ) {
        history.recordLast(session, now: now)
        guard let first = list.current else { return }
        if let session {
            session.play(list, keepsPicture: keepsPicture, isChosen: isChosen)
        } else {
            let options = optionsForNext
            session = PlaybackSession(
                services.open(first, options: options), playlist: list, options: options, services: services)
            session?.setChosen(isChosen)
        }
        if let preview { session?.begin(preview) }
        sessionChanged(now: now)
    }

    /// The options for a new session. The start position, paused state, volume, mute state and speed from the command
    /// line apply only to the first session.
    private var optionsForNext: PlayerOptions {
        var options = options.player
        if record.hasPlayed {
            options.start = nil
            options.isPaused = false
            (options.volume, options.isMuted, options.speed) = record.levels
        }
        options.pictures = FilmScreen.format(for: services.renderer.traits)
        return options
    }

    func stop(now: HostTime) {
        history.recordLast(session, now: now)
        if let session {
            record.levels = (session.player.volume, session.isMutedByUser, session.lastingSpeed)
        }
        knownPlayer = nil
        record.counts = counts
        session?.retire()
        session = nil
        onStop?(now)
    }

    /// Announces that the session has changed, or that something new is known about its file.
    func sessionChanged(now: HostTime) {
        guard let session else { return }
        let isNew = knownPlayer !== session.player
        if isNew {
            knownPlayer = session.player
            record.hasPlayed = true
        }
        onChange?(session, isNew, now)
    }

    func stateChanged(now: HostTime) { onStateChange?(now) }

    // MARK: - Time

    /// Advances the session to `now`, and handles the resulting event, if any. The end of the playlist or a failure may
    /// end the program.
    func advance(to now: HostTime) -> Bool {
        guard let session else { return false }
        let event = session.advance(to: now)
        var isChanged = false
        if session.player.takeMissingPart(at: now) { isChanged = tellMissingPart(of: session.player, now: now) }
        if tellProblem(of: session, now: now) { isChanged = true }
        guard let event, intercepts?(event, now) != true else { return isChanged }
        switch event {
        case .changed: if !session.player.hasVideo { pages.frames.setNeedsRedraw() }
        case .next(let failed):
            if failed != nil, !record.wasOpenedByUser { lifecycle.setFailed() }
            if let failed {
                pages.playerPage?.tell(.broken, "Could not play \(PlaybackSession.name(of: failed))", now: now)
            }
        case .ended: if options.exitsAtEnd { lifecycle.finish(.done) }
        case .lost: if options.exitsAtEnd { lifecycle.finish(.failed) }
        case .failed:
            // A window in which the user has opened something stays open.
            if !record.wasOpenedByUser { lifecycle.finish(.failed) }
        }
        sessionChanged(now: now)
        let info = session.player.info
        if record.frameRate == nil { record.frameRate = info?.frameRate }
        if record.videoSize == nil { record.videoSize = info?.codedSize }
        if info != nil { lifecycle.startTimer(at: now) }
        return true
    }

    func nextWake(now: HostTime) -> HostTime? { session?.player.nextWake(now: now) }

    /// Tells the user of a problem of the file once its page is seen with a picture, or with a song that plays. Returns
    /// whether there was one.
    private func tellProblem(of session: PlaybackSession, now: HostTime) -> Bool {
        guard let page = pages.playerPage,
            let message = session.problems.takeMessage(
                isSeen: (session.film.shownTime != nil || session.isSong && session.player.isRunning)
                    && pages.isPlayerVisible && page.told == nil)
        else { return false }
        page.tell(.broken, message, now: now)
        return true
    }

    /// Shows a message, unless one was shown recently. Returns whether it has been shown.
    private func tellMissingPart(of player: Player, now: HostTime) -> Bool {
        guard now >= nextMissingPart else { return false }
        nextMissingPart = now + Self.missingPartInterval
        pages.playerPage?.tell(.broken, "Part of the \(player.hasVideo ? "video" : "audio") is missing", now: now)
        return true
    }
}
