import GlissadeControls
import GlissadeDanmaku
import GlissadeDanmakuFiles
import GlissadeGeometry
import GlissadeMedia
import GlissadePlatform
import GlissadeSettings
import GlissadeTime

/// Shows the moving comments of the current video on the player's page. Main thread.
@MainActor final class CommentController: Advancing {
    private let playback: PlaybackController
    private let pages: Pages
    private let settings: SettingsController
    private let floating: FloatingWindows
    private let window: MainWindow
    private let console: Console
    /// The user's choice in this run: true to show comments, false to hide them. If nil, the value in the settings
    /// applies.
    private var choice: Bool?
    /// Whether the user has asked for the file that is being read.
    private var isAsked = false
    /// How comments look, as the settings say.
    private var style = CommentStyle(Settings.Danmaku())
    /// Whether the menu of the held comment opens once the page rests.
    private var opensMenuAtRest = false
    /// When the next comment appears or disappears; nil if that is not known, or if comments are hidden.
    private var nextChange: HostTime?

    init(
        playback: PlaybackController, pages: Pages, settings: SettingsController, floating: FloatingWindows,
        window: MainWindow, console: Console
    ) {
        self.playback = playback
        self.pages = pages
        self.settings = settings
        self.floating = floating
        self.window = window
        self.console = console
        settings.observe(\.danmaku) { [weak self] in self?.style = CommentStyle($0) }
    }

    private var comments: FilmComments? { playback.session?.comments }

    /// Whether comments are shown when available.
    var isShown: Bool { choice ?? settings.current.danmaku.isShown }

    func toggle(now: HostTime) {
        guard let comments, !comments.comments.isEmpty else {
            return tell("No comments", now: now)
        }
        choice = !isShown
        tell(isShown ? "Comments on" : "Comments off", now: now)
        pages.setNeedsTick()
    }

    /// Opens a file that the user has chosen, and shows its comments.
    func open(_ file: String, now: HostTime) {
        guard let comments else { return console.error("\(ShownLocation.text(file)): nothing is playing") }
        isAsked = true
        comments.open(file)
    }

    // MARK: - Frames

    /// Takes over newly read comments, and reports a file that could not be read.
    func advance(to now: HostTime) -> Bool {
        let isLoaded = takeLoaded(now: now)
        return isLoaded || nextChange.map { $0 <= now } ?? false
    }

    func nextWake(now: HostTime) -> HostTime? { nextChange }

    /// Returns whether there is something new to show.
    private func takeLoaded(now: HostTime) -> Bool {
        guard let session = playback.session, session.player.info != nil else { return false }
        if session.player.hasVideo { session.comments.look(beside: session.location) }
        let isPlaced = session.comments.takePlacement()
        guard let loaded = session.comments.takeLoaded() else { return isPlaced }
        let name = BytePath(location: loaded.file).displayName
        switch loaded.result {
        case .success(let file):
            let skipped = file.skippedCount == 0 ? "" : ", \(file.skippedCount) skipped"
            if isAsked { choice = true }
            if isAsked, !session.player.hasVideo { tell("Comments need a video", now: now) }
            if file.isDamaged {
                console.error("\(ShownLocation.text(loaded.file)): damaged; only the readable comments are shown")
                if isAsked, session.player.hasVideo { tell("\(name) is damaged", now: now) }
            }
            DiagnosticLog.comments.info("\(name): \(file.comments.count) comments\(skipped)")
        case .failure(let failure):
            console.error("\(ShownLocation.text(loaded.file)): \(failure)")
            tell("\(name): \(failure)", now: now)
        }
        isAsked = false
        playback.stateChanged(now: now)
        return true
    }

    /// Shows the comments for a frame that becomes visible at `now`, and hides them while the video's size is changing.
    ///
    /// - Parameters:
    ///   - isMoving: Whether a fullscreen transition is in progress.
    ///   - scale: Device pixels per point.
    func layout(isMoving: Bool, scale: Double, now: HostTime) {
        guard let page = pages.playerPage else { return }
        guard isShown, !isMoving, !floating.isVideoFloating, pages.isPlayerVisible, let session = playback.session,
            let area = page.commentArea
        else { return clear(page, now: now) }
        let comments = session.comments
        if comments.comments.isEmpty { return clear(page, now: now) }
        comments.style = style
        guard let placement = comments.placement(for: area.size) else { return clear(page, now: now) }
        page.comments.opacity = settings.current.danmaku.opacity
        let time = MediaTime.zero + session.player.position(at: now)
        let isRunning = session.player.isRunning
        page.comments.show(placement, at: time, in: area, isRunning: isRunning, scale: scale, now: now)
        if opensMenuAtRest { openMenuAtRest(page, now: now) }
        nextChange = nil
        if isRunning, let change = placement.layout.nextChange(after: time) {
            nextChange = now + (change - time) / session.player.speed
        }
    }

    /// Hides the comments, and closes the menu of a held one.
    private func clear(_ page: PlayerPage, now: HostTime) {
        (nextChange, opensMenuAtRest) = (nil, false)
        if page.comments.held != nil { page.closeCommentMenu(now: now) }
        page.comments.clear()
    }

    // MARK: - Presses

    func connect(_ gestures: VideoGestures) {
        gestures.hasItem = { [weak self] in self?.pages.playerPage?.comments.comment(at: $0, now: $1) != nil }
        gestures.onItemPress = { [weak self] in self?.press($0, now: $1) }
    }

    private func press(_ press: VideoGestures.ItemPress, now: HostTime) {
        guard let page = pages.playerPage else { return }
        switch press {
        case .began(let point):
            opensMenuAtRest = false
            guard let index = page.comments.comment(at: point, now: now) else { return }
            page.comments.hold(index, leftOf: pages.visiblePlayerWidth)
        case .clicked where pages.isPlayerLeaving: page.comments.release()
        // An open menu takes the keys, which a moving page does not get.
        case .clicked where pages.stack.isTransitioning: opensMenuAtRest = true
        case .clicked: page.openCommentMenu(now: now)
        case .cancelled: page.comments.release()
        }
        pages.setNeedsTick()
    }

    /// Opens the menu of the held comment if the page rests. If another press has taken the page over, lets the comment
    /// go.
    private func openMenuAtRest(_ page: PlayerPage, now: HostTime) {
        let stack = pages.stack
        if stack.isTransitioning, !stack.isHeld { return }
        opensMenuAtRest = false
        if stack.isTransitioning { return page.comments.release() }
        page.openCommentMenu(now: now)
        pages.setNeedsTick()
    }

    private var held: (index: Int, comment: MovingComment)? {
        guard let comments, let index = pages.playerPage?.comments.held?.index,
            comments.comments.indices.contains(index)
        else { return nil }
        return (index, comments.comments[index])
    }

    /// The entries of the menu of the held comment; empty if there is none.
    func menuEntries() -> [Menu.Entry] {
        guard let held else { return [] }
        return [
            .item(Menu.Item(id: "copy", label: "Copy")), .item(Menu.Item(id: "hide", label: "Hide this comment")),
            .item(
                Menu.Item(
                    id: "hide-user", label: "Hide all comments by this user", isEnabled: !held.comment.user.isEmpty)),
        ]
    }

    /// Performs the action of the item with the given ID in the menu of the held comment.
    func pick(_ id: String, now: HostTime) {
        guard let held, let comments else { return }
        switch id {
        case "copy":
            window.copy(held.comment.text)
            tell("Comment copied", now: now)
        case "hide":
            comments.hide(held.index)
            tell("Comment hidden", now: now)
        case "hide-user":
            comments.hide(user: held.comment.user)
            tell("Comments by \(DisplaySafeText.text(held.comment.user)) hidden", now: now)
        default: break
        }
    }

    /// Lets the held comment go on. Called when its menu closes.
    func menuClosed() { pages.playerPage?.comments.release() }

    private func tell(_ text: String, now: HostTime) { pages.playerPage?.tell(.comments, text, now: now) }
}

extension CommentStyle {
    init(_ settings: Settings.Danmaku) {
        self.init()
        scale = settings.scale
        heightFraction = settings.height
        speed = settings.speed
        limit = Int(settings.limit)
        overlaps = settings.overlaps
        hiddenWords = settings.hiddenWords
        hiddenUsers = Set(settings.hiddenUsers)
        if !settings.showsLeftward { kinds.remove(.leftward) }
        if !settings.showsRightward { kinds.remove(.rightward) }
        if !settings.showsTop { kinds.remove(.top) }
        if !settings.showsBottom { kinds.remove(.bottom) }
    }
}
