import GlissadeAnimation
import GlissadeGeometry
import GlissadeLayers
import GlissadeNavigation
import GlissadeTime

/// Puts the video alone or all pages into fullscreen. The video alone grows out of its library row or card. All pages
/// grow with the window. Main thread.
@MainActor final class FullscreenCoordinator {
    let controller = FullscreenController()
    private let playback: PlaybackController
    private let pages: Pages
    private let window: MainWindow
    private let places: Places
    /// Provides the player's page, and brings it to the top of the stack.
    private weak var navigator: PageNavigator?
    /// The fullscreen video that is fading out because its library item is gone; nil if there is none.
    private var leavingRow: FullscreenRowVideo?
    private let allPages: FullscreenPages
    /// The rotation of the layout while a rotated video is fullscreen.
    let layoutRotation = LayoutRotation()
    /// Called when the layout has been rotated, or rotated back, unless the fullscreen video is being dragged. Gestures
    /// in progress must be canceled, since they would continue in other coordinates.
    var onRotation: (@MainActor (HostTime) -> Void)?
    /// The horizontal drags on a video that went fullscreen from its row or card.
    let rowDrag: FullscreenRowDrag

    /// The controllers of the places that may show the video before it enters fullscreen: library rows, miniplayers and
    /// floating windows.
    struct Places {
        let inlineVideos: InlineVideoController
        let miniPlayers: MiniPlayerController
        let floating: FloatingWindows
    }

    init(playback: PlaybackController, pages: Pages, window: MainWindow, places: Places, navigator: PageNavigator) {
        self.playback = playback
        self.pages = pages
        self.window = window
        self.places = places
        self.navigator = navigator
        let controller = controller
        rowDrag = FullscreenRowDrag(controller, layoutRotation: layoutRotation)
        allPages = FullscreenPages(
            home: { [weak controller] in controller?.pagesFrame.size ?? .zero },
            picture: { [weak playback, weak floating = places.floating] in
                floating?.isVideoFloating == true ? nil : playback?.session?.fullscreenSize
            })
        controller.bounds = window.bounds
        // A window that starts in fullscreen is not visible yet. `isRefused` would refuse it, and is therefore set
        // afterwards.
        if window.window?.isFullscreen == true { controller.enter(allPages, isAnimated: false, now: .now()) }
        controller.isRefused = { [window] in window.window.map { !$0.isVisible } ?? false }
        controller.onWindow = { [window] in window.window?.setFullscreen($0) }
        controller.onStateChange = { [weak self] state in
            guard let self else { return }
            if state == .fullscreen { self.pages.fullscreenRow?.arrived() }
            self.playback.stateChanged(now: .now())
            updateCursor()
        }
    }

    /// Connects the drags on a video that went fullscreen from its row or card.
    ///
    /// - Parameter allows: Returns whether a drag back (true) or to the details (false) may begin with a press at a
    ///   point, in layout points.
    func connectRowDrag(
        allows: @escaping @MainActor (_ isBack: Bool, Point) -> Bool, details: @escaping @MainActor (HostTime) -> Void
    ) {
        rowDrag.allows = allows
        rowDrag.onBegin = { [weak self] in self?.revealRow() }
        rowDrag.onChange = { [weak self] in self?.pages.setNeedsTick() }
        rowDrag.onDetails = details
    }

    // MARK: - Entering and leaving

    /// Enters or leaves fullscreen. If a fullscreen transition is in progress, reverses it.
    func toggle(now: HostTime) {
        if controller.isEntered {
            leave(now: now)
        } else {
            // A floating video returns to the player's page at the same time.
            if places.floating.isVideoFloating { places.floating.restoreVideo() }
            // The transition of a video that is fading out cannot be reversed, so it ends at once, and all pages enter
            // fullscreen.
            if leavingRow != nil { controller.windowLeft(now: now) }
            let isEntered = controller.enter(controller.element ?? elementToEnter(now: now), now: now)
            if !isEntered, pages.fullscreenRow != nil, controller.element == nil { dropRow() }
        }
        pages.setNeedsTick()
    }

    func leave(now: HostTime) {
        revealRow()
        controller.leave(now: now)
        pages.setNeedsTick()
    }

    /// Leaves fullscreen without an animation.
    func end(now: HostTime) {
        guard controller.state != .inline else { return }
        controller.windowLeft(now: now)
        window.window?.setFullscreen(false)
    }

    /// Moves the player's page from the `FullscreenRowVideo` to the stack, so that other pages can be pushed above the
    /// player's page. The window stays in fullscreen. Does nothing if there is no `FullscreenRowVideo`.
    func moveRowToStack(now: HostTime) {
        guard pages.fullscreenRow != nil else { return }
        controller.windowLeft(now: now)
        navigator?.showPlayer(animated: false, now: now)
        controller.enter(allPages, isAnimated: false, now: now)
    }

    /// Updates the pages after the window has entered or left fullscreen, possibly at the window manager's initiative.
    func windowChanged(isFullscreen: Bool, now: HostTime) {
        if !isFullscreen, controller.state != .inline { controller.windowLeft(now: now) }
        if isFullscreen, controller.state == .inline {
            controller.enter(allPages, isAnimated: false, now: now)
        }
        pages.setNeedsTick()
    }

    // MARK: - The element

    /// Returns the element to make fullscreen. This is the video alone if the top page is a library page that lists the
    /// video's file, the video is not floating, and no page transition is in progress. Otherwise it is all pages.
    ///
    /// Before returning the video alone, turns a preview into normal playback, and puts the player's page above all
    /// other pages.
    private func elementToEnter(now: HostTime) -> any FullscreenElement {
        guard let session = playback.session, session.player.hasVideo, !places.floating.isVideoFloating,
            !pages.stack.isTransitioning, controller.isRefused?() != true,
            let library = pages.stack.top as? LibraryPage, let place = library.filmPlace(of: session.location)
        else { return allPages }
        places.inlineVideos.open(now: now)
        guard let page = navigator?.playerPage() else { return allPages }
        let isInCorner = library.hasFilm(session) && library.film.corner.isShown
        let isInView = !isInCorner && place.frame.maxY > 0 && place.frame.minY < library.layer.frame.size.height
        guard
            let row = try? FullscreenRowVideo(
                page, of: session.location, on: library, from: isInView ? nil : smallPlace(on: library))
        else { return allPages }
        row.playing = { [weak playback] in playback?.session }
        row.isFloating = { [weak floating = places.floating] in floating?.isVideoFloating == true }
        row.isReturning = { [weak controller] in controller?.isEntered == false }
        row.onGone = { [weak self, weak row] in
            guard let self else { return }
            leavingRow = row
            pages.fullscreenRow = nil
            navigator?.showPlayer(animated: false, now: .now())
        }
        row.onReturn = { [weak self] in self?.dropRow() }
        pages.fullscreenRow = row
        pages.root.add(row.layer)
        places.inlineVideos.updatePlaceholders()
        playback.sessionChanged(now: now)
        return row
    }

    /// Returns the frame and corner radius of the video in the corner miniplayer or the miniplayer bar of `library`, in
    /// points from the top-left corner of the pages; nil if the video is in neither.
    private func smallPlace(on library: LibraryPage) -> InlinePlace? {
        if library.hasFilm(playback.session), library.film.corner.isShown {
            return InlinePlace(frame: library.film.corner.layer.frame, cornerRadius: Theme.cardRadius)
        }
        guard let frame = places.miniPlayers.pictureFrame(on: library, at: LocalTime(.now())) else { return nil }
        let origin = pages.stack.layer.frame.origin
        return InlinePlace(
            frame: Rect(origin: Point(x: frame.minX - origin.x, y: frame.minY - origin.y), size: frame.size),
            cornerRadius: 0)
    }

    private func dropRow() {
        pages.fullscreenRow?.layer.removeFromSuperlayer()
        pages.fullscreenRow = nil
        leavingRow = nil
        places.inlineVideos.updatePlaceholders()
        pages.setNeedsTick()
    }

    /// Scrolls the library to the row or card to which the fullscreen video will return. Does nothing if there is no
    /// `FullscreenRowVideo`.
    private func revealRow() {
        if let row = pages.fullscreenRow { row.library.reveal(row.location) }
    }

    // MARK: - Layout

    /// Lays out the pages and the fullscreen element for `time`.
    func layout(at time: HostTime) {
        controller.bounds = window.bounds
        controller.pagesFrame = window.window?.restoreFrame ?? window.bounds
        controller.advance(to: time)
        let isRotated = rotatesLayout
        let isNew = isRotated != layoutRotation.current.isRotated
        layoutRotation.update(isRotated: isRotated, window: window.size, scale: window.scale)
        if isNew, !controller.isHeld { onRotation?(time) }
        let bounds = layoutRotation.current.bounds
        if pages.fullscreenRow == nil { pages.playerPage?.quarterTurns = isRotated ? 0 : allPages.quarterTurns }
        pages.root.frame = bounds
        let frame = pagesFrame
        // Fills the area around the pages while the window is larger than they are.
        pages.root.content = frame == bounds ? .none : .color(.black)
        pages.stack.layout(frame.size, at: frame.origin)
        for row in [pages.fullscreenRow, leavingRow] {
            row?.layout(bounds, scale: window.scale, isRotated: isRotated)
        }
    }

    /// Whether the whole layout is rotated. This is the case once a rotated video has become fullscreen. During the
    /// transition, only the video is rotated.
    private var rotatesLayout: Bool {
        guard controller.shape == .rotate, controller.state == .fullscreen else { return false }
        let (session, wasRotated) = (playback.session, layoutRotation.current.isRotated)
        let isOnStack = pages.playerPage.map { page in pages.stack.pages.contains { $0 === page } } ?? false
        if pages.fullscreenRow == nil, !isOnStack {
            // Without the player's page, the layout can only stay rotated. It does so until the film is gone, and does
            // not follow the shapes of the previews in the library.
            guard wasRotated, session?.isWatched == true else { return false }
        }
        // While a file is being opened, its shape is unknown.
        if let session, session.player.state == .opening, session.film.displaySize == nil { return wasRotated }
        return (pages.fullscreenRow?.quarterTurns ?? allPages.quarterTurns) == 1
    }

    /// The frame of the pages, in layout points. In fullscreen and its transitions, the frame is rounded to device
    /// pixels.
    private var pagesFrame: Rect {
        if layoutRotation.current.isRotated, pages.fullscreenRow == nil { return layoutRotation.current.bounds }
        guard let frame = allPages.frame, controller.state != .inline else { return controller.pagesFrame }
        return frame.onPixels(scale: window.scale)
    }

    /// The largest size, in points, of the player's page during the current fullscreen transition; nil if there is no
    /// transition. Video frames are prepared for this size.
    var pictureGoal: Size? { controller.state == .moving ? controller.bounds.size : nil }

    /// Hides the pointer if the player's page is on top, in fullscreen or with a film, and its controls are hidden.
    /// Otherwise shows the pointer.
    func updateCursor() {
        let isOverFilm = controller.isEntered || controller.state == .inline && pages.playerPage?.showing == .film
        window.window?.setCursorHidden(
            pages.isPlayerOnTop && isOverFilm && pages.playerPage?.areControlsShown == false)
    }

    // MARK: - Gestures

    /// Connects the page's gesture for dragging a fullscreen video down. The video shrinks while it is dragged. On
    /// release, the video leaves fullscreen or springs back.
    func connectDismissal(of page: PlayerPage) {
        page.gestures.canDismiss = { [weak controller] in controller.map { $0.state != .inline } ?? false }
        page.gestures.onDismissDrag = { [weak self] drag, now in
            guard let self else { return }
            let conversion = layoutRotation.input
            switch drag {
            case .began:
                revealRow()
                _ = controller.beginDrag(conversion.isRotated ? .left : .down, now: now)
            case .changed(let translation): controller.drag(by: conversion.windowVector(translation), now: now)
            case .ended(let velocity): controller.endDrag(velocity: conversion.windowVector(velocity), now: now)
            case .cancelled: controller.cancelDrag(now: now)
            }
            pages.setNeedsTick()
        }
    }
}
