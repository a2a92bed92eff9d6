import History
import Library
import Platform
import Subtitles
import Time

// What was played before, and what is remembered of what plays.

extension Application {
    /// Takes in what is known of what was opened, and takes down how it stands.
    func advanceHistory(to now: HostTime) {
        guard let history else { return }
        for answer in history.takeAnswers() where answer.location == playing?.location {
            guard settings.playback.resumes, let playing, let entry = answer.entry else { continue }
            resume(playing, from: entry, now: now)
        }
        if let recent = history.takeRecent() {
            for case let page as LibraryPage in stack.pages { page.show(recent: recent) }
            setNeedsTick()
        }
        guard let playing else { return }
        playing.restoreTracks(now: now)
        if settings.playback.keepsHistory { history.record(playing, now: now) }
    }

    /// What plays is left, or will be: it is known from now on how far it came.
    func recordLast(now: HostTime) {
        guard let playing, settings.playback.keepsHistory else { return }
        history?.record(playing, now: now, isLast: true)
    }

    private func resume(_ playing: PlaybackSession, from entry: HistoryEntry, now: HostTime) {
        guard playing.wasOpenedWith(entry, now: now) else { return }
        if let position = entry.resumePosition {
            let text = MediaFormatter.position(position - .zero, of: entry.duration)
            playerPage?.tell(.play, "Going on at \(text)", now: now)
        }
        showState(now: now)
    }
}
