import GlissadeControls
import GlissadeGeometry
import GlissadeLayers
import GlissadeLibrary
import GlissadeNavigation
import GlissadePicture
import GlissadePlatform
import GlissadeSettings
import GlissadeTime

// The cards of a library page, and the place in a card or row where the page shows the video.

extension LibraryPage {
    // MARK: - Cards

    /// Returns the card or row of an item; nil if the item is out of view, or if its video cannot play in place.
    func inlineRow(of id: LibraryItem.ID) -> InlineVideoRow? {
        guard let row = rows.row(of: id), rows.inlineItem(at: row) != nil else { return nil }
        return list.view(of: row) as? InlineVideoRow
    }

    // MARK: - Layout

    /// The uncovered vertical range of the list, in the list's coordinates. It extends from the lower edge of the
    /// navigation bar to the upper edge of the area that is covered at the bottom of the page.
    var viewOfList: (upper: Double, lower: Double) {
        (list.insets.top - Theme.listPadding, list.layer.frame.size.height - list.insets.bottom + Theme.listPadding)
    }

    /// The height of the area that is covered at the bottom of the page, for instance by a miniplayer, in points.
    var coveredBelow: Double { list.insets.bottom - Theme.listPadding }

    /// Sets the row heights and the content width for the current view.
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

    /// Runs `change`, which lays out the rows, and then scrolls so that a card or row stays where it was. This is the
    /// playing one if it is visible, else the topmost visible one.
    ///
    /// Does not scroll if no videos play in place, or if the list is already moving. A list at its start stays
    /// there, unless the playing row is visible.
    func keepingPlace(_ change: () -> Void) {
        let anchor = film.frames.first { $0.id == film.playback.current } ?? film.frames.first
        let isAtTop = list.scroll.offset <= 0
        change()
        guard rows.playsInPlace, let anchor, !list.isScrolling, anchor.id == film.playback.current || !isAtTop,
            let row = rows.row(of: anchor.id)
        else { return }
        let top = pictureFrame(ofRow: row).minY
        if top != anchor.top { list.jump(to: list.scroll.offset + top - anchor.top) }
    }

    // MARK: - Posters

    /// The maximum size of a poster, in pixels: roughly the size at which the current view shows it.
    var posterLimit: PixelSize {
        guard view == .cards else { return PosterMaker.limit }
        return scale > 1.25 ? PixelSize(width: 1280, height: 720) : PixelSize(width: 960, height: 540)
    }

    // MARK: - The view

    /// Switches to another view, a list or cards. If possible, an item that was in view stays in view.
    func setView(_ view: Settings.Library.View, now: HostTime) {
        guard view != self.view else { return }
        let anchor = shownAnchor
        if rows.playsInPlace { film.leave(self, now: now) }
        self.view = view
        showViewItem()
        renewPosters()
        list.stopScrolling(now: now)
        reloadRows()
        if let row = anchor.flatMap({ rows.row(of: $0) }) { list.jump(toShow: row) } else { list.jump(to: 0) }
        syncFilm()
        onRowsChange?()
    }

    /// The item to keep in view when the view changes: the playing item if it is visible, else an item near the top.
    ///
    /// Nil if there is no such item. Also nil if the list is scrolled to its start and the playing item is not visible.
    private var shownAnchor: LibraryItem.ID? {
        let visible = list.visibleRows
        if let playing, let row = rows.row(of: playing), visible.contains(row) { return playing }
        if list.scroll.offset <= 0 { return nil }
        return visible.lazy.compactMap { self.rows.item(at: $0)?.id }.dropFirst(visible.count > 1 ? 1 : 0).first
    }

    /// Updates the icon of `viewButton`. The icon shows the view that a click switches to.
    func showViewItem() {
        viewButton.icon = view == .cards ? .list : .cards
    }

    /// Sets whether videos play in the list's rows.
    func setPlaysInRows(_ playsInRows: Bool, now: HostTime) {
        guard playsInRows != rows.playsInRows else { return }
        if view == .list, rows.playsInRows { film.leave(self, now: now) }
        rows.playsInRows = playsInRows
        reloadRows()
        syncFilm()
        onRowsChange?()
    }

    func toggleView(now: HostTime) {
        let other: Settings.Library.View = view == .cards ? .list : .cards
        setView(other, now: now)
        film.owner?.viewChanged(to: other, now: now)
    }

    // MARK: - The video's place

    /// Returns the frame and corner radius of a file's picture: of the picture area in its card, or of the poster in
    /// its row. The frame is in the page's coordinates and may be out of view. Returns nil if the file is not on this
    /// page.
    func filmPlace(of location: String) -> (frame: Rect, cornerRadius: Double)? {
        guard let row = rows.row(ofFile: location) else { return nil }
        return (pictureFrame(ofRow: row), rows.isCard(row) ? Theme.cardRadius : Theme.posterRadius)
    }

    /// Returns the frame of the picture area in a card, or of the poster in a row, in the list's coordinates, which are
    /// the page's.
    func pictureFrame(ofRow row: Int) -> Rect {
        let frame = list.frame(of: row)
        let picture =
            rows.isCard(row)
            ? LibraryCard.pictureFrame(in: frame.size)
            : LibraryRow.posterFrame(in: frame.size, contentWidth: source.rowWidth)
        return Rect(
            origin: Point(x: picture.minX + frame.minX, y: picture.minY + frame.minY), size: picture.size)
    }

    /// Scrolls to the row or card of a file, without animation. Does nothing if the row or card is already fully
    /// visible, or if the file is not on this page.
    func reveal(_ location: String) {
        if let row = rows.row(ofFile: location) { list.jump(toShow: row) }
    }

    /// Dims the row of a file whose video is fullscreen or in a floating window, and hides the video in the corner.
    /// Undims any other row. If `location` is nil, undims all rows.
    func setPlaceholder(for location: String?) {
        let path = location.map { LibraryFolder.absolute($0) }
        guard path != film.placeholder else { return }
        if let old = film.placeholder { inlineRow(of: old)?.setDimmed(false) }
        film.placeholder = path
        // The video must leave the corner as well.
        if path != nil, film.corner.isShown { film.corner.hide() }
        if let path { inlineRow(of: path)?.setDimmed(true) }
    }

    /// Returns the frame of the picture area in an item's card or row, in the page's coordinates; nil if the item's video
    /// cannot play in place, or if no part of the area is in view.
    func seenPicture(of id: LibraryItem.ID) -> Rect? {
        guard let picture = picture(of: id) else { return nil }
        let (upper, lower) = viewOfList
        return picture.maxY > upper && picture.minY < lower ? picture : nil
    }

    /// Returns the frame of the picture area in an item's card or row, in the page's coordinates; nil if the item's video
    /// cannot play in place. The frame may be out of view.
    func picture(of id: LibraryItem.ID) -> Rect? {
        guard let row = rows.row(of: id), rows.inlineItem(at: row) != nil else { return nil }
        return pictureFrame(ofRow: row)
    }

    // MARK: - What is playing

    /// Sets the file that is playing, whether or not the file is on this page; nil if nothing is playing.
    ///
    /// - Parameter isHeld: Whether the file counts as played by the user. If not, autoplay in another row may replace
    ///   it, and its row is not marked as playing.
    func setFilm(_ path: BytePath?, isHeld: Bool) {
        known = path.map { ($0, isHeld) }
        playing = isHeld ? path : nil
        syncFilm()
    }

    /// Determines which row the current file belongs to. Must be called when the file, the rows or the view have
    /// changed.
    func syncFilm() {
        let id = rows.playsInPlace ? known.flatMap { rows.row(of: $0.path) == nil ? nil : $0.path } : nil
        film.filmChanged(id, isElsewhere: known != nil && id == nil, isHeld: known?.isHeld ?? false)
    }

    /// Returns whether the page itself shows the video, in a row or in the corner. If so, the page needs no
    /// miniplayer.
    ///
    /// Returns false for audio, still images, and files that cannot be played. A file that is still being opened counts
    /// as a video.
    func hasFilm(_ playing: PlaybackSession?) -> Bool {
        guard rows.playsInPlace, let playing, let current = film.playback.current, known?.path == current else {
            return false
        }
        if case .failed = playing.player.state { return false }
        return playing.player.info.map { playing.player.hasVideo && !$0.isStill } ?? true
    }

    /// Whether the video may be visible on the page. If so, the page is drawn live in transitions, since the video
    /// would not move in a snapshot.
    var showsFilm: Bool {
        guard rows.playsInPlace, let current = film.playback.current else { return false }
        return film.corner.isShown || film.playback.place == .corner || seenPicture(of: current) != nil
    }
}
