import Controls
import Geometry
import Layers
import Library
import Navigation
import Picture
import Platform
import Settings
import Time

// The library as cards.

extension LibraryPage {
    // MARK: - Cards

    /// The card of an item, if it is in view.
    func card(of id: LibraryItem.ID) -> LibraryCard? { rows.row(of: id).flatMap { list.view(of: $0) } as? LibraryCard }

    // MARK: - Layout

    /// The visible part of the list, between the bar and the covered area at the lower edge.
    var viewOfList: (upper: Double, lower: Double) {
        (list.insets.top - Theme.listPadding, list.layer.frame.size.height - list.insets.bottom + Theme.listPadding)
    }

    /// The height that is covered at the page's lower edge.
    var coveredBelow: Double { list.insets.bottom - Theme.listPadding }

    /// Sets the row heights for the view.
    func layoutRows() {
        let size = list.layer.frame.size
        defer { source.rowWidth = list.contentWidth ?? Theme.readableWidth }
        guard view == .cards, !size.isEmpty else {
            list.contentWidth = nil
            list.heights = RowHeights(Theme.rowHeight)
            return
        }
        let height = LibraryCard.rowHeight(width: size.width, viewport: viewOfList.lower - viewOfList.upper)
        let width = LibraryCard.pictureFrame(in: Size(width: size.width, height: height)).size.width
        list.contentWidth = width + 2 * Theme.margin
        list.heights = RowHeights(height, leading: rows.countAboveCards, of: Theme.rowHeight)
    }

    /// Keeps the visible part of the list in place while `change` lays out the rows: the item that plays, or the
    /// topmost one.
    func keepingPlace(_ change: () -> Void) {
        let anchor = film.frames.first { $0.id == film.playback.current } ?? film.frames.first
        let isAtTop = list.scroll.offset <= 0
        change()
        guard view == .cards, let anchor, !list.isScrolling, anchor.id == film.playback.current || !isAtTop,
            let row = rows.row(of: anchor.id)
        else { return }
        let frame = list.frame(of: row)
        let top = frame.minY + LibraryCard.pictureFrame(in: frame.size).minY
        if top != anchor.top { list.jump(to: list.scroll.offset + top - anchor.top) }
    }

    // MARK: - Posters

    /// The largest size of a poster: about the size at which it is shown.
    var posterLimit: PixelSize {
        guard view == .cards else { return PosterMaker.limit }
        return scale > 1.25 ? PixelSize(width: 1280, height: 720) : PixelSize(width: 960, height: 540)
    }

    // MARK: - The view

    /// Switches between list and cards without losing the scroll position.
    func setView(_ view: Settings.Library.View, now: HostTime) {
        guard view != self.view else { return }
        let anchor = shownAnchor
        if self.view == .cards { film.removeCards(self, now: now) }
        self.view = view
        showViewItem()
        renewPosters()
        list.stopScrolling(now: now)
        reloadRows()
        if let row = anchor.flatMap({ rows.row(of: $0) }) { list.jump(toShow: row) } else { list.jump(to: 0) }
        syncFilm()
        onRowsChange?()
    }

    /// The item to keep in view: the one that plays, or the topmost item unless the list is at its start.
    private var shownAnchor: LibraryItem.ID? {
        let visible = list.visibleRows
        if let playing, let row = rows.row(of: playing), visible.contains(row) { return playing }
        if list.scroll.offset <= 0 { return nil }
        return visible.lazy.compactMap { self.rows.item(at: $0)?.id }.dropFirst(visible.count > 1 ? 1 : 0).first
    }

    /// Sets the icon of the button in the bar to the other view.
    func showViewItem() {
        viewButton.icon = view == .cards ? .list : .cards
    }

    func toggleView(now: HostTime) {
        let other: Settings.Library.View = view == .cards ? .list : .cards
        setView(other, now: now)
        film.owner?.viewChanged(to: other, now: now)
    }

    // MARK: - The video's place

    /// The frame of a file's picture in its card, or of its poster in its row, in the page's points. Nil if the file is
    /// not on this page; it need not be in view.
    func filmPlace(of location: String) -> (frame: Rect, cornerRadius: Double)? {
        guard let row = rows.row(ofFile: location) else { return nil }
        let frame = list.frame(of: row)
        if rows.item(ofCard: row) != nil {
            let picture = LibraryCard.pictureFrame(in: frame.size)
            return (Self.moved(picture, by: frame.origin), Theme.cardRadius)
        }
        let poster = LibraryRow.posterFrame(in: frame.size, contentWidth: source.rowWidth)
        return (Self.moved(poster, by: frame.origin), Theme.posterRadius)
    }

    /// Scrolls to the row of a file without an animation.
    func reveal(_ location: String) {
        if let row = rows.row(ofFile: location) { list.jump(toShow: row) }
    }

    /// Dims the card of a file that is shown elsewhere, and no other; nil for none.
    func setPlaceholder(for location: String?) {
        let path = location.map { LibraryFolder.absolute($0) }
        guard path != film.placeholder else { return }
        if let old = film.placeholder { card(of: old)?.setDimmed(false) }
        film.placeholder = path
        // It must leave the corner as well.
        if path != nil, film.corner.isShown { film.corner.hide() }
        if let path { card(of: path)?.setDimmed(true) }
    }

    /// The frame of the picture of an item's card; nil if no part of it is in view.
    func seenPicture(of id: LibraryItem.ID) -> Rect? {
        guard let picture = picture(of: id) else { return nil }
        let (upper, lower) = viewOfList
        return picture.maxY > upper && picture.minY < lower ? picture : nil
    }

    /// The frame of the picture of an item's card, whether in view or not; nil if it has no card.
    func picture(of id: LibraryItem.ID) -> Rect? {
        guard let row = rows.row(of: id), rows.item(ofCard: row) != nil else { return nil }
        let frame = list.frame(of: row)
        return Self.moved(LibraryCard.pictureFrame(in: frame.size), by: frame.origin)
    }

    private static func moved(_ rect: Rect, by offset: Point) -> Rect {
        Rect(x: rect.minX + offset.x, y: rect.minY + offset.y, width: rect.size.width, height: rect.size.height)
    }

    // MARK: - What is playing

    /// Notes what is playing; nil for nothing.
    ///
    /// - Parameter isHeld: Whether the user asked for it; otherwise other cards may replace it.
    func setFilm(_ path: FilePath?, isHeld: Bool) {
        known = path.map { ($0, isHeld) }
        playing = isHeld ? path : nil
        syncFilm()
    }

    /// Finds the card of the current file, which may not have been known before.
    func syncFilm() {
        let id = view == .cards ? known.flatMap { rows.row(of: $0.path) == nil ? nil : $0.path } : nil
        film.filmChanged(id, isElsewhere: known != nil && id == nil, isHeld: known?.isHeld ?? false)
    }

    /// Whether the page shows the video, in its card or in the corner, so that no miniplayer is needed. Audio, and
    /// files that cannot be played, always need one.
    func hasFilm(_ playing: PlaybackSession?) -> Bool {
        guard view == .cards, let playing, let current = film.playback.current, known?.path == current else {
            return false
        }
        if case .failed = playing.player.state { return false }
        return playing.player.info.map { playing.player.hasVideo && !$0.isStill } ?? true
    }

    /// Whether the page shows moving video, which a snapshot would freeze.
    var showsFilm: Bool {
        guard view == .cards, let current = film.playback.current else { return false }
        return film.corner.isShown || film.playback.place == .corner || seenPicture(of: current) != nil
    }
}
