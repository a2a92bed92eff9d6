import Controls
import Geometry
import Layers
import Library
import Navigation
import Picture
import Platform
import Settings
import Time

// The library as cards: each film a large picture that plays in its place.

extension LibraryPage {
    // MARK: - Which rows are cards

    /// How many rows lie above the cards: what was played last, and folders.
    var rowsAboveCards: Int { view == .cards ? recentCount + folderCount : rowCount }

    /// The entry that a row shows as a card; nil where it is none.
    func entry(ofCard row: Int) -> LibraryItem? { row >= rowsAboveCards ? entry(at: row) : nil }

    /// The card of an entry, where it is in view.
    func card(of id: LibraryItem.ID) -> LibraryCard? { row(of: id).flatMap { list.view(of: $0) } as? LibraryCard }

    /// Whether there is a film in an entry, as far as is known: folders, sound and what is broken play in no card.
    func canPlay(_ entry: LibraryItem) -> Bool {
        guard entry.kind != .folder, entry.id != film.placeholder, !film.hasFailed(entry.id),
            let details = details(of: entry.id)
        else { return false }
        return details.failure == nil && details.summary?.hasVideo == true
    }

    /// The next film in the page's order.
    func nextCard(after id: LibraryItem.ID) -> LibraryItem.ID? {
        guard let row = row(of: id) else { return nil }
        for next in stride(from: row + 1, to: rowCount, by: 1) {
            if let entry = entry(ofCard: next), canPlay(entry) { return entry.id }
        }
        return nil
    }

    // MARK: - Layout

    /// What of the list is seen, between the bar and what lies over its lower edge.
    var viewOfList: (upper: Double, lower: Double) {
        (list.insets.top - Theme.listPadding, list.layer.frame.size.height - list.insets.bottom + Theme.listPadding)
    }

    /// How much of the page's lower edge is covered.
    var coveredBelow: Double { list.insets.bottom - Theme.listPadding }

    /// Rows are as high as the view has them.
    func layoutRows() {
        let size = list.layer.frame.size
        guard view == .cards, !size.isEmpty else {
            list.contentWidth = nil
            list.heights = RowHeights(Theme.rowHeight)
            return
        }
        let height = LibraryCard.rowHeight(width: size.width, viewport: viewOfList.lower - viewOfList.upper)
        let width = LibraryCard.pictureFrame(in: Size(width: size.width, height: height)).size.width
        list.contentWidth = width + 2 * Theme.margin
        list.heights = RowHeights(height, leading: rowsAboveCards, of: Theme.rowHeight)
    }

    /// Has what is seen stay where it is, by its identity, while `change` lays rows out anew: the film that plays first.
    func keepingPlace(_ change: () -> Void) {
        let anchor = film.frames.first { $0.id == film.playback.current } ?? film.frames.first
        let isAtTop = list.scroll.offset <= 0
        change()
        guard view == .cards, let anchor, !list.isScrolling, anchor.id == film.playback.current || !isAtTop,
            let row = row(of: anchor.id)
        else { return }
        let frame = list.frame(of: row)
        let top = frame.minY + LibraryCard.pictureFrame(in: frame.size).minY
        if top != anchor.top { list.jump(to: list.scroll.offset + top - anchor.top) }
    }

    // MARK: - Posters

    /// Posters as large as they are seen, within reason: more than that costs memory and time that nobody sees.
    var posterLimit: PixelSize {
        guard view == .cards else { return PosterMaker.limit }
        return scale > 1.25 ? PixelSize(width: 1280, height: 720) : PixelSize(width: 960, height: 540)
    }

    func configure(_ card: LibraryCard, _ entry: LibraryItem) {
        let details = details(of: entry.id)
        let poster = poster(of: entry)
        card.show(
            LibraryCard.Content(
                id: entry.id, name: entry.displayName, detail: Self.detail(of: entry, details),
                icon: Self.icon(of: entry, details), poster: poster?.image, posterSize: poster?.size ?? .zero,
                isPlaying: entry.path == playing, played: playedFraction(of: entry)))
        card.setMarked(film.playback.marked == entry.id)
        card.setDimmed(film.placeholder == entry.id)
    }

    // MARK: - Choosing the view

    /// Shows cards instead of a list, or the other way round; what is seen stays in view.
    func setView(_ view: Settings.Library.View, now: HostTime) {
        guard view != self.view else { return }
        let anchor = shownAnchor
        if self.view == .cards { film.removeCards(self, now: now) }
        self.view = view
        showViewItem()
        renewPosters()
        list.stopScrolling(now: now)
        reloadRows()
        if let row = anchor.flatMap(row(of:)) { list.jump(toShow: row) } else { list.jump(to: 0) }
        syncFilm()
        onNews?()
    }

    /// The entry that is to stay in view: what plays, or what is seen first, unless the list is at its beginning.
    private var shownAnchor: LibraryItem.ID? {
        let visible = list.visibleRows
        if let playing, let row = row(of: playing), visible.contains(row) { return playing }
        if list.scroll.offset <= 0 { return nil }
        return visible.lazy.compactMap { self.entry(at: $0)?.id }.dropFirst(visible.count > 1 ? 1 : 0).first
    }

    /// The button in the bar names the other view.
    func showViewItem() {
        viewButton.icon = view == .cards ? .list : .cards
    }

    func toggleView(now: HostTime) {
        let other: Settings.Library.View = view == .cards ? .list : .cards
        setView(other, now: now)
        film.owner?.viewChanged(to: other, now: now)
    }

    // MARK: - The film's place

    /// Where the card of a film has its picture, or in the list its row the poster, in the page's points: where it is seen
    /// now, or where it would be if the list were longer than the page. Nil where the film is none of this page's any more.
    func filmPlace(of location: String) -> (frame: Rect, cornerRadius: Double)? {
        let path = LibraryFolder.absolute(location)
        guard let row = row(of: path) ?? recentRow(of: location) else { return nil }
        let frame = list.frame(of: row)
        if entry(ofCard: row) != nil {
            let picture = LibraryCard.pictureFrame(in: frame.size)
            return (Self.moved(picture, by: frame.origin), Theme.cardRadius)
        }
        let poster = LibraryRow.posterFrame(in: frame.size, contentWidth: rowWidth)
        return (Self.moved(poster, by: frame.origin), Theme.posterRadius)
    }

    /// Has the row of a film come into view, at once: it is about to be there again.
    func reveal(_ location: String) {
        let path = LibraryFolder.absolute(location)
        if let row = row(of: path) ?? recentRow(of: location) { list.jump(toShow: row) }
    }

    /// The card of `location` shows its poster, darker, for its film is shown elsewhere; nil: none does.
    func setPlaceholder(for location: String?) {
        let path = location.map { LibraryFolder.absolute($0) }
        guard path != film.placeholder else { return }
        if let old = film.placeholder { card(of: old)?.setDimmed(false) }
        film.placeholder = path
        // Where it was seen small it is not any more.
        if path != nil, film.corner.isShown { film.corner.hide() }
        if let path { card(of: path)?.setDimmed(true) }
    }

    /// Where the picture of an entry's card is seen; nil where nothing of it is.
    func seenPicture(of id: LibraryItem.ID) -> Rect? {
        guard let picture = picture(of: id) else { return nil }
        let (upper, lower) = viewOfList
        return picture.maxY > upper && picture.minY < lower ? picture : nil
    }

    /// Where the picture of an entry's card is, in view or not; nil where it has no card.
    func picture(of id: LibraryItem.ID) -> Rect? {
        guard let row = row(of: id), entry(ofCard: row) != nil else { return nil }
        let frame = list.frame(of: row)
        return Self.moved(LibraryCard.pictureFrame(in: frame.size), by: frame.origin)
    }

    private static func moved(_ rect: Rect, by offset: Point) -> Rect {
        Rect(x: rect.minX + offset.x, y: rect.minY + offset.y, width: rect.size.width, height: rect.size.height)
    }

    /// How wide the content of rows is that are no cards.
    var rowWidth: Double { view == .cards ? list.contentWidth ?? Theme.readableWidth : Theme.readableWidth }

    // MARK: - What plays

    /// Something plays, or nothing does.
    ///
    /// - Parameter isHeld: whether a person wants it; what plays in a card by itself gives way.
    func setFilm(_ path: FilePath?, isHeld: Bool) {
        known = path.map { ($0, isHeld) }
        playing = isHeld ? path : nil
        syncFilm()
    }

    /// Which card the film belongs to may be known only now.
    func syncFilm() {
        let id = view == .cards ? known.flatMap { row(of: $0.path) == nil ? nil : $0.path } : nil
        film.filmChanged(id, isElsewhere: known != nil && id == nil, isHeld: known?.isHeld ?? false)
    }

    /// Whether the film is seen on this page, in its card or in the corner, so that it needs no small bar. What has no
    /// moving picture, and what cannot be played, has one: sound goes on there, and there it says why.
    func hasFilm(_ playing: PlaybackSession?) -> Bool {
        guard view == .cards, let playing, let current = film.playback.current, known?.path == current else {
            return false
        }
        if case .failed = playing.player.state { return false }
        return playing.player.info.map { playing.player.hasVideo && !$0.isStill } ?? true
    }

    /// Whether what goes on in the page would stand still in a picture of it.
    var showsFilm: Bool {
        guard view == .cards, let current = film.playback.current else { return false }
        return film.corner.isShown || film.playback.place == .corner || seenPicture(of: current) != nil
    }
}
