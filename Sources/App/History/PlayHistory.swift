import GlissadeHistory
import GlissadeLibrary
import GlissadeMedia
import GlissadePlatform
import Synchronization
import GlissadeTime

/// The program's access to the play history: records how far files were played, and looks up files as they are opened.
///
/// Main thread. Only `waitForAnswer` and `close` block. Files are identified and looked up on other threads.
@MainActor final class PlayHistory {
    /// The result of a lookup. `entry` is nil if the history has no entry for the file, or if the file has changed.
    struct Answer: Sendable {
        var location: String
        var entry: HistoryEntry?
    }

    /// The results of background threads: answers that have not been taken yet, and the identities of media.
    private struct Found: Sendable {
        var answers: [Answer] = []
        var recent: [RecentFilm]?
        /// The identities of the media looked up so far, keyed by path or URL.
        var identities: [String: MediaIdentity] = [:]
    }

    /// The minimum interval between two records, except for the last record of a session. With this interval, a crash
    /// loses at most a second of playback progress, including the time needed to write a record.
    static let interval = Duration.milliseconds(500)

    private let history: History
    private let wake: @Sendable () -> Void
    private let found: Monitor<Found> = Monitor(Found())
    private var lastRecord: HostTime?
    private var lastEntry: HistoryEntry?
    /// Whether the latest call of `record` did nothing because the previous record was too recent.
    private var isOwed = false

    /// - Parameter path: The database file. If nil, nothing is stored, and an error is printed on the console.
    init(
        path: BytePath? = History.standardPath, console: Console, wake: @escaping @Sendable () -> Void
    ) {
        self.wake = wake
        history = History(path: path, report: { console.error("\($0)") }, wake: wake)
    }

    // MARK: - Lookup

    /// Starts to look up a file or URL. `takeAnswers` returns the result later. There is no result if the file does not
    /// exist.
    func lookUp(_ location: String) {
        let (history, found, wake) = (history, found, wake)
        // What is on standard input differs each time.
        if location == StandardInput.location {
            return found.update { $0.answers.append(Answer(location: location, entry: nil)) }
        }
        let path = isAddress(location) ? nil : LibraryFolder.absolute(location)
        NamedThread.detach(name: "history look-up") {
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

    /// Returns whether a lookup of `location` has produced a result.
    func isKnown(_ location: String) -> Bool { found.withLock { $0.identities[location] != nil } }

    /// Takes the results of the lookups that have finished since the last call.
    func takeAnswers() -> [Answer] {
        found.withLock { found in
            if found.answers.isEmpty { return [] }
            defer { found.answers = [] }
            return found.answers
        }
    }

    /// Waits for the lookup of `location`, and takes its result. Returns nil if there is no result by `deadline`.
    /// Blocks. Used at startup.
    func waitForAnswer(about location: String, until deadline: HostTime) -> Answer? {
        found.wait(until: deadline) { found in
            found.answers.firstIndex { $0.location == location }.map { found.answers.remove(at: $0) }
        }
    }

    // MARK: - Recording

    /// Returns when to call `record` next; nil if there is nothing to record, or if `record` has not been called yet.
    func nextRecord(of playing: PlaybackSession) -> HostTime? {
        guard playing.isWatched, playing.player.isRunning || isOwed, let lastRecord else { return nil }
        return lastRecord + Self.interval
    }

    /// Records the position, volume, speed and tracks of a session, at most once per `interval`. Skips media that
    /// cannot be resumed, and previews that the user has not watched.
    ///
    /// - Parameter isLast: Whether the session may be about to end. If so, the session is recorded now, regardless of
    ///   `interval`.
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
        // A file that has been opened but not played is not recorded.
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
        // A lost connection is not the end of the file.
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
        case .file(let path, let track): .file(BytePath(location: path), track: track)
        case nil: .off
        }
    }

    /// Writes pending records and closes the database. Blocks for up to two seconds.
    func close() { history.flushAndClose(within: .seconds(2)) }

    // MARK: - Recent files

    /// The maximum number of entries requested as recent files.
    private static let recentCount = 200

    /// Requests the recent files from the history. `takeRecent` returns them later.
    func askRecent() { history.askRecent(limit: Self.recentCount) }

    /// Takes the recent files and URLs, latest first, without files that have changed or no longer exist. Returns nil
    /// if there is no new result.
    func takeRecent() -> [RecentFilm]? {
        if let entries = history.takeRecent() { checkFiles(of: entries) }
        return found.withLock { found in
            defer { found.recent = nil }
            return found.recent
        }
    }

    /// Checks on another thread which recent files still exist unchanged. `takeRecent` returns those files and all
    /// URLs.
    private func checkFiles(of entries: [HistoryEntry]) {
        let (found, wake) = (found, wake)
        NamedThread.detach(name: "history files") {
            let films = entries.filter { entry in
                let path = BytePath(bytes: entry.media.location)
                return entry.media.byteCount == nil || MediaIdentity(file: path) == entry.media
            }
            found.update { $0.recent = films.map(RecentFilm.init) }
            wake()
        }
    }
}

extension HistoryEntry {
    /// Returns whether the entries are equal, ignoring when the file was last played. Returns false if `other` is nil.
    fileprivate func isSame(as other: HistoryEntry?) -> Bool {
        guard var other else { return false }
        other.lastPlayed = lastPlayed
        return other == self
    }
}
