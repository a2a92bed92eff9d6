import Gestures
import Library
import Motion
import Navigation
import Playback
import Rendering
import Stage
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
        page.playing = playing.map { LibraryFolder.absolute($0.location) }
    }

    private func open(_ entry: Entry, from page: LibraryPage, now: HostTime) {
        if entry.kind == .folder {
            let inner = LibraryPage(folder: entry.path, services: services) { [weak self] in self?.back(now: .now()) }
            prepareLibrary(inner)
            try? stack.push(inner, now: now)
        } else {
            wasOpenedByHand = true
            if !goesOn(entry) { play(page.playlist(from: entry), keepsPicture: false, now: now) }
            showPlayer(animated: true, now: now)
        }
        setNeedsTick()
    }

    /// Whether `entry` is what plays. What has ended, or cannot be played, is begun anew.
    private func goesOn(_ entry: Entry) -> Bool {
        guard let playing, LibraryFolder.absolute(playing.location) == entry.path else { return false }
        return switch playing.player.state {
        case .ended, .failed: false
        case .opening, .playing, .paused, .buffering: true
        }
    }

    /// Plays `locations`, one after the other.
    private func play(_ locations: [String], keepsPicture: Bool, now: HostTime) {
        guard let first = locations.first else { return }
        if let playing {
            playing.play(locations, keepsPicture: keepsPicture)
        } else {
            var options = options.player
            options.pictures = VideoView.request(compositor.device)
            let console = console
            let player = Player(location: first, options: options, wake: wake) { console.report($0, of: first) }
            playing = NowPlaying(
                player: player, playlist: locations.dropFirst(), options: options, device: compositor.device, log: log,
                console: console, wake: wake)
        }
        playingChanged(now: now)
    }

    /// Files and folders that were dropped on the window.
    func open(_ paths: [String], now: HostTime) {
        var opened: [String] = []
        for path in paths {
            do throws(MediaArguments.Failure) {
                opened += try MediaArguments.expand(path)
            } catch {
                console.error("\(error)")
            }
        }
        if opened.isEmpty { return }
        wasOpenedByHand = true
        play(opened, keepsPicture: true, now: now)
        showPlayer(animated: stack.top !== playerPage, now: now)
    }

    /// Brings the page on top that shows what plays.
    func showPlayer(animated: Bool, now: HostTime) {
        guard playing != nil else { return }
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

    private func makePlayerPage() -> PlayerPage {
        let page = PlayerPage(
            title: playing?.title ?? "", showsControls: options.showsControls && options.scenario == nil,
            back: { [weak self] in self?.back(now: .now()) }, details: { [weak self] in self?.showDetails() })
        page.onDoubleClick = { [weak self] in self?.toggleFullscreen() }
        page.boundPage = { [weak self] in self?.makeDetails() }
        return page
    }

    private func makeDetails() -> DetailsPage {
        let page = DetailsPage { [weak self] in self?.back(now: .now()) }
        detailsPage = page
        fillDetails()
        return page
    }

    private func fillDetails() {
        guard let playing else { return }
        let location = playing.location
        let place = isAddress(location) ? location : LibraryFolder.absolute(location).location
        detailsPage?.show(playing.player.info, of: place)
    }

    private func showDetails() {
        try? stack.push(makeDetails(), now: .now())
        setNeedsTick()
    }

    // MARK: - What plays

    /// Another media plays, or the present one stands otherwise.
    func playingChanged(now: HostTime) {
        guard let playing else { return }
        let path = LibraryFolder.absolute(playing.location)
        for case let library as LibraryPage in stack.pages { library.playing = path }
        playerPage?.setTitle(playing.title)
        showInMiniBars(playing, now: now)
        fillDetails()
        window?.setTitle(NowPlaying.windowTitle(of: playing.location))
        setNeedsTick()
    }

    /// Ends what plays, from the mini bar.
    func stopPlaying() {
        earlierCounts = counts
        playing?.retire()
        playing = nil
        // Its page shows nothing any more, nor do those above it.
        let left = stack.pages.prefix { $0 !== playerPage }
        if left.count < stack.pages.count { try? stack.setStack(Array(left), animated: false, now: .now()) }
        playerPage = nil
        for case let library as LibraryPage in stack.pages { library.playing = nil }
        window?.setTitle("Glissade")
        setNeedsTick()
    }

    /// Another page is on top.
    func topChanged() {
        _ = pointer.follow(nil, elements: [], now: .now())
        pointer = PointerFollower()
        setNeedsTick()
    }
}
