import History
import Library
import Media
import Platform
import Synchronization
import Time

/// Remembers how far media were played, and tells it again when they are opened.
///
/// Main thread, where nothing waits for the disk; who a file is, and what is known of it, is found out on other threads.
@MainActor final class PlayHistory {
    /// What is known of a media that was opened.
    struct Answer: Sendable {
        var location: String
        var entry: HistoryEntry?
    }

    private struct Found: Sendable {
        var answers: [Answer] = []
        var recent: [RecentFilm]?
        /// Who the media are, by their locations.
        var identities: [String: MediaIdentity] = [:]
    }

    /// While something plays it is recorded so often: at most a second is lost, whatever ends the program.
    static let interval = Duration.milliseconds(500)

    private let history: History
    private let wake: @Sendable () -> Void
    private let found: Monitor<Found> = Monitor(Found())
    private var lastRecord: HostTime?
    private var lastEntry: HistoryEntry?
    /// Whether there was something to take down while it was too early.
    private var isOwed = false

    /// - Parameter path: the file in which it is kept; nil keeps nothing.
    init(
        path: FilePath? = History.standardPath, console: Console, wake: @escaping @Sendable () -> Void
    ) {
        self.wake = wake
        history = History(path: path, report: { console.error("\($0)") }, wake: wake)
    }

    // MARK: - What is known

    /// Asks what is known of `location`.
    func lookUp(_ location: String) {
        let (history, found, wake) = (history, found, wake)
        let path = isAddress(location) ? nil : LibraryFolder.absolute(location)
        Thread.detach(name: "history look-up") {
            guard let media = path.map({ MediaIdentity(file: $0) }) ?? MediaIdentity(address: location) else { return }
            history.entry(for: media) { entry in
                found.update { found in
                    found.identities[location] = media
                    found.answers.append(Answer(location: location, entry: entry))
                }
                wake()
            }
        }
    }

    /// Whether it was found out who the media at `location` is: the answer about it has come then, too.
    func isKnown(_ location: String) -> Bool { found.withLock { $0.identities[location] != nil } }

    /// The answers that have come.
    func takeAnswers() -> [Answer] {
        found.withLock { found in
            if found.answers.isEmpty { return [] }
            defer { found.answers = [] }
            return found.answers
        }
    }

    /// The answer about `location`, which is taken; nil where it does not come in time. For the start: it blocks.
    func waitForAnswer(about location: String, until deadline: HostTime) -> Answer? {
        found.wait(until: deadline) { found in
            found.answers.firstIndex { $0.location == location }.map { found.answers.remove(at: $0) }
        }
    }

    // MARK: - What is remembered

    /// When `record` wants to be called again; nil while nothing plays.
    func nextRecord(of playing: PlaybackSession) -> HostTime? {
        guard playing.isWatched, playing.player.isRunning || isOwed, let lastRecord else { return nil }
        return lastRecord + Self.interval
    }

    /// Takes down how `playing` stands.
    ///
    /// - Parameter isLast: whether it is left: it is taken down at once then.
    func record(_ playing: PlaybackSession, now: HostTime, isLast: Bool = false) {
        guard playing.isWatched else { return }
        let player = playing.player
        guard isLast || lastRecord.map({ now >= $0 + Self.interval }) ?? true else {
            isOwed = true
            return
        }
        lastRecord = now
        isOwed = false
        guard let entry = entry(playing, now: now), !entry.isSame(as: lastEntry) else { return }
        // A film that nobody has seen anything of yet is none that was played.
        guard player.isRunning || lastEntry?.media == entry.media || entry.isFinished else { return }
        lastEntry = entry
        history.record(entry)
    }

    private func entry(_ playing: PlaybackSession, now: HostTime) -> HistoryEntry? {
        let player = playing.player
        guard let info = player.info, info.isSeekable, !info.isStill || player.hasAudio,
            let media = found.withLock({ $0.identities[playing.location] })
        else { return nil }
        var isFinished: Bool?
        switch player.state {
        case .ended: isFinished = true
        // Where a connection is lost is not where the film ends.
        case .playing, .paused, .buffering, .reconnecting, .failed(.connectionLost): break
        case .opening, .failed: return nil
        }
        return HistoryEntry(
            media: media, title: playing.title, position: .zero + player.position(at: now), duration: info.duration,
            volume: (player.volume * 100).rounded(), isMuted: player.isMuted, speed: playing.lastingSpeed,
            audioTrack: playing.isAudioChosen ? player.selectedAudioTrack : nil,
            subtitles: playing.subtitles.isChosen ? Self.choice(playing.subtitles.selectedSource) : nil,
            isFinished: isFinished)
    }

    private static func choice(_ source: SubtitleChoices.Choice.Source?) -> HistoryEntry.SubtitleChoice {
        switch source {
        case .track(let index): .track(index)
        case .file(let path): .file(FilePath(location: path))
        case nil: .off
        }
    }

    /// Writes what waits. Blocks, but not for long.
    func close() { history.flushAndClose(within: .seconds(2)) }

    // MARK: - What was played last

    /// How many films that were played lately are looked at.
    private static let recentCount = 200

    /// Asks for what was played last; `takeRecent` has it once it is known which of it is still there.
    func askRecent() { history.askRecent(limit: Self.recentCount) }

    /// The latest first; nil where there is no news.
    func takeRecent() -> [RecentFilm]? {
        if let entries = history.takeRecent() { look(for: entries) }
        return found.withLock { found in
            defer { found.recent = nil }
            return found.recent
        }
    }

    /// A file that is gone, or another by now, is none that was played.
    private func look(for entries: [HistoryEntry]) {
        let (found, wake) = (found, wake)
        Thread.detach(name: "history files") {
            let films = entries.filter { entry in
                let path = FilePath(bytes: entry.media.location)
                return entry.media.byteCount == nil || MediaIdentity(file: path) == entry.media
            }
            found.update { $0.recent = films.map(RecentFilm.init) }
            wake()
        }
    }
}

extension HistoryEntry {
    /// Whether it says nothing new: the time alone is none.
    fileprivate func isSame(as other: HistoryEntry?) -> Bool {
        guard var other else { return false }
        other.lastPlayed = lastPlayed
        return other == self
    }
}
