import Controls
import Layers
import Library
import Media
import Settings
import Time

/// What a library page asks of whoever owns the player. Main thread.
@MainActor protocol LibraryPageOwner: AnyObject {
    /// A card begins to play in its place.
    func playInPlace(_ entry: LibraryItem, isHeld: Bool, on page: LibraryPage, now: HostTime)
    /// What plays in a card, or in the corner, ends.
    func stopInPlace(now: HostTime)
    /// The film in the corner was clicked.
    func openFromCorner(now: HostTime)
    func togglePauseInCorner(now: HostTime)
    /// A person looks at cards instead of a list, or the other way round.
    func viewChanged(to view: Settings.Library.View, now: HostTime)
}

/// The film that plays in a library page's cards: which card it is, and where it is seen. Main thread.
@MainActor final class InlineVideo {
    var playback = ListPlayback<LibraryItem.ID>()
    /// Hears how far the cards' pictures have come into view, or gone out of it.
    var onVisibility: (@MainActor (LibraryItem.ID, RowVisibility<LibraryItem.ID>.Change) -> Void)?
    /// What could not be played in its card, as its file was then.
    private var failed: [LibraryItem.ID: FileState] = [:]
    /// Whose film is shown elsewhere.
    var placeholder: LibraryItem.ID?
    /// Whether something plays that is none of this page's cards.
    var isElsewhere = false
    /// Whether the page is seen, at least in part.
    var isSeen = false
    private(set) lazy var corner = CornerMiniPlayer(
        open: { [weak self] in self?.owner?.openFromCorner(now: $0) },
        togglePause: { [weak self] in self?.owner?.togglePauseInCorner(now: .now()) },
        close: { [weak self] in self?.owner?.stopInPlace(now: .now()) })
    /// A file that has another size or time may be another film.
    private struct FileState: Equatable {
        var byteCount: Int
        var modified: FileTime

        init(_ entry: LibraryItem) { (byteCount, modified) = (entry.byteCount, entry.modified) }
    }

    weak var owner: (any LibraryPageOwner)?
    private var visibility = RowVisibility<LibraryItem.ID>()
    /// Where the cards' pictures are seen, the topmost first.
    private(set) var frames: [RowFrame<LibraryItem.ID>] = []
    /// Which card hears how far it is in view; the list has it show another entry when it likes.
    private var hearing: [LibraryItem.ID: LibraryCard] = [:]
    private var rows: [ListPlayback<LibraryItem.ID>.Row] = []
    private var shownMark: LibraryItem.ID?
    /// Whose film was shown last.
    private var shownFilm: LibraryItem.ID?
    /// The card that the film is in.
    private weak var shownCard: LibraryCard?

    // MARK: - Time

    /// Looks where the cards are, and does what follows from it. True where something is to be drawn anew.
    func advance(_ page: LibraryPage, to now: HostTime, isMoving: Bool) -> Bool {
        look(page)
        playback.isSuspended = isMoving || !isSeen || isElsewhere || placeholder != nil
        let action = playback.update(rows, isScrolling: page.list.isScrolling, now: now)
        if let action { perform(action, page, now: now) }
        let isMarkNew = shownMark != playback.marked
        if isMarkNew {
            if let old = shownMark { page.card(of: old)?.setMarked(false) }
            shownMark = playback.marked
        }
        if let shownMark { page.card(of: shownMark)?.setMarked(true) }
        return action != nil || isMarkNew
    }

    /// Where the cards are now; each hears how far it is in view.
    private func look(_ page: LibraryPage) {
        frames.removeAll(keepingCapacity: true)
        rows.removeAll(keepingCapacity: true)
        let (upper, lower) = page.viewOfList
        for row in page.list.visibleRows {
            guard let entry = page.entry(ofCard: row) else { continue }
            let frame = page.list.frame(of: row)
            let picture = LibraryCard.pictureFrame(in: frame.size)
            let place = RowFrame(id: entry.id, top: frame.minY + picture.minY, height: picture.size.height)
            frames.append(place)
            rows.append(
                .init(id: entry.id, fraction: place.fraction(from: upper, to: lower), canPlay: page.canPlay(entry)))
        }
        guard isSeen else { return }
        for frame in frames { rehome(frame.id, page) }
        visibility.update(frames, from: upper, to: lower) { tell($0, $1, page) }
    }

    /// An entry that is in view already may have come to another card.
    private func rehome(_ id: LibraryItem.ID, _ page: LibraryPage) {
        guard let old = hearing[id], let card = page.card(of: id), card !== old else { return }
        old.hear(.didDisappear, of: id)
        hearing[id] = card
        card.hear(.willAppear, of: id)
    }

    private func tell(_ id: LibraryItem.ID, _ change: RowVisibility<LibraryItem.ID>.Change, _ page: LibraryPage) {
        if change == .willAppear, hearing[id] == nil { hearing[id] = page.card(of: id) }
        hearing[id]?.hear(change, of: id)
        if change == .didDisappear { hearing[id] = nil }
        onVisibility?(id, change)
    }

    /// The page is not seen any more, or its cards are gone: none of them is in view.
    func leaveView(_ page: LibraryPage) { visibility.removeAll { tell($0, $1, page) } }

    /// The cards are gone: the page shows a list.
    func removeCards(_ page: LibraryPage, now: HostTime) {
        leaveView(page)
        frames.removeAll(keepingCapacity: true)
        shownMark = nil
        hideFilm()
        let (current, isHeld) = (playback.current, playback.isHeld)
        // Cards that come again are seen anew: what is most in view then plays.
        var anew = ListPlayback<LibraryItem.ID>()
        anew.leaving = playback.leaving
        anew.playsNext = playback.playsNext
        anew.disappearThreshold = playback.disappearThreshold
        playback = anew
        // What a person watches goes on in the small bar.
        if current != nil, !isHeld { owner?.stopInPlace(now: now) }
    }

    private func perform(_ action: ListPlayback<LibraryItem.ID>.Action, _ page: LibraryPage, now: HostTime) {
        switch action {
        case .play(let id): play(id, page, now: now)
        case .next(let id):
            if let row = page.row(of: id) { page.list.reveal(row, now: now) }
            play(id, page, now: now)
        case .stop: owner?.stopInPlace(now: now)
        // The corner follows the place in each frame; of what is let go of there is the small bar.
        case .handOver, .takeBack: break
        case .release: hideFilm()
        }
    }

    private func play(_ id: LibraryItem.ID, _ page: LibraryPage, now: HostTime) {
        guard let row = page.row(of: id), let entry = page.entry(ofCard: row) else { return }
        owner?.playInPlace(entry, isHeld: playback.isHeld, on: page, now: now)
    }

    /// The film has played to its end: true where the next card's begins.
    func ended(_ page: LibraryPage, now: HostTime) -> Bool {
        guard let current = playback.current,
            case .next(let id)? = playback.ended(next: page.nextCard(after: current))
        else { return false }
        perform(.next(id), page, now: now)
        return true
    }

    /// A film could not be played in its card.
    func playingFailed(_ id: LibraryItem.ID, _ page: LibraryPage) {
        if let row = page.row(of: id), let entry = page.entry(at: row) { failed[id] = FileState(entry) }
        playback.failed()
    }

    /// Whether a film could not be played in its card.
    func hasFailed(_ id: LibraryItem.ID) -> Bool { failed[id] != nil }

    /// The page has other cards.
    func rowsChanged(_ page: LibraryPage, now: HostTime) {
        // What could not be played, and is another file by now, is tried again; the rest is not, whatever the folder's news.
        failed = failed.filter { id, state in
            page.row(of: id).flatMap { page.entry(at: $0) }.map(FileState.init) == state
        }
        if let action = playback.forget(unless: { page.row(of: $0) != nil }) { perform(action, page, now: now) }
    }

    /// A film plays, or none does.
    ///
    /// - Parameter id: the film's, where it has a card here.
    func filmChanged(_ id: LibraryItem.ID?, isElsewhere: Bool, isHeld: Bool) {
        self.isElsewhere = isElsewhere
        guard let id else {
            if playback.current != nil { playback.wasStopped() }
            return hideFilm()
        }
        guard playback.current != id || isHeld else { return }
        // What follows in the list upon a film in the corner goes on there, unless its card is in view.
        let least = 1 - playback.disappearThreshold
        let isInView = rows.contains { $0.id == id && $0.fraction >= least }
        playback.open(id, isHeld: isHeld, staysInCorner: !isInView)
    }

    // MARK: - Where it is seen

    /// Shows the film where it belongs, and readies it for that size where it is seen nowhere else.
    ///
    /// - Parameter isCornerWanted: whether it may be in the corner: not while its own page is seen.
    func show(
        _ playing: PlaybackSession, on page: LibraryPage, isOnlyPlace: Bool, isCornerWanted: Bool, scale: Double,
        now: HostTime
    ) {
        guard let current = playback.current else { return hideFilm() }
        let card = current == placeholder ? nil : page.card(of: current)
        if shownCard !== card { shownCard?.hideFilm() }
        shownCard = card
        // The film that was in the corner is gone, where the new one begins in its card.
        if shownFilm != current, corner.isShown, playback.place == .row { corner.hide() }
        shownFilm = current
        let resting = CornerMiniPlayer.frame(in: page.layer.frame.size, bottom: page.coveredBelow)
        corner.setWanted(
            playback.place == .corner && isCornerWanted && current != placeholder && !resting.size.isEmpty,
            isCardSeen: page.seenPicture(of: current) != nil, now: now)
        corner.place(from: page.picture(of: current), to: resting, at: now)
        let video = playing.video
        guard let aspect = video.displaySize, !aspect.isEmpty else { return hidePicture() }
        let isPaused =
            switch playing.player.state {
            case .opening, .buffering, .reconnecting, .playing: false
            case .paused, .ended, .failed: true
            }
        if corner.isShown {
            card?.hideFilm()
            let size = corner.placeFilm(aspect: aspect, restingIn: resting, scale: scale)
            if isOnlyPlace, !size.isEmpty { video.place(destination: size, isSmall: true) }
            corner.showFilm(video.content, isPaused: isPaused, now: now)
        } else if let card {
            let size = card.placeFilm(aspect: aspect, scale: scale)
            if isOnlyPlace, !size.isEmpty { video.place(destination: size, isSmall: true) }
            card.showFilm(video.content, fraction: Self.fraction(playing, now: now), isSilenced: playing.isSilenced)
        }
    }

    private static func fraction(_ playing: PlaybackSession, now: HostTime) -> Double? {
        guard let length = playing.player.info?.duration, length > .zero else { return nil }
        return Double(playing.player.position(at: now).nanoseconds) / Double(length.nanoseconds)
    }

    private func hidePicture() {
        shownCard?.hideFilm()
        corner.showFilm(.none, isPaused: false, now: .now())
    }

    /// No film is this page's.
    func hideFilm() {
        shownCard?.hideFilm()
        shownCard = nil
        shownFilm = nil
        if corner.isShown { corner.hide() }
    }
}
