import Animation
import Geometry
import Layers
import Navigation
import Time
import Windowing

// Fullscreen: what is seen grows to the whole window while the window grows to the whole screen, and goes back to its place.

extension Application {
    func prepareFullscreen() {
        fullscreen.bounds = Rect(origin: .zero, size: size)
        // A window that begins fullscreen is not on the screen yet: there is nothing that could refuse it.
        if window?.isFullscreen == true { fullscreen.enter(pagesElement, isAnimated: false, now: .now()) }
        fullscreen.isRefused = { [weak self] in self?.window.map { !$0.isVisible } ?? false }
        fullscreen.onWindow = { [weak self] in self?.window?.setFullscreen($0) }
        fullscreen.onStateChange = { [weak self] state in
            guard let self else { return }
            if state == .inline { desktopIsStale = true }
            if state == .fullscreen { rowElement?.arrived() }
            showState(now: .now())
            showPointer()
        }
    }

    /// In, or out; on the way, back.
    func toggleFullscreen(now: HostTime) {
        if fullscreen.isEntered {
            leaveFullscreen(now: now)
        } else {
            // What floats comes back to its page on the way.
            if isFilmFloating { session(.film).floating.restore() }
            // What fades has no place to turn back from: its page is what plays now.
            if leavingElement != nil { fullscreen.windowLeft(now: now) }
            let isEntered = fullscreen.enter(fullscreen.element ?? elementForFullscreen(now: now), now: now)
            if !isEntered, rowElement != nil, fullscreen.element == nil { dropRowElement() }
        }
        setNeedsTick()
    }

    /// Ends fullscreen at once, wherever it is on its way.
    func endFullscreen(now: HostTime) {
        guard fullscreen.state != .inline else { return }
        fullscreen.windowLeft(now: now)
        window?.setFullscreen(false)
    }

    /// A film that is fullscreen over its row goes on so on its page: pages can come above that.
    func settleRowIntoPage(now: HostTime) {
        guard rowElement != nil else { return }
        fullscreen.windowLeft(now: now)
        showPlayer(animated: false, now: now)
        fullscreen.enter(pagesElement, isAnimated: false, now: now)
    }

    private func dropRowElement() {
        rowElement?.layer.removeFromSuperlayer()
        rowElement = nil
        leavingElement = nil
        markPlaceholders()
        setNeedsTick()
    }

    func leaveFullscreen(now: HostTime) {
        if let element = rowElement { element.library.reveal(element.location) }
        fullscreen.leave(now: now)
        setNeedsTick()
    }

    // MARK: - What is fullscreen

    /// The page that has the keys and the pointer: the fullscreen film's, where that has come from a row.
    var topPage: Page { rowElement?.page ?? stack.top }

    /// Whether the film's page is what a hand is on.
    var isPlayerOnTop: Bool { rowElement != nil || (stack.top === playerPage && !stack.isTransitioning) }

    /// What grows: the film where it is seen in the library, else all that is seen.
    private func elementForFullscreen(now: HostTime) -> any FullscreenElement {
        guard let playing, playing.player.hasVideo, !isFilmFloating, !stack.isTransitioning,
            fullscreen.isRefused?() != true,
            let library = stack.top as? LibraryPage, let place = library.filmPlace(of: playing.location)
        else { return pagesElement }
        takeUpCard(now: now)
        let page = playerPage ?? makePlayerPage()
        playerPage = page
        let isInCorner = library.hasFilm(playing) && library.film.corner.isShown
        let isInView = !isInCorner && place.frame.maxY > 0 && place.frame.minY < library.layer.frame.size.height
        guard
            let element = try? FullscreenRowVideo(
                page, of: playing.location, on: library, from: isInView ? nil : smallPlace(on: library))
        else { return pagesElement }
        element.film = { [weak self] in self?.playing }
        element.isReturning = { [weak self] in self?.fullscreen.isEntered == false }
        element.onGone = { [weak self] in
            guard let self else { return }
            rowElement = nil
            leavingElement = element
            showPlayer(animated: false, now: .now())
        }
        element.onReturn = { [weak self] in self?.dropRowElement() }
        rowElement = element
        root.add(element.layer)
        markPlaceholders()
        playingChanged(now: now)
        return element
    }

    /// Where the film is seen on a page that does not show its row: in the corner, or in the small bar.
    private func smallPlace(on library: LibraryPage) -> InlinePlace? {
        if library.hasFilm(playing), library.film.corner.isShown {
            return InlinePlace(frame: library.film.corner.layer.frame, cornerRadius: Theme.cardRadius)
        }
        guard let linked = miniBars.first(where: { $0.page === library }) else { return nil }
        let frame = linked.bar.pictureFrame(at: LocalTime(.now()))
        let corner = stack.layer.frame.origin
        return InlinePlace(
            frame: Rect(origin: Point(x: frame.minX - corner.x, y: frame.minY - corner.y), size: frame.size),
            cornerRadius: 0)
    }

    /// Cards whose film is shown elsewhere say so.
    func markPlaceholders() {
        let location = rowElement?.location ?? (isFilmFloating ? playing?.location : nil)
        for case let library as LibraryPage in stack.pages { library.setPlaceholder(for: location) }
    }

    /// The window has left fullscreen, or has gone there, without being asked.
    func windowChangedFullscreen(to isFullscreen: Bool, now: HostTime) {
        if !isFullscreen, fullscreen.state != .inline { fullscreen.windowLeft(now: now) }
        if isFullscreen, fullscreen.state == .inline {
            fullscreen.enter(pagesElement, isAnimated: false, now: now)
        }
        setNeedsTick()
    }

    /// Lays out what may be fullscreen for `time`, and the pages where they belong meanwhile.
    func layoutPages(at time: HostTime) {
        let bounds = Rect(origin: .zero, size: size)
        fullscreen.bounds = bounds
        fullscreen.pagesFrame = window?.restoreFrame ?? bounds
        fullscreen.advance(to: time)
        if rowElement == nil { playerPage?.turn = pagesElement.turn }
        root.frame = bounds
        let place = pagesPlace
        // Beside the pages there is nothing, as long as the window is larger than they are.
        root.content = place == bounds ? .none : .color(.black)
        stack.layout(place.size, at: place.origin)
        for element in [rowElement, leavingElement] {
            element?.layout(bounds, scale: surface.scale)
            element?.layoutIfNeeded()
        }
    }

    /// Where the pages lie in the window, on whole device pixels.
    private var pagesPlace: Rect {
        guard let frame = pagesElement.frame, fullscreen.state != .inline else { return fullscreen.pagesFrame }
        return frame.onPixels(scale: surface.scale)
    }

    /// For which size of its page the film's picture is to be made: on the way for the largest, once.
    var pictureGoal: Size? { fullscreen.state == .moving ? fullscreen.bounds.size : nil }

    // MARK: - A hand

    /// A hand that draws the fullscreen film down shrinks it, throws it back to its place, or lets it spring up again.
    func connectDismissal(of page: PlayerPage) {
        page.gestures.canDismiss = { [weak self] in self.map { $0.fullscreen.state != .inline } ?? false }
        page.gestures.onDismissDrag = { [weak self] drag, now in
            guard let self else { return }
            switch drag {
            case .began:
                if let element = rowElement { element.library.reveal(element.location) }
                _ = fullscreen.beginDrag(now: now)
            case .changed(let translation): fullscreen.drag(by: translation, now: now)
            case .ended(let velocity): fullscreen.endDrag(velocity: velocity, now: now)
            case .cancelled: fullscreen.cancelDrag(now: now)
            }
            setNeedsTick()
        }
    }
}
