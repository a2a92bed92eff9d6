import Animation
import Layers
import Navigation
import Time

// Where the film is seen: on its page, or in the small bars of the others.

extension Application {
    /// How long a small bar takes to come and to go.
    private static let miniBarDuration = Duration.milliseconds(250)

    /// A page's small bar.
    struct LinkedBar {
        let page: Page
        let bar: MiniPlayer
    }

    /// Whether the player's page is seen, and stays so unless the hand says otherwise.
    var isPlayerSeen: Bool {
        guard let page = playerPage else { return false }
        guard let (upper, lower) = stack.transitioningPages else { return stack.top === page }
        if upper === page { return !stack.isPopping }
        return lower === page && (stack.isPopping || stack.isHeld)
    }

    /// Brings the small bars up where the film is seen nowhere else, and down where it is. Each page in sight has its own,
    /// which moves with it.
    func placeMiniBars(at time: HostTime) {
        // What plays in a card by itself is seen there only.
        let isWanted = playing?.isWatched == true && !isPlayerSeen && !isFilmFloating
        // In a card, or in the corner, the film needs no bar.
        let pages = seenPages.filter { $0 !== playerPage && !showsFilmInCard($0) }
        for linked in miniBars where !pages.contains(where: { $0 === linked.page }) { unlink(linked.page) }
        if isWanted { for page in pages { link(page) } }
        if miniBars.isEmpty { return }
        let target = isWanted ? 1.0 : 0.0
        if miniBarReveal.model != target {
            miniBarReveal.animate(
                to: target, now: LocalTime(time), duration: Self.miniBarDuration, curve: .easeOut)
        }
        miniBarReveal.advance(to: LocalTime(time))
        let reveal = miniBarReveal.presentation(at: LocalTime(time))
        for linked in miniBars { linked.bar.reveal = reveal }
        if !isWanted, !miniBarReveal.isAnimating { for page in pages { unlink(page) } }
    }

    private func link(_ page: Page) {
        if miniBars.contains(where: { $0.page === page }) { return }
        let bar = MiniPlayer(
            open: { [weak self] in self?.showPlayer(animated: true, now: .now()) },
            togglePause: { [weak self] in self?.perform(.togglePause, now: .now()) },
            close: { [weak self] in self?.stopPlaying() })
        if let playing { bar.show(playing, now: .now()) }
        miniBars.append(LinkedBar(page: page, bar: bar))
        page.bottomView = bar.view
    }

    private func unlink(_ page: Page) {
        miniBars.removeAll { $0.page === page }
        if page.bottomView != nil { page.bottomView = nil }
    }

    /// Tells the small bars how `playing` stands.
    func showInMiniBars(_ playing: PlaybackSession, now: HostTime) {
        for linked in miniBars { linked.bar.show(playing, now: now) }
    }

    /// Lays the picture out wherever it is seen, and readies it for the largest of these places.
    func placePicture(scale: Double, now: HostTime) {
        for case let page as LibraryPage in seenPages { page.scale = scale }
        guard let playing else {
            hideInCards()
            playerPage?.hidePicture()
            return
        }
        let video = playing.video
        let isOnPage = playerPage.map { page in seenPages.contains { $0 === page } } ?? false
        if isOnPage { playerPage?.showPicture(of: playing, goal: pictureGoal, scale: scale) }
        for linked in miniBars { linked.bar.showPicture(of: video, isOnlyPlace: !isOnPage, scale: scale) }
        let isInCard = placeInCards(playing, isOnlyPlace: !isOnPage && miniBars.isEmpty, scale: scale, now: now)
        if !isOnPage, miniBars.isEmpty, !isInCard, !isFilmFloating {
            playerPage?.showPicture(of: playing, goal: pictureGoal, scale: scale)
        }
        // Its page may have gone just now, with a frame that was taken for it.
        if isFilmFloating, !isFilmSeen { filmElement?.prepare() }
    }

    /// Whether the film is seen in the main window.
    var isFilmSeen: Bool {
        !miniBars.isEmpty
            || seenPages.contains { $0 === playerPage || (!isFilmFloating && showsFilmInCard($0)) }
    }
}
