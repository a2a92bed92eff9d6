import GlissadeControls
import GlissadeGeometry
import GlissadeGestures
import GlissadeInput
import GlissadeLayers
import GlissadeLibrary
import GlissadeMedia
import GlissadeNavigation
import GlissadeRendering
import GlissadeSettings
import GlissadeTime

/// A page that shows a folder's media as a list or as cards. A click plays a file or opens a folder. Main thread.
@MainActor final class LibraryPage: Page, ProgramPage {
    /// The services that all library pages share.
    struct Services {
        var probe: MediaProbe
        var posters: PosterMaker
        var images: ImageCache
        var wake: @Sendable () -> Void
    }

    let folder: BytePath
    /// Called when the page's rows have changed. Snapshots of the page are then out of date.
    var onRowsChange: (@MainActor () -> Void)?
    /// The file that is playing and counts as played by the user; nil if there is none. The file need not be on this
    /// page. Its row is marked as playing.
    var playing: BytePath? {
        didSet {
            guard playing != oldValue else { return }
            source.playing = playing
            updateRecent()
            refresh([oldValue, playing])
            onRowsChange?()
        }
    }

    let list = ListView(rowHeight: Theme.rowHeight)
    /// The video that is shown in a row or in the corner.
    let film = InlineVideo()
    /// Whether items are shown as a list or as cards. Set with `setView`.
    var view = Settings.Library.View.list { didSet { rows.hasCards = view == .cards } }
    /// Device pixels per point.
    var scale = 1.0 { didSet { if scale != oldValue { renewPosters() } } }
    /// The file that is playing, and whether it counts as played by the user; nil if nothing is playing. The file need
    /// not be on this page.
    var known: (path: BytePath, isHeld: Bool)?
    private let services: Services
    let rows: LibraryRows
    let source: LibraryRowSource
    /// The button in the navigation bar that switches between list and cards.
    let viewButton = Button(.cards, style: Theme.barButton)
    let toast = Toast(style: Theme.toast)
    private let message = FolderMessage()
    private var selectedItem: LibraryItem.ID?
    /// The path or URL of the selected recent file; nil if none is selected.
    private var selectedFilm: String?
    private var isRead = false
    /// Whether the page has already tried to scroll to the row of the playing file. The page tries only once.
    private var hasShownPlaying = false

    /// - Parameter back: Called when the user clicks the back button; nil for the bottom page, which has no back
    ///   button.
    init(folder: BytePath, services: Services, back: (@MainActor () -> Void)?) {
        self.folder = folder
        self.services = services
        rows = LibraryRows(showsRecent: back == nil)
        source = LibraryRowSource(rows, posters: PosterTextures(images: services.images), video: film)
        super.init()
        layer.content = .color(Theme.background)
        layer.owner = self
        layer.add(list.layer)
        layer.add(message.layer)
        layer.add(film.corner.layer)
        layer.add(toast.layer)
        film.corner.onScroll = { [weak self] in self?.list.receive($0) ?? false }
        list.source = source
        scrollContainers = [list]
        bar = NavigationBar(
            title: folder.displayName, background: Theme.raised, height: Theme.barHeight,
            leadingItems: back.map { [Button(.back, style: Theme.barButton, action: $0)] } ?? [],
            trailingItems: [viewButton])
        viewButton.action = { [weak self] in self?.toggleView(now: .now()) }
        showViewItem()
    }

    /// Updates how much of each file has been played. On the bottom page, also updates the list of recent files.
    func show(recent played: [RecentFilm]) { updateRecent(played) }

    private func updateRecent(_ played: [RecentFilm]? = nil) {
        guard rows.update(played: played, playing: playing?.location) else { return }
        reload()
        onRowsChange?()
    }

    /// Starts reading the folder in the background. Later calls have no effect.
    func load() {
        guard rows.index == nil else { return }
        rows.begin(
            with: LibraryIndex(
                folder, probe: services.probe, posters: services.posters, posterLimit: posterLimit,
                wake: services.wake))
    }

    override func layout(size: Size, insets: PageInsets) {
        keepingPlace {
            list.insets = (insets.top + Theme.listPadding, insets.bottom + Theme.listPadding)
            list.layout(Rect(origin: .zero, size: size))
            layoutRows()
        }
        message.layout(size: size, top: insets.top, bottom: insets.bottom)
        toast.layout(
            top: Point(x: size.width / 2, y: insets.top + 20), maxWidth: max(0, size.width - 2 * Theme.margin))
        showPlaying()
        askForVisible()
    }

    override func willAppear() {
        film.isSeen = true
        load()
        setBusy(true)
    }

    override var beneathMode: BeneathMode? { showsFilm ? .live : nil }

    override func didAppear() { setBusy(false) }
    override func willDisappear() { setBusy(true) }
    // The background threads are shared with other pages, so a hidden page must not leave them suspended.
    override func didDisappear() {
        film.isSeen = false
        film.leaveView(self)
        setBusy(false)
        // A preview stops when another page covers this one.
        if film.playback.current != nil, !film.playback.isHeld { film.owner?.stopInPlace(now: .now()) }
    }

    // MARK: - Time

    func advance(to now: HostTime, isMoving: Bool) -> Bool {
        let isScrolled = list.advance(to: now)
        var isChanged = false
        for news in rows.index?.drainChanges() ?? [] {
            isChanged = true
            switch news {
            case .entries: reload()
            case .failed: showMessage()
            case .details(let id), .poster(let id): refresh([id])
            }
        }
        // For an empty folder, the index reports no change when it has been read.
        if let index = rows.index, index.isRead, !isRead {
            isRead = true
            isChanged = true
            showMessage()
            showPlaying()
        }
        if isChanged { onRowsChange?() }
        if isChanged || isScrolled { askForVisible() }
        if rows.playsInPlace, film.advance(self, to: now, isMoving: isMoving) { isChanged = true }
        if toast.advance(to: now) { isChanged = true }
        return isChanged || isScrolled
    }

    var isAnimating: Bool { list.isAnimating || film.corner.isAnimating || toast.isAnimating }

    var nextWake: HostTime? {
        var wake = list.nextWake
        func consider(_ time: HostTime?) { if let time { wake = wake.map { min($0, time) } ?? time } }
        if rows.playsInPlace { consider(film.playback.nextWake) }
        consider(toast.nextWake)
        return wake
    }

    /// Uploads posters of this page again if their images are missing from the image cache.
    ///
    /// - Parameter missing: The images that are missing from the cache.
    /// - Returns: Whether any poster was uploaded.
    func restore(_ missing: [ImageID]) -> Bool {
        !source.posters.restore(missing) { rows.details(of: $0) }.isEmpty
    }

    private func askForVisible() {
        let (visible, above) = (list.visibleRows, rows.recent.count)
        rows.index?.request(visible: max(0, visible.lowerBound - above)..<max(0, visible.upperBound - above))
    }

    /// Suspends the background work if `isBusy` is true, otherwise resumes it. The work opens files and makes posters,
    /// which would disturb transitions.
    private func setBusy(_ isBusy: Bool) {
        if isBusy { rows.index?.suspend() } else { rows.index?.resume() }
    }

    private func reload() {
        source.posters.keep(only: rows.paths)
        rows.itemsChanged()
        keepingPlace { reloadRows() }
        film.rowsChanged(self, now: .now())
        syncFilm()
        // The same item stays selected even if its row has moved.
        if let selectedFilm {
            let row =
                rows.recent.firstIndex { $0.location == selectedFilm } ?? rows.row(of: BytePath(location: selectedFilm))
            if list.selection != row { list.setSelection(row) }
        } else if let selectedItem, let row = rows.row(of: selectedItem), list.selection != row {
            list.setSelection(row)
        }
        showMessage()
    }

    func reloadRows() {
        layoutRows()
        list.reload()
        askForVisible()
    }

    /// Requests posters of the size and shape that the current view needs.
    func renewPosters() {
        source.posters.trims = view == .list
        rows.index?.setPosterLimit(posterLimit)
    }

    private func refresh(_ ids: [BytePath?]) {
        for case let id? in ids {
            if let row = rows.row(of: id) { list.update(row) }
            // The same file may also be listed as a recent file.
            if let row = rows.recentRow(of: id) { list.update(row) }
        }
    }

    private func showMessage() {
        guard let index = rows.index, index.isRead, rows.count == 0 else { return message.hide() }
        message.show(failure: index.failure?.reason)
    }

    /// Scrolls to the row of the playing file, at most once. Does nothing until the folder has been read and the page
    /// has been laid out.
    private func showPlaying() {
        guard !hasShownPlaying, isRead, list.scroll.viewportLength > 0 else { return }
        hasShownPlaying = true
        if let playing, let row = rows.row(of: playing) { list.jump(toShow: row) }
    }

    // MARK: - Keys

    var keyContexts: [KeyContext] { [.library, .list] }

    func moveInList(_ move: Command.ListMove, now: HostTime) {
        switch move {
        case .up: list.moveSelection(by: -1, now: now)
        case .down: list.moveSelection(by: 1, now: now)
        case .pageUp: list.moveSelection(by: -list.rowsPerPage, now: now)
        case .pageDown: list.moveSelection(by: list.rowsPerPage, now: now)
        case .start: list.moveSelection(by: -.max, now: now)
        case .end: list.moveSelection(by: .max, now: now)
        }
        storeSelection()
    }

    func openSelection(now: HostTime) {
        if let selection = list.selection { source.activate(selection, now: now) }
        storeSelection()
    }

    /// Remembers which item or recent file is selected, because the index of its row may change.
    private func storeSelection() {
        selectedFilm = list.selection.flatMap { rows.recentFile(at: $0)?.location }
        selectedItem = list.selection.flatMap { rows.item(at: $0)?.id }
    }
}

extension LibraryPage: @MainActor GestureTarget {
    var recognizers: [GestureRecognizer] { [] }
}
