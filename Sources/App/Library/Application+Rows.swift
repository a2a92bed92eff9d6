import Layers
import Library
import Navigation
import Settings
import Subtitles
import Time

// Films that play in the library's cards, before anybody has opened them.

/// How a film plays in a card that nobody has opened.
struct CardPreview {
    /// Whether it is not heard.
    var isSilenced: Bool
    /// Whether it was muted before.
    var wasMuted = false
    /// Whether a person has watched it long enough for it to count as played.
    var isWatched = false
    /// For how long it has played, and since when it does; nil while it does not.
    var watched = Duration.zero
    var runsSince: HostTime?

    /// A film that has played for so long in its card is one that a person watches.
    static let watchedAfter = Duration.seconds(30)
}

extension PlaybackSession {
    /// Whether a person has opened it, or watched it for a while.
    var isWatched: Bool { preview?.isWatched ?? true }

    /// Whether it is not heard because it plays in a card.
    var isSilenced: Bool { preview?.isSilenced == true && player.isMuted }

    /// Whether a person has muted it: what a card does is none of a person's doing.
    var isMutedByHand: Bool { isSilenced ? preview?.wasMuted ?? false : player.isMuted }

    /// What was remembered of how a person had it.
    func setMutedByHand(_ isMuted: Bool) {
        if isSilenced { preview?.wasMuted = isMuted } else { player.isMuted = isMuted }
    }

    func begin(_ preview: CardPreview) {
        self.preview = preview
        guard preview.isSilenced else { return }
        self.preview?.wasMuted = player.isMuted
        player.isMuted = true
    }

    /// A person has opened it: it is heard as they had it. False where it was before.
    func endPreview() -> Bool {
        guard preview != nil else { return false }
        player.isMuted = isMutedByHand
        preview = nil
        return true
    }

    /// Counts how long it has played in its card. True where that is now long enough.
    func countPreview(now: HostTime) -> Bool {
        guard var preview, !preview.isWatched else { return false }
        if let since = preview.runsSince { preview.watched = preview.watched + max(.zero, now - since) }
        preview.runsSince = player.isRunning ? now : nil
        preview.isWatched = preview.watched >= CardPreview.watchedAfter
        self.preview = preview
        return preview.isWatched
    }
}

extension Application {
    private var libraryPages: some Sequence<LibraryPage> { stack.pages.lazy.compactMap { $0 as? LibraryPage } }

    func prepareCards(of page: LibraryPage) {
        page.film.owner = self
        apply(settings.library, to: page)
        page.setView(settings.library.view, now: .now())
        if let playing {
            page.setFilm(LibraryFolder.absolute(playing.location), isHeld: playing.isWatched)
        }
        if isFilmFloating { page.setPlaceholder(for: playing?.location) }
    }

    /// What changed in the settings' file; what did not is as a person has it.
    func applyLibrary(_ new: Settings.Library) {
        for page in libraryPages {
            apply(new, to: page)
            if new.view != settings.library.view { page.setView(new.view, now: .now()) }
        }
    }

    private func apply(_ library: Settings.Library, to page: LibraryPage) {
        page.film.playback.leaving = library.leaving == .corner ? .corner : .stop
        page.film.playback.playsNext = library.playsNext
    }

    // MARK: - Time

    /// A film that has played for a while in its card counts as one that was played.
    func advanceCards(to now: HostTime) {
        if let playing, playing.countPreview(now: now) { playingChanged(now: now) }
    }

    /// Whether what has happened is the end of a film that plays in a card: nothing ends or begins by that elsewhere.
    func isOverInCard(_ news: PlaybackSession.News, now: HostTime) -> Bool {
        guard let playing, playing.preview != nil else { return false }
        let path = LibraryFolder.absolute(playing.location)
        let page = libraryPages.first { $0.film.playback.current == path }
        switch news {
        case .changed, .next: return false
        case .ended:
            if let page, page.film.ended(page, now: now) { break }
            stopPlaying()
        case .failed, .lost:
            if let page { page.film.playingFailed(path, page) }
            stopPlaying()
        }
        return true
    }

    // MARK: - The picture

    /// Whether the film is seen on a page, in its card or in the corner, so that it needs no small bar there.
    func showsFilmInCard(_ page: Page) -> Bool { (page as? LibraryPage)?.hasFilm(playing) ?? false }

    /// Shows the film in the cards that are seen. True where it is seen in one of them.
    func placeInCards(_ playing: PlaybackSession, isOnlyPlace: Bool, scale: Double, now: HostTime) -> Bool {
        var isShown = false
        for case let page as LibraryPage in seenPages {
            if page.hasFilm(playing) {
                page.film.show(
                    playing, on: page, isOnlyPlace: isOnlyPlace && !isShown,
                    isCornerWanted: !isPlayerSeen || stack.isTransitioning,
                    scale: scale, now: now)
                isShown = true
            } else {
                page.film.hideFilm()
            }
        }
        return isShown
    }

    /// Nothing plays.
    func hideInCards() { for case let page as LibraryPage in seenPages { page.film.hideFilm() } }

    /// What played in a card is a person's from now on: it is heard, remembered, and goes on in its folder's list.
    func takeUpCard(now: HostTime) {
        guard let playing, playing.endPreview() else { return }
        wasOpenedByHand = true
        let path = LibraryFolder.absolute(playing.location)
        if let list = libraryPages.lazy.compactMap({ $0.playlist(from: path) }).first { playing.continueIn(list) }
        playingChanged(now: now)
    }
}

extension Application: LibraryPageOwner {
    func playInPlace(_ entry: LibraryItem, isHeld: Bool, on page: LibraryPage, now: HostTime) {
        wasOpenedByHand = true
        var preview = CardPreview(isSilenced: !settings.library.hasAudio)
        preview.isWatched = isHeld
        play(Playlist([entry.path.location]), keepsPicture: false, preview: preview, now: now)
        setNeedsTick()
    }

    func stopInPlace(now: HostTime) { stopPlaying() }

    func openFromCorner(now: HostTime) { showPlayer(animated: true, now: now) }

    func togglePauseInCorner(now: HostTime) { perform(.togglePause, now: now) }

    func viewChanged(to view: Settings.Library.View, now: HostTime) {
        settings.library.view = view
        for page in libraryPages { page.setView(view, now: now) }
        let console = console
        settingsFile?.set("view", in: "library", to: view.rawValue) { console.error("\($0)") }
        setNeedsTick()
    }
}
