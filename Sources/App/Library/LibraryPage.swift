import Controls
import Geometry
import Gestures
import Input
import Layers
import Library
import Media
import Navigation
import Rendering
import Settings
import Time

/// A folder's media as a list or as cards: a click on a film plays it, one on a folder opens it.
@MainActor final class LibraryPage: Page, ProgramPage {
    /// What the pages of one program share.
    struct Services {
        var probe: MediaProbe
        var posters: PosterMaker
        var images: ImageCache
        var wake: @Sendable () -> Void
    }

    let folder: FilePath
    /// Called with what was clicked.
    var onOpen: (@MainActor (LibraryItem, HostTime) -> Void)?
    /// Called where its rows are others, or say something else: a picture of the page is out of date.
    var onNews: (@MainActor () -> Void)?
    /// What plays, for its row to say so.
    var playing: FilePath? {
        didSet {
            guard playing != oldValue else { return }
            arrangeRecent()
            refresh([oldValue, playing])
            onNews?()
        }
    }

    let list = ListView(rowHeight: Theme.rowHeight)
    /// Which film plays in the cards, and where.
    let film = InlineVideo()
    /// `setView` changes it.
    var view = Settings.Library.View.list
    /// Device pixels per point.
    var scale = 1.0 { didSet { if scale != oldValue { renewPosters() } } }
    /// What plays, and whether a person wants it.
    var known: (path: FilePath, isHeld: Bool)?
    private let services: Services
    private(set) var index: LibraryIndex?
    let posters: PosterTextures
    /// In the bar; shows the other view of the two.
    let viewButton = Button(.cards, style: Theme.barButton)
    let toast = Toast(style: Theme.toast)
    private let message = Layer()
    private let messageIcon = Layer()
    private var selectedEntry: LibraryItem.ID?
    /// Of what was played last, the one that is selected.
    private var selectedFilm: String?
    /// What was played before, the latest first.
    private var knownFilms: [RecentFilm] = []
    /// What lies above the folder's media.
    private(set) var recent: [RecentFilm] = []
    /// How much was played of media, by their locations.
    private(set) var playedFractions: [String: Double] = [:]
    /// Whether what was played last is shown here: where the program begins.
    private let showsRecent: Bool
    /// Called with what was clicked of it.
    var onOpenRecent: (@MainActor (RecentFilm, HostTime) -> Void)?
    private var isRead = false
    /// How many of the folder's entries are folders: they come first.
    private(set) var folderCount = 0
    /// Whether what plays was brought into view; once, for a page that begins beneath a film.
    private var hasShownPlaying = false

    /// - Parameter back: nil where there is nothing to go back to.
    init(folder: FilePath, services: Services, back: (@MainActor () -> Void)?) {
        self.folder = folder
        self.services = services
        showsRecent = back == nil
        posters = PosterTextures(images: services.images)
        super.init()
        layer.content = .color(Theme.background)
        layer.owner = self
        layer.add(list.layer)
        for part in [message, messageIcon] {
            part.isHitTestable = false
            layer.add(part)
        }
        layer.add(film.corner.layer)
        layer.add(toast.layer)
        film.corner.onScroll = { [weak self] in self?.list.receive($0) ?? false }
        list.source = self
        scrollContainers = [list]
        bar = NavigationBar(
            title: folder.displayName, background: Theme.raised, height: Theme.barHeight,
            leadingItems: back.map { [Button(.back, style: Theme.barButton, action: $0)] } ?? [],
            trailingItems: [viewButton])
        viewButton.action = { [weak self] in self?.toggleView(now: .now()) }
        showViewItem()
    }

    /// How many of what was played last are shown.
    static let recentLimit = 3

    /// Shows what was played last above the folder's media, and of all how far they were played.
    func show(recent films: [RecentFilm]) {
        knownFilms = films
        arrangeRecent()
    }

    /// What plays is not among what was played: it is seen in the small bar.
    private func arrangeRecent() {
        let others = knownFilms.filter { !$0.isFinished && $0.location != playing?.location }
        let shown = showsRecent ? Array(others.prefix(Self.recentLimit)) : []
        let fractions = Dictionary(
            knownFilms.compactMap { film in film.fraction.map { (film.location, $0) } },
            uniquingKeysWith: { first, _ in first })
        guard shown != recent || fractions != playedFractions else { return }
        (recent, playedFractions) = (shown, fractions)
        reload()
        onNews?()
    }

    /// Begins to read the folder; once.
    func load() {
        guard index == nil else { return }
        index = LibraryIndex(
            folder, probe: services.probe, posters: services.posters, posterLimit: posterLimit, wake: services.wake)
    }

    override func layout(size: Size, insets: PageInsets) {
        keepingPlace {
            list.insets = (insets.top + Theme.listPadding, insets.bottom + Theme.listPadding)
            list.layout(Rect(origin: .zero, size: size))
            layoutRows()
        }
        let middle = (size.height + insets.top - insets.bottom) / 2
        messageIcon.frame = Rect(x: size.width / 2 - 28, y: middle - 64, width: 56, height: 56)
        message.frame = Rect(x: Theme.margin, y: middle + 4, width: max(0, size.width - 2 * Theme.margin), height: 52)
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
    // A page that is not seen holds up nobody: the threads are shared.
    override func didDisappear() {
        film.isSeen = false
        film.leaveView(self)
        setBusy(false)
        // What nobody has asked for does not go on behind another page.
        if film.playback.current != nil, !film.playback.isHeld { film.owner?.stopInPlace(now: .now()) }
    }

    // MARK: - Time

    /// Takes in what the folder's threads have found, and scrolls on. True where something is to be drawn anew.
    func advance(to now: HostTime, isMoving: Bool) -> Bool {
        let isScrolled = list.advance(to: now)
        var isChanged = false
        for news in index?.drainChanges() ?? [] {
            isChanged = true
            switch news {
            case .entries: reload()
            case .failed: showMessage()
            case .details(let id), .poster(let id): refresh([id])
            }
        }
        // An empty folder brings no news: there is nothing in it that was not there before.
        if let index, index.isRead, !isRead {
            isRead = true
            isChanged = true
            showMessage()
            showPlaying()
        }
        if isChanged { onNews?() }
        if isChanged || isScrolled { askForVisible() }
        if view == .cards, film.advance(self, to: now, isMoving: isMoving) { isChanged = true }
        if toast.advance(to: now) { isChanged = true }
        return isChanged || isScrolled
    }

    var isAnimating: Bool { list.isAnimating || film.corner.isAnimating || toast.isAnimating }

    var nextWake: HostTime? {
        var wake = list.nextWake
        func consider(_ time: HostTime?) { if let time { wake = wake.map { min($0, time) } ?? time } }
        if view == .cards { consider(film.playback.nextWake) }
        consider(toast.nextWake)
        return wake
    }

    /// Brings posters to the GPU again that it has dropped. True where there were any of this page.
    func restore(_ missing: [ImageID]) -> Bool {
        !posters.restore(missing) { index?.details(of: $0) }.isEmpty
    }

    private func askForVisible() {
        let rows = list.visibleRows
        index?.request(visible: max(0, rows.lowerBound - recent.count)..<max(0, rows.upperBound - recent.count))
    }

    /// The row of an entry.
    func row(of id: LibraryItem.ID) -> Int? { index?.position(of: id).map { $0 + recent.count } }

    /// While pages move, nothing is read or decoded for rows.
    private func setBusy(_ isBusy: Bool) {
        if isBusy { index?.suspend() } else { index?.resume() }
    }

    private func reload() {
        posters.keep(only: Set((index?.entries ?? []).map(\.id)))
        folderCount = index?.entries.firstIndex { $0.kind != .folder } ?? index?.entries.count ?? 0
        keepingPlace { reloadRows() }
        film.rowsChanged(self, now: .now())
        syncFilm()
        // The selection is the entry's, wherever it lies now.
        if let selectedFilm {
            let position =
                recent.firstIndex { $0.location == selectedFilm } ?? row(of: FilePath(location: selectedFilm))
            if list.selection != position { list.setSelection(position) }
        } else if let selectedEntry, let position = row(of: selectedEntry), list.selection != position {
            list.setSelection(position)
        }
        showMessage()
    }

    func reloadRows() {
        layoutRows()
        list.reload()
        askForVisible()
    }

    /// Posters are to be in another size.
    func renewPosters() {
        posters.trims = view == .list
        index?.setPosterLimit(posterLimit)
    }

    private func refresh(_ ids: [FilePath?]) {
        for case let id? in ids {
            if let position = row(of: id) { list.update(position) }
            // It may be among what was played last as well.
            if let position = recent.firstIndex(where: { FilePath(location: $0.location) == id }) {
                list.update(position)
            }
        }
    }

    private func showMessage() {
        guard let index, index.isRead, index.entries.isEmpty, recent.isEmpty else {
            message.content = .none
            messageIcon.content = .none
            return
        }
        let text =
            index.failure.map { "This folder cannot be read: \($0.reason)" } ?? "No films or music in this folder"
        message.content = .text(TextContent(text, style: Theme.emptyTitle, alignment: .center, lineLimit: 2))
        messageIcon.content = .icon(index.failure == nil ? .folder : .broken, Theme.posterIcon)
    }

    /// Brings the row of what plays into view, as for a page that was left from there.
    private func showPlaying() {
        guard !hasShownPlaying, isRead, list.scroll.viewportLength > 0 else { return }
        hasShownPlaying = true
        if let playing, let position = row(of: playing) { list.jump(toShow: position) }
    }

    // MARK: - Keys

    /// True where the key was for the list.
    func handle(_ key: KeyEvent) -> Bool {
        guard key.modifiers.isEmpty else { return false }
        let now = key.time
        switch key.key {
        case .up: list.moveSelection(by: -1, now: now)
        case .down: list.moveSelection(by: 1, now: now)
        case .pageUp: list.moveSelection(by: -list.rowsPerPage, now: now)
        case .pageDown: list.moveSelection(by: list.rowsPerPage, now: now)
        case .home: list.moveSelection(by: -.max, now: now)
        case .end: list.moveSelection(by: .max, now: now)
        case .character("v") where !key.isRepeat: toggleView(now: now)
        case .enter: if let selection = list.selection, !key.isRepeat { activate(selection, now: now) }
        default: return false
        }
        selectedFilm = list.selection.flatMap { recent.indices.contains($0) ? recent[$0].location : nil }
        selectedEntry = list.selection.flatMap { $0 < recent.count ? nil : index?.entries[$0 - recent.count].id }
        return true
    }
}

extension LibraryPage: @MainActor GestureTarget {
    var recognizers: [GestureRecognizer] { [] }
}
