import GlissadeControls
import GlissadeLayers
import GlissadeLibrary
import GlissadeMedia
import GlissadeSettings
import GlissadeTime

/// Carries out the requests of library pages, such as playing and stopping videos. Main thread.
@MainActor protocol LibraryPageOwner: AnyObject {
    /// Plays an item's video in its row on `page`.
    ///
    /// - Parameter isHeld: Whether the item counts as played by the user. If so, autoplay in another row does not
    ///   replace it.
    func playInPlace(_ entry: LibraryItem, isHeld: Bool, on page: LibraryPage, now: HostTime)
    /// Stops the video in a row or in the corner.
    func stopInPlace(now: HostTime)
    /// Opens the player's page for the video in the corner.
    func openFromCorner(now: HostTime)
    func togglePauseInCorner(now: HostTime)
    /// Called when the user has switched between list and cards.
    func viewChanged(to view: Settings.Library.View, now: HostTime)
}

/// The video of a library page. Determines which row the video belongs to, and whether the video is shown in that
/// row, in the corner or not at all. Here, a row is a card, or a row of a list whose videos play in place. Main thread.
@MainActor final class InlineVideo {
    var playback = ListPlayback<LibraryItem.ID>()
    /// Called when the visibility of a row's picture area changes.
    var onVisibility: (@MainActor (LibraryItem.ID, RowVisibility<LibraryItem.ID>.Change) -> Void)?
    /// The items that failed to play in their rows, each with the state of its file at the time of the failure.
    private var failed: [LibraryItem.ID: FileState] = [:]
    /// The item whose video is shown fullscreen or in a floating window; nil if there is none.
    var placeholder: LibraryItem.ID?
    /// Whether a file without a row on this page is playing.
    var isElsewhere = false
    /// Whether any part of the page is visible.
    var isSeen = false
    private(set) lazy var corner = CornerMiniPlayer(
        open: { [weak self] in self?.owner?.openFromCorner(now: $0) },
        togglePause: { [weak self] in self?.owner?.togglePauseInCorner(now: .now()) },
        close: { [weak self] in self?.owner?.stopInPlace(now: .now()) })
    /// A file's size and modification time. If either changes, the file may contain a different video.
    private struct FileState: Equatable {
        var byteCount: Int
        var modified: FileTime

        init(_ entry: LibraryItem) { (byteCount, modified) = (entry.byteCount, entry.modified) }
    }

    weak var owner: (any LibraryPageOwner)?
    private var visibility = RowVisibility<LibraryItem.ID>()
    /// The vertical extents of the visible rows' picture areas, from top to bottom, in the list's coordinates.
    private(set) var frames: [RowFrame<LibraryItem.ID>] = []
    /// The row that shows each visible item. A row is notified when its item goes out of view or moves to another
    /// row.
    private var inlineRows: [LibraryItem.ID: InlineVideoRow] = [:]
    private var rows: [ListPlayback<LibraryItem.ID>.Row] = []
    /// The item whose row is outlined; nil if no row is outlined.
    private var shownMark: LibraryItem.ID?
    /// The item whose video was last shown on this page; nil if the video has been hidden since.
    private var shownFilm: LibraryItem.ID?
    /// The visible row of the item whose video was last shown; nil if no such row is visible.
    private weak var shownRow: InlineVideoRow?

    // MARK: - Time

    /// Starts and stops videos as their rows scroll into and out of view. Returns whether the page must be redrawn.
    func advance(_ page: LibraryPage, to now: HostTime, isMoving: Bool) -> Bool {
        updatePositions(page)
        playback.isSuspended = isMoving || !isSeen || isElsewhere || placeholder != nil
        let action = playback.update(rows, isScrolling: page.list.isScrolling, now: now)
        if let action { perform(action, page, now: now) }
        let isMarkNew = shownMark != playback.marked
        if isMarkNew {
            if let old = shownMark { page.inlineRow(of: old)?.setMarked(false) }
            shownMark = playback.marked
        }
        if let shownMark { page.inlineRow(of: shownMark)?.setMarked(true) }
        return action != nil || isMarkNew
    }

    /// Updates the positions of the visible rows. Notifies the rows whose visibility has changed.
    private func updatePositions(_ page: LibraryPage) {
        frames.removeAll(keepingCapacity: true)
        rows.removeAll(keepingCapacity: true)
        let (upper, lower) = page.viewOfList
        for row in page.list.visibleRows {
            guard let entry = page.rows.inlineItem(at: row) else { continue }
            let picture = page.pictureFrame(ofRow: row)
            let place = RowFrame(id: entry.id, top: picture.minY, height: picture.size.height)
            frames.append(place)
            rows.append(
                .init(
                    id: entry.id, fraction: place.fraction(from: upper, to: lower), canPlay: canPlay(entry, page.rows)))
        }
        guard isSeen else { return }
        for frame in frames { updateRow(of: frame.id, page) }
        visibility.update(frames, from: upper, to: lower) { tell($0, $1, page) }
    }

    /// Updates the row of a visible item. If the item is now shown by a different row, notifies the old and the new
    /// row.
    private func updateRow(of id: LibraryItem.ID, _ page: LibraryPage) {
        guard let old = inlineRows[id], let row = page.inlineRow(of: id), row !== old else { return }
        old.noteVisibility(.didDisappear, of: id)
        inlineRows[id] = row
        row.noteVisibility(.willAppear, of: id)
    }

    private func tell(_ id: LibraryItem.ID, _ change: RowVisibility<LibraryItem.ID>.Change, _ page: LibraryPage) {
        if change == .willAppear, inlineRows[id] == nil { inlineRows[id] = page.inlineRow(of: id) }
        inlineRows[id]?.noteVisibility(change, of: id)
        if change == .didDisappear { inlineRows[id] = nil }
        onVisibility?(id, change)
    }

    /// Notifies all visible rows that they are out of view, because the page is hidden or its view changes.
    func leaveView(_ page: LibraryPage) { visibility.removeAll { tell($0, $1, page) } }

    /// Stops showing videos in rows, because the page's view is about to change. Also stops a preview.
    func leave(_ page: LibraryPage, now: HostTime) {
        leaveView(page)
        frames.removeAll(keepingCapacity: true)
        shownMark = nil
        hideFilm()
        let (current, isHeld) = (playback.current, playback.isHeld)
        // Resets the playback state, so that the most visible row plays when the page shows rows again.
        var fresh = ListPlayback<LibraryItem.ID>()
        fresh.leaving = playback.leaving
        fresh.playsNext = playback.playsNext
        fresh.disappearThreshold = playback.disappearThreshold
        playback = fresh
        // A video that counts as played by the user continues in the miniplayer.
        if current != nil, !isHeld { owner?.stopInPlace(now: now) }
    }

    private func perform(_ action: ListPlayback<LibraryItem.ID>.Action, _ page: LibraryPage, now: HostTime) {
        switch action {
        case .play(let id): play(id, page, now: now)
        case .next(let id):
            if let row = page.rows.row(of: id) { page.list.reveal(row, now: now) }
            play(id, page, now: now)
        case .stop: owner?.stopInPlace(now: now)
        // `show` moves the video into the corner and back.
        case .handOver, .takeBack: break
        case .release: hideFilm()
        }
    }

    private func play(_ id: LibraryItem.ID, _ page: LibraryPage, now: HostTime) {
        guard let row = page.rows.row(of: id), let entry = page.rows.inlineItem(at: row) else { return }
        owner?.playInPlace(entry, isHeld: playback.isHeld, on: page, now: now)
    }

    /// Handles the end of the video in a row. Returns whether the video in another row now plays instead.
    func ended(_ page: LibraryPage, now: HostTime) -> Bool {
        guard let current = playback.current,
            case .next(let id)? = playback.ended(next: nextRow(after: current, page.rows))
        else { return false }
        perform(.next(id), page, now: now)
        return true
    }

    /// Records that an item failed to play in its row. The item is not tried again until its file changes.
    func playingFailed(_ id: LibraryItem.ID, _ page: LibraryPage) {
        if let row = page.rows.row(of: id), let entry = page.rows.item(at: row) { failed[id] = FileState(entry) }
        playback.failed()
    }

    /// Returns whether an item can play in its row. Returns false until the item is known to have video, after
    /// playback of the item has failed, and while its video is fullscreen or in a floating window.
    func canPlay(_ item: LibraryItem, _ rows: LibraryRows) -> Bool {
        guard item.kind != .folder, item.id != placeholder, failed[item.id] == nil,
            let details = rows.details(of: item.id)
        else { return false }
        return details.failure == nil && details.summary?.hasVideo == true
    }

    /// Returns the first item after `id` that can play in its row; nil if there is none.
    private func nextRow(after id: LibraryItem.ID, _ rows: LibraryRows) -> LibraryItem.ID? {
        guard let row = rows.row(of: id) else { return nil }
        for next in stride(from: row + 1, to: rows.count, by: 1) {
            if let item = rows.inlineItem(at: next), canPlay(item, rows) { return item.id }
        }
        return nil
    }

    /// Handles a change of the page's items. If the item of the current video is gone, stops the video, unless it
    /// counts as played by the user. Such a video continues, but not on this page.
    func rowsChanged(_ page: LibraryPage, now: HostTime) {
        // A file that failed is not tried again until it has changed.
        failed = failed.filter { id, state in
            page.rows.row(of: id).flatMap { page.rows.item(at: $0) }.map(FileState.init) == state
        }
        if let action = playback.forget(unless: { page.rows.row(of: $0) != nil }) { perform(action, page, now: now) }
    }

    /// Handles a change of the current file.
    ///
    /// - Parameters:
    ///   - id: The item that is playing; nil if nothing is playing, or if the current file has no row on this page.
    ///   - isElsewhere: Whether a file without a row on this page is playing.
    ///   - isHeld: Whether the file counts as played by the user.
    func filmChanged(_ id: LibraryItem.ID?, isElsewhere: Bool, isHeld: Bool) {
        self.isElsewhere = isElsewhere
        guard let id else {
            if playback.current != nil { playback.wasStopped() }
            return hideFilm()
        }
        guard playback.current != id || isHeld else { return }
        // If the previous video was in the corner, the new one starts there, unless its row is in view.
        let least = 1 - playback.disappearThreshold
        let isInView = rows.contains { $0.id == id && $0.fraction >= least }
        playback.open(id, isHeld: isHeld, staysInCorner: !isInView)
    }

    // MARK: - The picture

    /// The conditions under which the video is shown on a page.
    struct Context {
        /// Whether the video is visible nowhere else. If so, frames are prepared for the video's size on this page.
        var isOnlyPlace: Bool
        /// Whether the video may appear in the corner: false while the player's page covers this page.
        var canUseCorner: Bool
        /// Device pixels per point.
        var scale: Double
    }

    /// Shows the video in its row or in the corner, or hides it if it belongs in neither.
    func show(_ playing: PlaybackSession, on page: LibraryPage, in context: Context, now: HostTime) {
        guard let current = playback.current else { return hideFilm() }
        let row = current == placeholder ? nil : page.inlineRow(of: current)
        if shownRow !== row { shownRow?.hideFilm() }
        shownRow = row
        // The corner still shows the previous video, but the new one starts in its row.
        if shownFilm != current, corner.isShown, playback.place == .row { corner.hide() }
        shownFilm = current
        let resting = CornerMiniPlayer.frame(in: page.layer.frame.size, bottom: page.coveredBelow)
        corner.setWanted(
            playback.place == .corner && context.canUseCorner && current != placeholder && !resting.size.isEmpty,
            isRowSeen: page.seenPicture(of: current) != nil, now: now)
        corner.place(from: page.picture(of: current), to: resting, at: now)
        let film = playing.film
        guard let aspect = film.displaySize, !aspect.isEmpty else { return hidePicture() }
        let isPaused =
            switch playing.player.state {
            case .opening, .buffering, .reconnecting, .playing: false
            case .paused, .ended, .failed: true
            }
        if corner.isShown {
            row?.hideFilm()
            let size = corner.placeFilm(aspect: aspect, restingIn: resting, scale: context.scale)
            if context.isOnlyPlace, !size.isEmpty { film.place(destination: size, isSmall: true) }
            corner.showFilm(film.content, isPaused: isPaused, now: now)
        } else if let row {
            let size = row.placeFilm(aspect: aspect, scale: context.scale)
            if context.isOnlyPlace, !size.isEmpty { film.place(destination: size, isSmall: true) }
            row.showFilm(film.content, fraction: Self.fraction(playing, now: now), isSilenced: playing.isSilenced)
        }
    }

    private static func fraction(_ playing: PlaybackSession, now: HostTime) -> Double? {
        guard let length = playing.player.info?.duration, length > .zero else { return nil }
        return Double(playing.player.position(at: now).nanoseconds) / Double(length.nanoseconds)
    }

    private func hidePicture() {
        shownRow?.hideFilm()
        corner.showFilm(.none, isPaused: false, now: .now())
    }

    /// Hides the video in its row and in the corner of this page.
    func hideFilm() {
        shownRow?.hideFilm()
        shownRow = nil
        shownFilm = nil
        if corner.isShown { corner.hide() }
    }
}
