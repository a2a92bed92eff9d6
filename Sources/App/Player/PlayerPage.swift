import GlissadeAnimation
import GlissadeControls
import GlissadeGeometry
import GlissadeGestures
import GlissadeInput
import GlissadeLayers
import GlissadeLibrary
import GlissadeNavigation
import GlissadePresentation
import GlissadeSettings
import GlissadeSubtitles
import GlissadeTime

/// Provides the player's page with the state of the playback session, and carries out the page's requests. Main
/// thread.
@MainActor protocol PlayerPageOwner: AnyObject {
    /// Returns the playback session's state at `now`; nil if there is no session.
    func figures(now: HostTime) -> PlayerStatus?
    func perform(_ command: Command, now: HostTime)
    func scrub(_ scrub: PlayerControls.Scrub, now: HostTime)
    /// Shows the seek preview at `fraction` of the media's length; nil hides the preview. While the user is dragging
    /// the progress bar, `fraction` is ignored and the preview follows the drag.
    func preview(at fraction: Double?, now: HostTime)
    func setVolume(_ volume: Double, now: HostTime)
    /// Returns the current entries of `menu`; empty if there is no session.
    func entries(for menu: PlayerMenu) -> [Menu.Entry]
    /// Performs the action of an item of `menu`. Returns the menu or page to show if the item does not close the menu.
    @discardableResult func pick(_ id: String, in menu: PlayerMenu, now: HostTime) -> PlayerMenu
    func menuClosed(_ menu: PlayerMenu)
    /// Called when the controls may have been shown or hidden.
    func controlsChanged()
}

/// A menu over the video, opened with a button in the controls.
enum PlayerMenu: Hashable {
    case speed, tracks
    /// The page of `tracks` with the encodings of subtitles.
    case encodings
    /// The menu of the held comment, opened with a click on the comment.
    case comment
}

/// The player's page: the video with the controls over it.
@MainActor final class PlayerPage: Page, ProgramPage {
    weak var owner: (any PlayerPageOwner)?
    let gestures = VideoGestures()
    let controls = PlayerControls()
    let preview = SeekPreviewView()
    let statistics: StatisticsOverlay
    let subtitles = SubtitleView()
    let comments = CommentView()
    /// The time, the battery and the network in the title bar, shown in fullscreen.
    let status = FullscreenStatusView()
    private let box = VideoBox(background: .none)
    let placeholder = AudioPlaceholder()
    private let sign = FloatingSign()
    /// The layer that receives gestures on the video. It is beneath all controls.
    private let stage = Layer()
    /// The layer that contains the controls, the menus and the messages, also while the player waits for data.
    private let overlay = Layer()
    let toast = Toast(style: Theme.toast)
    private let waiting = WaitingView()
    let pauseSign = PauseSign()
    private let menu = Menu(style: Theme.menu)
    private let focus = FocusChain()
    private var openMenu: PlayerMenu?
    private(set) var showing = Showing.nothing { didSet { showingChanged(from: oldValue) } }
    /// Whether the controls appear when the pointer moves.
    private let showsControls: Bool
    var visibility = ControlVisibility()
    /// Whether the page shows the end of a file.
    private var isAtEnd = false
    /// What the session was doing when the page last asked.
    private var activity = PlayerStatus.Activity.opening
    private var size = Size.zero
    private var scale = 1.0
    /// The clockwise rotation of the video on the page, in quarter turns. Unless it is 0, the controls, the subtitles
    /// and the statistics are hidden.
    var quarterTurns = 0.0 { didSet { hideParts() } }
    /// The page's corner radius in points. It is greater than 0 only while the video grows from a library row or card
    /// to fullscreen, or shrinks back.
    var cornerRadius = 0.0 { didSet { if cornerRadius != oldValue { layer.cornerRadius = cornerRadius } } }

    init(
        title: String, showsControls: Bool, log: FrameLog, back: @escaping @MainActor () -> Void,
        details: @escaping @MainActor () -> Void
    ) {
        self.showsControls = showsControls
        statistics = StatisticsOverlay(log: log)
        super.init()
        layer.content = .color(.black)
        for part in [
            placeholder.layer, box.layer, comments.layer, subtitles.layer, stage, sign.layer, statistics.layer,
            overlay,
        ] { layer.add(part) }
        for part in [
            waiting.layer, pauseSign.layer, controls.layer, preview.layer, comments.bubble, toast.layer, menu.layer,
        ] { overlay.add(part) }
        for part in [box.layer, subtitles.layer, statistics.layer, toast.layer, overlay] { part.isHitTestable = false }
        stage.owner = gestures
        sign.back.action = { [weak self] in self?.owner?.perform(.toggleFloating, now: .now()) }
        bar = NavigationBar(
            title: title, background: Theme.overlay, height: Theme.barHeight, fade: Theme.overlayFade, isHidden: true,
            leadingItems: [Button(.back, style: Theme.barButton, action: back)],
            trailingItems: [Button(.information, style: Theme.barButton, action: details)])
        barLayer.opacity = 0
        menu.ceiling = Theme.barHeight
        barLayer.add(status.layer)
        focus.setControls(controls.focusables, now: HostTime(nanoseconds: 0))
        connect()
    }

    /// Hides what stays upright over the video while the video is rotated.
    private func hideParts() {
        let isRotated = quarterTurns != 0
        (overlay.isHidden, barLayer.isHidden, statistics.isSuspended) = (isRotated, isRotated, isRotated)
        if subtitles.layer.superlayer === layer { subtitles.layer.isHidden = isRotated }
    }

    private func showingChanged(from previous: Showing) {
        guard showing != previous else { return }
        placeholder.layer.isHidden = !showing.hasPlaceholder
        sign.layer.isHidden = showing != .floating
        if (showing == .floating) != (previous == .floating) { controlsChanged(now: .now()) }
    }

    private func connect() {
        controls.perform = { [weak self] in self?.owner?.perform($0, now: .now()) }
        controls.onScrub = { [weak self] scrub, now in
            guard let self else { return }
            visibility.set(.drag, controls.isDragged, now: now)
            owner?.scrub(scrub, now: now)
        }
        controls.onHover = { [weak self] fraction, now in self?.owner?.preview(at: fraction, now: now) }
        controls.onVolume = { [weak self] in self?.owner?.setVolume($0, now: .now()) }
        controls.onMenu = { [weak self] in self?.open($0, now: $1) }
        menu.onPick = { [weak self] item, now in
            guard let self, let open = openMenu else { return }
            let next = owner?.pick(item.id, in: open, now: now) ?? open
            if menu.isOpen, let entries = owner?.entries(for: next) {
                openMenu = next
                menu.setEntries(entries, keepsPlace: next == open, now: now)
            }
        }
        menu.onClose = { [weak self] now in
            guard let self, let closed = openMenu else { return }
            openMenu = nil
            visibility.set(.menu, false, now: now)
            owner?.menuClosed(closed)
        }
    }

    /// The page is drawn live beneath another page, because the video keeps playing.
    override var beneathMode: BeneathMode? { .live }

    override func shouldBeginPop() -> Bool { gestures.allows(.popDrag, at: stack?.pressLocation ?? .zero) }
    override func shouldBeginTrailingPush() -> Bool {
        gestures.allows(.trailingDrag, at: stack?.pressLocation ?? .zero)
    }

    /// Shows the status in the title bar; nil hides it. Returns whether it has changed.
    func setStatus(_ content: FullscreenStatusView.Content?) -> Bool {
        let width = status.width
        guard status.show(content) else { return false }
        bar?.trailingSpace = status.width > 0 ? status.width + Theme.margin : 0
        if status.width != width { setNeedsLayout() }
        layoutStatus()
        return true
    }

    private func layoutStatus() { status.layout(right: size.width - 56, height: Theme.barHeight) }

    func setTitle(_ title: String) {
        guard bar?.title != title else { return }
        bar?.title = title
        setNeedsLayout()
    }

    // MARK: - The picture

    override func layout(size: Size, insets: PageInsets) {
        if size != self.size { preview.hide(now: .now()) }
        self.size = size
        let bounds = Rect(origin: .zero, size: size)
        stage.frame = bounds
        gestures.frame = bounds
        statistics.layout(size)
        layoutStatus()
        sign.layout(size)
        controls.layout(size: size, bottom: insets.bottom, scale: scale)
        toast.layout(
            top: Point(x: size.width / 2, y: Theme.barHeight + 20), maxWidth: max(0, size.width - 2 * Theme.margin))
        waiting.layout(size)
        pauseSign.layout(size, bottom: insets.bottom)
        if menu.isOpen, let button = openMenu.flatMap(controls.button(of:)) {
            menu.layout(at: button.layer.frame, in: bounds)
        }
    }

    /// Lays out the video or its placeholder, and sets the size for which video frames are prepared.
    ///
    /// - Parameter goal: The page's size at the end of a transition; nil if there is no transition.
    func showPicture(of playing: PlaybackSession, goal: Size? = nil, scale: Double) {
        let film = playing.film
        if scale != self.scale {
            self.scale = scale
            setNeedsLayout()
        }
        let bounds = Rect(origin: .zero, size: layer.frame.size)
        showing = placeholder.layout(bounds, for: film.player, title: bar?.title ?? "")
        layer.content = showing == .film ? .color(.black) : .gradient(Theme.stage)
        switch showing {
        case .film:
            // Only a video that fills the page needs the page's rounded corners.
            let shape = film.displaySize ?? bounds.size
            let fills =
                abs(shape.width * bounds.size.height - shape.height * bounds.size.width)
                < 0.02 * shape.width * bounds.size.height
            box.layout(
                bounds, goal: goal, aspect: film.displaySize, cornerRadius: fills ? cornerRadius : 0,
                quarterTurns: quarterTurns,
                scale: scale)
        case .cover(let place):
            box.layout(place, aspect: film.displaySize, cornerRadius: Theme.coverRadius, scale: scale)
        case .placeholder:
            // The words of a song.
            layoutSubtitles(of: playing, over: bounds)
            return box.show(.none)
        case .floating, .nothing: return box.show(.none)
        }
        if box.pixelSize.isEmpty { return box.show(.none) }
        if goal != nil, quarterTurns == 0 {
            film.place(destination: box.seenSize, goal: box.pixelSize)
        } else {
            film.place(destination: box.pixelSize)
        }
        box.show(film.content)
        layoutSubtitles(of: playing, over: showing == .film ? box.pictureFrame : bounds, isMoving: goal != nil)
    }

    private func layoutSubtitles(of playing: PlaybackSession, over picture: Rect, isMoving: Bool = false) {
        if subtitles.layer.superlayer !== layer { return }
        subtitles.layout(
            picture: picture, isMoving: isMoving, height: size.height, scale: scale, for: playing.subtitles.subtitles,
            frameRate: playing.player.info?.frameRate)
    }

    /// Shows the sign that the video is in a floating window, instead of the video.
    func showFloatingSign(isPaused: Bool) {
        box.show(.none)
        sign.setPaused(isPaused)
        showing = .floating
    }

    /// The part of the page that the video covers; nil while the page shows no video, or rotates it.
    var commentArea: Rect? {
        guard showing == .film, !box.pixelSize.isEmpty, quarterTurns == 0 else { return nil }
        let picture = box.pictureFrame
        let (left, top) = (max(picture.minX, 0), max(picture.minY, 0))
        let (right, bottom) = (min(picture.maxX, size.width), min(picture.maxY, size.height))
        return right > left && bottom > top ? Rect(x: left, y: top, width: right - left, height: bottom - top) : nil
    }

    /// Moves the subtitles from a floating window back to this page.
    func takeBackSubtitles() {
        guard subtitles.layer.superlayer !== layer else { return }
        layer.insert(subtitles.layer, below: stage)
        hideParts()
        setNeedsLayout()
    }

    /// Hides the video, the placeholder and the subtitles, because nothing is playing.
    func hidePicture() {
        box.show(.none)
        showing = showing.afterPlayback
        subtitles.clear()
        comments.clear()
    }

    /// Switches between fitting the video into the page and filling the page.
    func toggleFill(now: HostTime) { setFilled(box.mode == .fit, now: now) }

    func setFilled(_ isFilled: Bool, now: HostTime) {
        box.setMode(isFilled ? .fill : .fit, now: now)
        tell(.fullscreen, isFilled ? "Fill window" : "Fit to window", now: now)
    }

    // MARK: - Time

    var isAnimating: Bool {
        (controls.isShown && controls.isAnimating) || comments.isMoving || menu.isAnimating || box.isMoving
            || toast.isAnimating || waiting.isAnimating || pauseSign.isAnimating
    }

    var nextWake: HostTime? {
        var wake = visibility.deadline
        func consider(_ time: HostTime?) { if let time { wake = wake.map { min($0, time) } ?? time } }
        if controls.isShown { consider(controls.nextWake) }
        consider(toast.nextWake)
        consider(menu.nextWake)
        consider(waiting.nextWake)
        consider(pauseSign.nextWake)
        consider(gestures.nextWake)
        return wake
    }

    func advance(to now: HostTime, isMoving: Bool) -> Bool {
        visibility.set(.page, isMoving, now: now)
        visibility.set(.drag, controls.isDragged || gestures.isActive, now: now)
        visibility.set(.pointer, controls.isPointedAt, now: now)
        gestures.advance(to: now)
        var isChanged = visibility.advance(to: now)
        if isChanged { controlsChanged(now: now) }
        if controls.isShown {
            if let report = controls.nextWake, report <= now { showFigures(now: now) }
            if controls.advance(to: now) { isChanged = true }
        }
        if box.advance(to: now) { isChanged = true }
        if menu.advance(to: now) { isChanged = true }
        if toast.advance(to: now) { isChanged = true }
        if waiting.advance(to: now) { isChanged = true }
        if pauseSign.advance(to: now) { isChanged = true }
        return isChanged
    }

    // The file may have ended while the page was not visible.
    override func willAppear() {
        isAtEnd = false
        showFigures(now: .now())
    }

    override func didDisappear() {
        menu.close(now: .now())
        // A gesture on the video is canceled when the page disappears.
        gestures.cancel()
        if visibility.hide() { controlsChanged(now: .now()) }
    }

    // MARK: - The controls

    var areControlsShown: Bool { visibility.isShown }

    /// Updates the spinner and the reconnecting message from the session's state, and the controls if they are visible.
    /// At the end of the file, shows the controls and keeps them visible.
    func showFigures(now: HostTime) {
        guard let figures = owner?.figures(now: now) else { return }
        waiting.show(isWaiting: figures.isWaiting, isReconnecting: figures.activity == .reconnecting, now: now)
        if controls.isShown { controls.show(figures, now: now) }
        visibility.set(.end, figures.isAtEnd, now: now)
        activity = figures.activity
        showPause(now: now)
        guard figures.isAtEnd != isAtEnd else { return }
        isAtEnd = figures.isAtEnd
        if isAtEnd { _ = wakeControls(now: now) }
    }

    private func showPause(now: HostTime) {
        pauseSign.show(activity, areControlsShown: controls.isShown, isElsewhere: showing == .floating, now: now)
    }

    /// Shows the controls, or restarts their timeout if they are already visible. Called when the pointer has moved. If
    /// `showsControls` is false, hidden controls stay hidden.
    ///
    /// - Returns: Whether the controls were hidden and have been shown.
    func wakeControls(now: HostTime) -> Bool {
        guard showsControls || areControlsShown else { return false }
        return showControls(now: now)
    }

    /// Shows the controls, or restarts their timeout if they are already visible. Returns whether they were hidden
    /// before.
    func showControls(now: HostTime) -> Bool {
        let came = visibility.wake(now: now)
        if came { controlsChanged(now: now) }
        return came
    }

    /// Hides the controls if they are visible, else shows them.
    func toggleControls(now: HostTime) {
        if !visibility.hide() { _ = visibility.wake(now: now) }
        controlsChanged(now: now)
    }

    /// Locks or unlocks the gestures and the controls, and shows the message “Locked” or “Unlocked”.
    func toggleLock(now: HostTime) {
        gestures.isLocked.toggle()
        controls.setLocked(gestures.isLocked, now: now)
        focus.leave(now: now)
        tell(gestures.isLocked ? .lock : .unlock, gestures.isLocked ? "Locked" : "Unlocked", now: now)
        _ = visibility.wake(now: now)
        controlsChanged(now: now)
    }

    private func controlsChanged(now: HostTime) {
        let isShown = visibility.isShown
        // The floating window has controls of its own.
        controls.setShown(isShown && showing != .floating, now: now)
        if isShown { showFigures(now: now) } else { focus.leave(now: now) }
        if !isShown { showPause(now: now) }
        if !isShown { owner?.preview(at: nil, now: now) }
        owner?.controlsChanged()
        subtitles.bottomMargin = isShown && !gestures.isLocked ? PlayerControls.height * 0.55 : 0
        fadeBar(isShown: isShown && !gestures.isLocked, now: now)
    }

    private func fadeBar(isShown: Bool, now: HostTime) {
        guard let bar else { return }
        if isShown, bar.isHidden {
            bar.isHidden = false
            setNeedsLayout()
        }
        let target = isShown ? 1.0 : 0
        guard barLayer.opacity != target else { return }
        barLayer.animatedOpacity.animate(
            to: target, now: LocalTime(now), duration: isShown ? PlayerControls.fadeIn : PlayerControls.fadeOut,
            curve: .easeOut
        ) { [weak self] isFinished in
            guard isFinished, !isShown, let self, let bar = self.bar else { return }
            bar.isHidden = true
            setNeedsLayout()
        }
    }

    // MARK: - Menus and keys

    /// Returns the gesture targets of the open menu for a press at `point`, in layout points; nil if no menu is open.
    func menuElements(at point: Point, now: HostTime) -> [any GestureTarget]? {
        overlay.isHidden ? nil : menu.elements(at: point, now: now)
    }

    func closeMenu(now: HostTime) { menu.close(now: now) }

    /// The control with the keyboard focus; nil if there is none.
    var focused: (any Focusable)? { focus.focused }

    /// Removes the keyboard focus. Must be called when a pointer button is pressed.
    func pointerWasPressed(now: HostTime) { focus.pointerWasPressed(now: now) }

    /// Closes the menu of the held comment, if it is open.
    func closeCommentMenu(now: HostTime) { if openMenu == .comment { menu.close(now: now) } }

    /// Opens the menu of the held comment.
    func openCommentMenu(now: HostTime) {
        guard let held = comments.held, let entries = owner?.entries(for: .comment), !entries.isEmpty else { return }
        openMenu = .comment
        menu.open(entries, at: held.frame, in: Rect(origin: .zero, size: size), now: now)
    }

    private func open(_ kind: PlayerMenu, now: HostTime) {
        guard let button = controls.button(of: kind), let entries = owner?.entries(for: kind), !entries.isEmpty else {
            return
        }
        openMenu = kind
        visibility.set(.menu, true, now: now)
        menu.open(
            entries, at: button.layer.frame, in: Rect(origin: .zero, size: size), selectsFirst: button.isFocused,
            now: now)
    }

    func handle(_ key: KeyEvent) -> Bool {
        if menu.isOpen { return menu.handle(key) }
        let isForControls = key.key == .tab || focus.focused != nil
        if isForControls {
            _ = visibility.wake(now: key.time)
            controlsChanged(now: key.time)
            if focus.handle(key) { return true }
        } else if areControlsShown {
            _ = visibility.wake(now: key.time)
        }
        return false
    }
}

extension PlayerPage {
    /// What the page shows in the place of the video.
    enum Showing: Equatable {
        /// Nothing: no session is playing.
        case nothing
        /// The video. Also while the file is being opened.
        case film
        /// The cover art that an audio file contains, with its frame in the page's coordinates, and the title under it.
        case cover(Rect)
        /// An icon or an image from the file's folder, with the title under it: the audio file contains no cover art, or
        /// the file cannot be played.
        case placeholder
        /// The sign that the video is in a floating window.
        case floating

        /// Whether the page shows the title and the details of an audio file, or an error.
        var hasPlaceholder: Bool {
            switch self {
            case .cover, .placeholder: true
            case .nothing, .film, .floating: false
            }
        }

        /// What the page shows once nothing is playing. The sign stays while the page leaves.
        var afterPlayback: Showing { self == .floating ? .floating : .nothing }
    }
}

// Short messages over the video.

extension PlayerPage {
    /// The text of the visible message; nil if there is none.
    var told: String? { toast.message?.text }

    func tell(_ icon: Icon, _ text: String, now: HostTime) {
        tell(Toast.Message(kind: icon.rawValue, icon: icon, text: text), now: now)
    }

    /// Shows a message with a bar that represents a level, such as the volume.
    ///
    /// - Parameter level: The filled part of the bar, 0…1.
    func tellLevel(_ icon: Icon, _ text: String, level: Double, now: HostTime) {
        tell(Toast.Message(kind: "level", icon: icon, text: text, level: level), now: now)
    }

    /// Shows a message with the position after a seek. Does nothing while the controls are visible, since they show the
    /// position.
    ///
    /// - Parameters:
    ///   - length: The media's length; nil if unknown.
    ///   - isBack: Whether the seek went backward, which determines the icon.
    func tellPosition(_ position: Duration, of length: Duration?, isBack: Bool = false, now: HostTime) {
        if controls.isShown { return }
        let text = MediaFormatter.position(position, of: length)
        tell(
            isBack ? .rewind10 : .forward10, length.map { "\(text) / \(MediaFormatter.position($0, of: $0))" } ?? text,
            now: now)
    }

    /// Shows the lock button, and a message that the controls are locked.
    ///
    /// - Parameter key: The key that unlocks them; nil if there is none, or to name the lock button.
    func tellLocked(key: KeyChord?, now: HostTime) {
        _ = showControls(now: now)
        tell(.lock, key.map { "Locked: press \($0) to unlock" } ?? "Locked: click the lock to unlock", now: now)
    }

    private func tell(_ message: Toast.Message, now: HostTime) {
        toast.show(message, now: now)
    }
}
