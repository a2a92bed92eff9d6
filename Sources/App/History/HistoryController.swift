import GlissadeHistory
import GlissadeLibrary
import GlissadeTime

/// Records playback in the history, resumes files from their history entries, and passes recent files to the library
/// pages. Main thread.
@MainActor final class HistoryController: Advancing {
    /// The play history; nil if the history is off for this run.
    let history: PlayHistory?
    private let settings: SettingsController
    private let pages: Pages
    /// Must be set before `advance` is called.
    weak var playback: PlaybackController?

    init(_ history: PlayHistory?, settings: SettingsController, pages: Pages) {
        self.history = history
        self.settings = settings
        self.pages = pages
    }

    /// Takes finished results from the history: resumes a newly opened file, and shows the recent files on the library
    /// pages. Then records the current position.
    func advance(to now: HostTime) -> Bool {
        guard let history else { return false }
        let session = playback?.session
        var (isResumed, isChanged) = (false, false)
        for answer in history.takeAnswers() where answer.location == session?.location {
            guard settings.current.playback.resumes, let session, let entry = answer.entry else { continue }
            if resume(session, from: entry, now: now) { isResumed = true }
        }
        if let recent = history.takeRecent() {
            for page in pages.libraries { page.show(recent: recent) }
            isChanged = true
        }
        if let session {
            session.restoreTracks(now: now)
            if settings.current.playback.keepsHistory { history.record(session, now: now) }
        }
        // The position, the volume or the speed may have changed.
        if isResumed { playback?.stateChanged(now: now) }
        return isChanged
    }

    /// Records the position of a session that is ending or may end soon. Does nothing if `session` is nil.
    func recordLast(_ session: PlaybackSession?, now: HostTime) {
        guard let session, settings.current.playback.keepsHistory else { return }
        history?.record(session, now: now, isLast: true)
    }

    /// Requests the recent files from the history. `advance` shows them on the library pages when they arrive.
    func askRecent() { history?.askRecent() }

    func nextWake(now: HostTime) -> HostTime? { playback?.session.flatMap { history?.nextRecord(of: $0) } }

    private func resume(_ session: PlaybackSession, from entry: HistoryEntry, now: HostTime) -> Bool {
        guard session.wasOpenedWith(entry, now: now) else { return false }
        if let position = entry.resumePosition {
            let text = MediaFormatter.position(position - .zero, of: entry.duration)
            pages.playerPage?.tell(.play, "Resuming from \(text)", now: now)
        }
        return true
    }
}
