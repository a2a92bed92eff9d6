import GlissadeMedia
import GlissadePlatform
import GlissadeRendering
import GlissadeSubtitles
import GlissadeTime

/// Shows the subtitles of the current frame, on the player's page or in a floating window. Main thread.
@MainActor final class SubtitleController: Advancing {
    private let playback: PlaybackController
    private let pages: Pages
    private let settings: SettingsController
    private let floating: FloatingWindows
    private let images: ImageCache
    private let console: Console

    init(
        playback: PlaybackController, pages: Pages, settings: SettingsController, floating: FloatingWindows,
        images: ImageCache, console: Console
    ) {
        self.playback = playback
        self.pages = pages
        self.settings = settings
        self.floating = floating
        self.images = images
        self.console = console
        settings.observe(\.subtitles.scale) { [weak self] _ in self?.applyScale() }
        settings.observe(\.subtitles.encoding) { [weak self] _ in self?.applyEncoding() }
    }

    /// Applies the current settings to the session's subtitles. Must be called for a new session or file.
    func applySettings() {
        applyScale()
        applyEncoding()
    }

    private func applyScale() { playback.session?.subtitles.subtitles.scale = settings.current.subtitles.scale }

    private func applyEncoding() {
        guard let session = playback.session else { return }
        // “auto” is none of the names.
        let encoding = SubtitleEncoding(rawValue: settings.current.subtitles.encoding)
        session.subtitles.setEncoding(encoding, of: session.player)
    }

    /// Selects the subtitles of a newly opened file, and shows those that belong to the current frame.
    ///
    /// - Returns: Whether the subtitles must be redrawn.
    func advance(to now: HostTime) -> Bool {
        guard let session = playback.session, let page = pages.playerPage,
            floating.isVideoFloating || pages.isPlayerVisible
        else { return false }
        let player = session.player
        _ = session.subtitles.advance(player, preference: preference, now: now)
        if let (file, error) = session.subtitles.takeFailure(of: player, now: now) {
            console.error("\(ShownLocation.text(file)): \(error)")
            page.tell(.broken, "\(BytePath(location: file).displayName): \(error)", now: now)
        }
        guard let time = session.subtitleTime(at: now) else { return false }
        let change = session.subtitles.subtitles.update(at: time)
        guard page.subtitles.show(change, images: images) else { return false }
        if floating.isVideoFloating { floating.videoElement?.setNeedsDisplay() }
        return true
    }

    /// A song has no frames that would bring its next line.
    func nextWake(now: HostTime) -> HostTime? {
        guard let session = playback.session, session.player.isRunning, session.isSong, pages.isPlayerVisible,
            session.subtitles.subtitles.isActive, let time = session.subtitleTime(at: now)
        else { return nil }
        // Lines may also come from the file later. A line's time comes from the file, and may be any.
        let rest = session.subtitles.subtitles.nextChange(after: time).map { ($0 - time) / session.player.speed }
        return now + min(rest ?? .milliseconds(500), .milliseconds(500))
    }

    private var preference: SubtitleChoices.Preference {
        let subtitles = settings.current.subtitles
        return SubtitleChoices.Preference(isShown: subtitles.isShown, languages: subtitles.languages)
    }
}
