import Gestures
import Layers
import Library
import Media
import Navigation
import Rendering
import Time
import Windowing

// Which pages there are, and what they show.

extension Application {
    // MARK: - Opening

    func prepareLibrary(_ page: LibraryPage) {
        page.onNews = { [weak self, weak page] in
            if let self, stack.transitioningPages?.lower === page { stack.takeSnapshot() }
        }
        page.onOpen = { [weak self, weak page] entry, now in
            if let page { self?.open(entry, from: page, now: now) }
        }
        page.onOpenRecent = { [weak self] film, now in self?.open(film, now: now) }
        // Before it reads its folder: posters are made in one size only.
        page.scale = surface.scale
        prepareCards(of: page)
    }

    private func open(_ entry: LibraryItem, from page: LibraryPage, now: HostTime) {
        if entry.kind == .folder {
            openFolder(entry.path, now: now)
        } else {
            wasOpenedByHand = true
            if !goesOn(entry.path) {
                let list = page.playlist(from: entry.path) ?? Playlist([entry.path.location])
                play(list, keepsPicture: false, now: now)
            }
            bringPlayer(animated: true, now: now)
        }
        setNeedsTick()
    }

    /// Opens the page of a folder, above the others.
    func openFolder(_ path: FilePath, animated: Bool = true, now: HostTime) {
        let page = LibraryPage(folder: path, services: services) { [weak self] in self?.back(now: .now()) }
        prepareLibrary(page)
        try? stack.push(page, animated: animated, now: now)
    }

    private func open(_ film: RecentFilm, now: HostTime) {
        wasOpenedByHand = true
        if !goesOn(LibraryFolder.absolute(film.location)) {
            play(Playlist([film.location]), keepsPicture: false, now: now)
        }
        bringPlayer(animated: true, now: now)
    }

    /// Whether the file at `path` is what plays. What has ended, or cannot be played, is begun anew.
    private func goesOn(_ path: FilePath) -> Bool {
        guard let playing, LibraryFolder.absolute(playing.location) == path else { return false }
        return switch playing.player.state {
        case .ended, .failed: false
        case .opening, .playing, .paused, .buffering, .reconnecting: true
        }
    }

    /// Plays `list`, from its place on.
    ///
    /// - Parameter preview: how it plays in a card; nil where a person has opened it.
    func play(_ list: Playlist, keepsPicture: Bool, preview: CardPreview? = nil, now: HostTime) {
        recordLast(now: now)
        guard let first = list.current else { return }
        if let playing {
            playing.play(list, keepsPicture: keepsPicture)
        } else {
            var options = options.player
            if hasPlayed {
                // That was asked of what was named with it.
                options.start = nil
                options.isPaused = false
                (options.volume, options.isMuted, options.speed) = lastLevels
            }
            options.pictures = VideoPresenter.request(renderer.traits)
            playing = PlaybackSession(
                MediaItem(first, options: options, console: console, history: history, wake: wake), playlist: list,
                options: options, renderer: renderer, log: log, console: console, history: history, wake: wake)
        }
        if let preview { playing?.begin(preview) }
        playingChanged(now: now)
    }

    /// Files and folders that were dropped on the window: looked at on another thread, for a disk may be slow.
    func open(_ paths: [String]) { drops.expand(paths) }

    /// Plays what was dropped, and shows the subtitles that were.
    func takeDrops(now: HostTime) {
        while let drop = drops.take() { open(drop, now: now) }
    }

    private func open(_ drop: DroppedFiles.Drop, now: HostTime) {
        for failure in drop.failures { console.error("\(failure)") }
        defer {
            for file in drop.subtitles { show(subtitles: file, now: now) }
            if let first = drop.failures.first {
                playerPage?.tell(.broken, "\(PlaybackSession.name(of: first.location)): \(first.reason)", now: now)
            }
        }
        if !drop.media.isEmpty {
            wasOpenedByHand = true
            if isMainClosed, !isFilmFloating { openMainWindow() }
            play(Playlist(drop.media), keepsPicture: true, now: now)
            bringPlayer(animated: stack.top !== playerPage, now: now)
        }
    }

    /// Brings what plays to its page, from wherever it is.
    func bringPlayer(animated: Bool, now: HostTime) {
        if isFilmFloating, session(.film).floating.restore() { return }
        showPlayer(animated: animated, now: now)
    }

    /// Brings the page on top that shows what plays.
    func showPlayer(animated: Bool, now: HostTime) {
        guard playing != nil else { return }
        if rowElement != nil {
            // It is on top already, or is brought there from its way back.
            if fullscreen.isEntered { return }
            endFullscreen(now: now)
        }
        takeUpCard(now: now)
        let page = playerPage ?? makePlayerPage()
        playerPage = page
        if let (upper, _) = stack.transitioningPages, upper === page, stack.isPopping {
            stack.undoPop(now: now)
        } else if stack.pages.contains(where: { $0 === page }) {
            _ = try? stack.pop(to: page, animated: animated, now: now)
        } else {
            try? stack.push(page, animated: animated, now: now)
        }
        setNeedsTick()
    }

    func makePlayerPage() -> PlayerPage {
        let page = PlayerPage(
            title: playing?.title ?? "",
            showsControls: options.showsControls,
            log: log,
            back: { [weak self] in self?.back(now: .now()) },
            details: { [weak self] in self?.perform(.showDetails, now: .now()) })
        page.owner = self
        page.trailingPage = { [weak self] in self?.makeDetails() }
        connectGestures(of: page)
        apply(settings, to: page)
        return page
    }

    private func makeDetails() -> InfoPage {
        let page = InfoPage(title: "Details") { [weak self] in self?.back(now: .now()) }
        detailsPage = page
        fillDetails()
        return page
    }

    private func fillDetails() {
        guard let playing else { return }
        let location = playing.location
        let place = isAddress(location) ? location : LibraryFolder.absolute(location).location
        detailsPage?.show(playing.player.info.map { MediaDetails($0, of: place).sections } ?? [])
    }

    func showDetails(now: HostTime) {
        settleRowIntoPage(now: now)
        guard stack.top === playerPage else { return }
        try? stack.push(makeDetails(), now: now)
        setNeedsTick()
    }

    // MARK: - What plays

    /// Another media plays, or the present one stands otherwise.
    func playingChanged(now: HostTime) {
        guard let playing else { return }
        let path = LibraryFolder.absolute(playing.location)
        for case let library as LibraryPage in stack.pages { library.setFilm(path, isHeld: playing.isWatched) }
        playerPage?.setTitle(playing.title)
        if seenPlayer !== playing.player {
            seenPlayer = playing.player
            hasPlayed = true
            playerPage?.gestures.cancel()
            playerPage?.closeMenu(now: now)
            forgetPreviews(now: now)
            playerPage?.controls.forget(now: now)
            playerPage?.subtitles.clear()
            apply(settings)
        }
        playerPage?.controls.progress.marks = chapterMarks(playing)
        showState(now: now)
        fillDetails()
        window?.setTitle(playing.isWatched ? PlaybackSession.windowTitle(of: playing.location) : "Glissade")
        filmChanged()
        rowElement?.location = playing.location
        markPlaceholders()
        setNeedsTick()
    }

    /// Where chapters begin, as parts of the length.
    private func chapterMarks(_ playing: PlaybackSession) -> [Double] {
        guard let info = playing.player.info, let length = info.duration, length > .zero else { return [] }
        return info.chapters.map { Double(($0.start - info.startTime).nanoseconds) / Double(length.nanoseconds) }
    }

    /// Ends what plays, from the mini bar.
    func stopPlaying() {
        recordLast(now: .now())
        if let playing {
            lastLevels = (playing.player.volume, playing.isMutedByHand, playing.lastingSpeed)
        }
        seenPlayer = nil
        previews = nil
        earlierCounts = counts
        playing?.retire()
        playing = nil
        forgetPreviews(now: .now())
        if isFilmFloating { session(.film).floating.stop() }
        if rowElement != nil { endFullscreen(now: .now()) }
        // Its page shows nothing any more, nor do those above it.
        let left = stack.pages.prefix { $0 !== playerPage }
        if left.count < stack.pages.count { try? stack.setStack(Array(left), animated: false, now: .now()) }
        playerPage = nil
        for case let library as LibraryPage in stack.pages { library.setFilm(nil, isHeld: false) }
        window?.setTitle("Glissade")
        setNeedsTick()
    }

    /// Another page is on top.
    func topChanged() {
        showPointer()
        if stack.top is LibraryPage {
            recordLast(now: .now())
            history?.askRecent()
        }
        _ = pointer.follow(nil, elements: [], now: .now())
        pointer = PointerFollower()
        setNeedsTick()
    }
}
