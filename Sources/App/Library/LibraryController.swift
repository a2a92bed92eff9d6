import GlissadeLibrary
import GlissadePlatform
import GlissadeTime

/// Opens the folders and files that the user picks in the library. Main thread.
@MainActor final class LibraryController {
    private let playback: PlaybackController
    private let pages: Pages
    private let window: MainWindow
    private let inlineVideos: InlineVideoController
    private let navigator: PageNavigator
    private let services: LibraryPage.Services

    init(
        playback: PlaybackController, pages: Pages, window: MainWindow, inlineVideos: InlineVideoController,
        navigator: PageNavigator, services: LibraryPage.Services
    ) {
        self.playback = playback
        self.pages = pages
        self.window = window
        self.inlineVideos = inlineVideos
        self.navigator = navigator
        self.services = services
    }

    /// Connects a new library page to this controller and to the inline video controller.
    func prepare(_ page: LibraryPage) {
        page.onRowsChange = { [weak self, weak page] in
            if let self, pages.stack.transitioningPages?.lower === page { pages.stack.takeSnapshot() }
        }
        page.source.onOpen = { [weak self, weak page] item, now in
            if let page { self?.open(item, from: page, now: now) }
        }
        page.source.onOpenRecent = { [weak self] film, now in self?.open(film, now: now) }
        // Set before the page reads its folder, so that posters are made at the right size from the start.
        page.scale = window.scale
        inlineVideos.prepare(page)
    }

    /// Pushes a new library page for a folder onto the stack.
    func openFolder(_ path: BytePath, animated: Bool = true, now: HostTime) {
        let page = LibraryPage(folder: path, services: services) { [weak self] in self?.navigator.goBack(now: .now()) }
        prepare(page)
        try? pages.stack.push(page, animated: animated, now: now)
    }

    private func open(_ item: LibraryItem, from page: LibraryPage, now: HostTime) {
        if item.kind == .folder {
            openFolder(item.path, now: now)
        } else {
            playback.setOpenedByUser()
            if !isPlaying(item.path) {
                let list = page.rows.playlist(from: item.path) ?? Playlist([item.path.location])
                playback.play(list, keepsPicture: false, isChosen: true, now: now)
            }
            navigator.bringPlayer(animated: true, now: now)
        }
        pages.setNeedsTick()
    }

    private func open(_ film: RecentFilm, now: HostTime) {
        playback.setOpenedByUser()
        if !isPlaying(LibraryFolder.absolute(film.location)) {
            playback.play(Playlist([film.location]), keepsPicture: false, now: now)
        }
        navigator.bringPlayer(animated: true, now: now)
    }

    /// Returns whether a file is the session's current file and has neither ended nor failed.
    private func isPlaying(_ path: BytePath) -> Bool {
        guard let session = playback.session, LibraryFolder.absolute(session.location) == path else { return false }
        return switch session.player.state {
        case .ended, .failed: false
        case .opening, .playing, .paused, .buffering, .reconnecting: true
        }
    }
}
