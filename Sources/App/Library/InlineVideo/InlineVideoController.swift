import GlissadeLibrary
import GlissadeNavigation
import GlissadeSettings
import GlissadeTime

/// Plays videos in the library's rows and cards, and keeps these up to date with the session. As in `InlineVideo`, a
/// row may be a card. Main thread.
@MainActor final class InlineVideoController: Advancing {
    private let playback: PlaybackController
    private let pages: Pages
    private let settings: SettingsController
    private let floating: FloatingWindows
    private let commands: Commands
    /// Called to open the player's page when the user clicks the video in the corner.
    var onOpen: (@MainActor (HostTime) -> Void)?

    init(
        playback: PlaybackController, pages: Pages, settings: SettingsController, floating: FloatingWindows,
        commands: Commands
    ) {
        self.playback = playback
        self.pages = pages
        self.settings = settings
        self.floating = floating
        self.commands = commands
        settings.observe(\.library) { [weak self] library in
            guard let self else { return }
            for page in self.pages.libraries { apply(library, to: page) }
        }
    }

    /// Applies the settings and the current session to a new library page.
    func prepare(_ page: LibraryPage) {
        page.film.owner = self
        apply(settings.current.library, to: page)
        guard let session = playback.session else { return }
        page.setFilm(LibraryFolder.absolute(session.location), isHeld: session.isWatched)
        if floating.isVideoFloating { page.setPlaceholder(for: session.location) }
    }

    /// Applies the settings for the library to a page. The view stays unless it is no longer the one to show.
    private func apply(_ library: Settings.Library, to page: LibraryPage) {
        page.setPlaysInRows(library.playsInRows, now: .now())
        page.film.playback.leaving = library.leaving == .corner ? .corner : .stop
        page.film.playback.playsNext = library.playsNext
        page.film.playback.disappearThreshold = 1 - library.visibleFraction
        page.setView(settings.libraryView, now: .now())
    }

    // MARK: - What is playing

    /// Tells the library pages which file the session is playing. `session` is nil if nothing is playing.
    func show(_ session: PlaybackSession?) {
        let path = session.map { LibraryFolder.absolute($0.location) }
        for page in pages.libraries { page.setFilm(path, isHeld: session?.isWatched ?? false) }
    }

    /// Dims the row of a video that is fullscreen above the page stack or in a floating window. Undims all other
    /// rows.
    func updatePlaceholders() {
        let location =
            pages.fullscreenRow?.location ?? (floating.isVideoFloating ? playback.session?.location : nil)
        for page in pages.libraries { page.setPlaceholder(for: location) }
    }

    /// Counts a preview as played by the user once it has played for `InlinePreview.watchedAfter`.
    func advance(to now: HostTime) -> Bool {
        if let session = playback.session, session.countPreview(now: now) { playback.sessionChanged(now: now) }
        return false
    }

    /// Handles the end or failure of a preview, which must neither advance the playlist nor end the program. Returns
    /// false for other events, and if no preview is playing.
    func intercept(_ event: PlaybackSession.Event, now: HostTime) -> Bool {
        guard let session = playback.session, session.preview != nil else { return false }
        let path = LibraryFolder.absolute(session.location)
        let page = pages.libraries.first { $0.film.playback.current == path }
        switch event {
        case .changed, .next: return false
        case .ended:
            if let page, page.film.ended(page, now: now) { break }
            playback.stop(now: now)
        case .failed, .lost:
            if let page { page.film.playingFailed(path, page) }
            playback.stop(now: now)
        }
        return true
    }

    /// Turns the preview in a row into normal playback. Does nothing if no preview is playing.
    ///
    /// Turns the audio on unless the user has muted it. Lets the history record the file. Makes the media in the file's
    /// folder the playlist.
    func open(now: HostTime) {
        guard let session = playback.session, session.endPreview() else { return }
        playback.setOpenedByUser()
        let path = LibraryFolder.absolute(session.location)
        if let list = pages.libraries.lazy.compactMap({ $0.rows.playlist(from: path) }).first {
            session.continueIn(list)
        }
        playback.sessionChanged(now: now)
    }

    // MARK: - The picture

    /// Returns whether a page itself shows the video, in a row or in the corner (`LibraryPage.hasFilm`).
    func showsVideo(_ page: Page) -> Bool { (page as? LibraryPage)?.hasFilm(playback.session) ?? false }

    /// Shows the video on each visible library page that has a row for it, in the row or in the corner. Hides the
    /// video on all other visible library pages.
    ///
    /// - Parameter isOnlyPlace: Whether the video is visible only on library pages. If so, frames are prepared for the
    ///   video's size on the first of these pages.
    /// - Returns: Whether a visible page has a row for the video.
    func place(_ session: PlaybackSession, isOnlyPlace: Bool, scale: Double, now: HostTime) -> Bool {
        var isShown = false
        for case let page as LibraryPage in pages.visible {
            if page.hasFilm(session) {
                page.film.show(
                    session, on: page,
                    in: InlineVideo.Context(
                        isOnlyPlace: isOnlyPlace && !isShown,
                        canUseCorner: !pages.isPlayerStaying || pages.stack.isTransitioning, scale: scale),
                    now: now)
                isShown = true
            } else {
                page.film.hideFilm()
            }
        }
        return isShown
    }

    /// Hides the video on all visible library pages. Called while nothing is playing.
    func hide() { for case let page as LibraryPage in pages.visible { page.film.hideFilm() } }
}

extension InlineVideoController: LibraryPageOwner {
    func playInPlace(_ entry: LibraryItem, isHeld: Bool, on page: LibraryPage, now: HostTime) {
        playback.setOpenedByUser()
        var preview = InlinePreview(isSilenced: !settings.current.library.hasAudio)
        preview.isWatched = isHeld
        playback.play(Playlist([entry.path.location]), keepsPicture: false, preview: preview, now: now)
        pages.setNeedsTick()
    }

    func stopInPlace(now: HostTime) { playback.stop(now: now) }

    func openFromCorner(now: HostTime) { onOpen?(now) }

    func togglePauseInCorner(now: HostTime) { commands.perform(.togglePause, now: now) }

    func viewChanged(to view: Settings.Library.View, now: HostTime) {
        settings.setLibraryView(view)
        for page in pages.libraries { page.setView(view, now: now) }
        pages.setNeedsTick()
    }
}
