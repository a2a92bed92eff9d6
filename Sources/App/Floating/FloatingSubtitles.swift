import GlissadeSubtitles
import GlissadeTime

/// Shows the subtitle lines around the current position in their floating window. Main thread.
@MainActor final class FloatingSubtitles {
    private let playback: PlaybackController
    private let windows: FloatingWindows
    /// The range of media times for which the displayed lines are up to date; nil if they must be updated.
    private var validTimes: (from: MediaTime, until: MediaTime)?

    init(playback: PlaybackController, windows: FloatingWindows) {
        self.playback = playback
        self.windows = windows
    }

    /// Updates the lines when the current subtitle changes. Also updates them every half second of media time, because
    /// more subtitles may have been read from the file. Shows a hint if nothing is playing, or no subtitles are shown.
    func advance() {
        guard let element = windows.linesElement else { return }
        guard let session = playback.session, session.subtitles.subtitles.isActive else {
            validTimes = nil
            element.show(SubtitleLines(), hint: Self.hint(for: playback.session))
            return
        }
        let now = session.subtitleTime(at: .now()) ?? .zero
        if let (from, until) = validTimes, now >= from, now < until { return }
        let subtitles = session.subtitles.subtitles
        let soon = now + .milliseconds(500)
        validTimes = (now, min(soon, subtitles.nextChange(after: now) ?? soon))
        element.show(subtitles.lines(around: now), hint: "…")
    }

    /// Returns why no subtitles are shown: nothing is playing, the video has none, or they are off. While the video is
    /// being opened, its subtitles are not known.
    static func hint(for session: PlaybackSession?) -> String {
        guard let session else { return "Nothing is playing" }
        if session.player.info == nil { return "…" }
        return session.subtitles.choices.isEmpty ? "No subtitles" : "Subtitles are off"
    }
}
