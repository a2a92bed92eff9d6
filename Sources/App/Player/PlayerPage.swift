import Animation
import Controls
import Geometry
import Gestures
import Input
import Layers
import Navigation
import Presentation
import Subtitles
import Time

/// What the player's page asks of whoever owns the player. Main thread.
@MainActor protocol PlayerPageOwner: AnyObject {
    /// How what plays stands; nil where nothing does.
    func figures(now: HostTime) -> PlayerStatus?
    func perform(_ command: Command, now: HostTime)
    func scrub(_ scrub: PlayerControls.Scrub, now: HostTime)
    /// The pointer is at a part of the length on the progress bar, or elsewhere.
    func preview(at fraction: Double?, now: HostTime)
    func setVolume(_ volume: Double, now: HostTime)
    /// What a menu that belongs to `button` lists, and what a pick in it does.
    func entries(for menu: PlayerMenu) -> [Menu.Entry]
    func pick(_ id: String, in menu: PlayerMenu, now: HostTime)
    /// The controls have come or gone.
    func controlsChanged()
}

/// The menus over the picture.
enum PlayerMenu: Hashable {
    case speed, tracks
}

/// The page that shows what plays: its picture, as large as the page allows, on black; over it, now and then, its controls.
@MainActor final class PlayerPage: Page, ProgramPage {
    weak var owner: (any PlayerPageOwner)?
    let gestures = VideoGestures()
    let controls = PlayerControls()
    let preview = SeekPreviewView()
    let statistics: StatisticsOverlay
    let subtitles = SubtitleView()
    private let box = VideoBox(background: .none)
    private let standIn = AudioPlaceholder()
    /// Where the hand is on the picture: beneath all controls.
    private let stage = Layer()
    let toast = Toast(style: Theme.toast)
    private let spinner = Spinner(style: Theme.spinner)
    /// Under it, what is waited for, where that is not to be expected.
    private let waitSign = Layer(content: .color(Theme.toast.background))
    private let waitLabel = Label("Reconnecting…", style: Theme.toast.text, alignment: .center)
    private let menu = Menu(style: Theme.menu)
    private let focus = FocusChain()
    private var openMenu: PlayerMenu?
    /// The button that the open menu belongs to.
    private weak var menuButton: Button?
    /// Whether the controls come by themselves when the pointer moves.
    private let showsControls: Bool
    var visibility = ControlVisibility()
    private var size = Size.zero
    private var scale = 1.0
    /// How far the film is turned to fill the screen, in quarter turns.
    var turn = 0.0
    /// How round its corners are while it comes from a place that has round ones, in points.
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
            standIn.layer, box.layer, subtitles.layer, stage, statistics.layer, spinner.layer, waitSign,
            controls.layer,
            preview.layer, toast.layer, menu.layer,
        ] { layer.add(part) }
        for part in [box.layer, subtitles.layer, statistics.layer, spinner.layer, toast.layer] {
            part.isHitTestable = false
        }
        waitSign.isHitTestable = false
        waitSign.isHidden = true
        waitSign.add(waitLabel.layer)
        stage.owner = gestures
        bar = NavigationBar(
            title: title, background: Theme.overlay, height: Theme.barHeight, fade: Theme.overlayFade, isHidden: true,
            leadingItems: [Button(.back, style: Theme.barButton, action: back)],
            trailingItems: [Button(.information, style: Theme.barButton, action: details)])
        barLayer.opacity = 0
        focus.setControls(controls.focusables, now: HostTime(nanoseconds: 0))
        connect()
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
        controls.onMenu = { [weak self] button, now in
            guard let self else { return }
            open(button === controls.speed ? .speed : .tracks, at: button, now: now)
        }
        menu.onPick = { [weak self] item, now in
            guard let self, let open = openMenu else { return }
            owner?.pick(item.id, in: open, now: now)
            if menu.isOpen, let entries = owner?.entries(for: open) {
                menu.setEntries(entries, keepsPlace: true, now: now)
            }
        }
        menu.onClose = { [weak self] now in
            self?.openMenu = nil
            self?.visibility.set(.menu, false, now: now)
        }
    }

    /// The film goes on beneath another page, too.
    override var beneathMode: BeneathMode? { .live }

    override func shouldBeginPop() -> Bool { gestures.allows(.popDrag, at: stack?.pressLocation ?? .zero) }
    override func shouldBeginTrailingPush() -> Bool {
        gestures.allows(.trailingDrag, at: stack?.pressLocation ?? .zero)
    }

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
        controls.layout(size: size, bottom: insets.bottom, scale: scale)
        toast.layout(
            top: Point(x: size.width / 2, y: Theme.barHeight + 20), maxWidth: max(0, size.width - 2 * Theme.margin))
        spinner.layout(
            Rect(x: ((size.width - 64) / 2).rounded(), y: ((size.height - 64) / 2).rounded(), width: 64, height: 64))
        let label = Size(width: min(170, size.width), height: 30)
        waitSign.frame = Rect(
            origin: Point(x: ((size.width - label.width) / 2).rounded(), y: ((size.height + 64) / 2).rounded() + 12),
            size: label)
        waitSign.cornerRadius = label.height / 2
        waitLabel.layout(Rect(origin: .zero, size: label))
        if menu.isOpen, let menuButton { menu.layout(at: menuButton.layer.frame, in: bounds) }
    }

    /// Places the picture and readies it for the size at which it will be seen.
    ///
    /// - Parameter goal: the size that the page is going to have, while it goes there; nil where it has it.
    func showPicture(of playing: PlaybackSession, goal: Size? = nil, scale: Double) {
        let video = playing.video
        if scale != self.scale {
            self.scale = scale
            setNeedsLayout()
        }
        let bounds = Rect(origin: .zero, size: layer.frame.size)
        let picture = standIn.layout(bounds, for: video.player, title: bar?.title ?? "")
        layer.content = picture == .film ? .color(.black) : .gradient(Theme.stage)
        switch picture {
        case .film:
            // The picture's corners are the page's only where it fills the page.
            let shape = video.displaySize ?? bounds.size
            let fills =
                abs(shape.width * bounds.size.height - shape.height * bounds.size.width)
                < 0.02 * shape.width * bounds.size.height
            box.layout(
                bounds, goal: goal, aspect: video.displaySize, cornerRadius: fills ? cornerRadius : 0, turn: turn,
                scale: scale)
        case .cover(let place):
            box.layout(place, aspect: video.displaySize, cornerRadius: Theme.coverRadius, scale: scale)
        case .none: return box.show(.none)
        }
        if box.pixelSize.isEmpty { return box.show(.none) }
        if goal != nil, turn == 0 {
            video.place(destination: box.seenSize, goal: box.pixelSize)
        } else {
            video.place(destination: box.pixelSize)
        }
        box.show(video.content)
        if subtitles.layer.superlayer !== layer { return }
        subtitles.layout(
            picture: box.pictureFrame, isMoving: goal != nil, height: size.height, scale: scale,
            for: playing.subtitles.subtitles,
            frameRate: video.player.info?.frameRate)
    }

    /// The film's lines are shown here again, after they were elsewhere.
    func takeBackSubtitles() {
        guard subtitles.layer.superlayer !== layer else { return }
        layer.insert(subtitles.layer, below: stage)
        setNeedsLayout()
    }

    /// Shows nothing: nothing plays.
    func hidePicture() {
        box.show(.none)
        standIn.layer.isHidden = true
        subtitles.clear()
    }

    /// Fits the picture into the page, or fills the page with it.
    func toggleFill(now: HostTime) { setFilled(box.mode == .fit, now: now) }

    func setFilled(_ isFilled: Bool, now: HostTime) {
        box.setMode(isFilled ? .fill : .fit, now: now)
        tell(.fullscreen, isFilled ? "Fill" : "Fit", now: now)
    }

    // MARK: - Time

    var isAnimating: Bool {
        (controls.isShown && controls.isAnimating) || menu.isAnimating || box.isMoving || toast.isAnimating
            || spinner.isAnimating
    }

    var nextWake: HostTime? {
        var wake = visibility.deadline
        func consider(_ time: HostTime?) { if let time { wake = wake.map { min($0, time) } ?? time } }
        if controls.isShown { consider(controls.nextWake) }
        consider(toast.nextWake)
        consider(menu.nextWake)
        consider(spinner.nextWake)
        consider(gestures.nextWake)
        return wake
    }

    func advance(to now: HostTime, isMoving: Bool) -> Bool {
        visibility.set(.page, isMoving, now: now)
        visibility.set(.drag, controls.isDragged || gestures.isActive, now: now)
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
        if spinner.advance(to: now) { isChanged = true }
        return isChanged
    }

    override func didDisappear() {
        menu.close(now: .now())
        // What a hand was doing on the film is over.
        gestures.cancel()
        if visibility.hide() { controlsChanged(now: .now()) }
    }

    // MARK: - The controls

    var areControlsShown: Bool { visibility.isShown }

    /// Has the controls show how what plays stands. Nothing is done for controls that nobody sees.
    func showFigures(now: HostTime) {
        guard let figures = owner?.figures(now: now) else { return }
        spinner.setWanted(figures.isWaiting, now: now)
        waitSign.isHidden = figures.activity != .reconnecting
        if controls.isShown { controls.show(figures, now: now) }
    }

    /// The pointer moved, or a key was pressed: controls that are shown stay, and come where they may.
    ///
    /// True where they came.
    func wakeControls(now: HostTime) -> Bool {
        guard showsControls || areControlsShown else { return false }
        return showControls(now: now)
    }

    /// They come whoever asked for them, and stay for a while. True where they came.
    func showControls(now: HostTime) -> Bool {
        let came = visibility.wake(now: now)
        if came { controlsChanged(now: now) }
        return came
    }

    /// A click on the picture.
    func toggleControls(now: HostTime) {
        if !visibility.hide() { _ = visibility.wake(now: now) }
        controlsChanged(now: now)
    }

    /// Shuts the hand out of the picture, or lets it in again.
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
        controls.setShown(isShown, now: now)
        if isShown { showFigures(now: now) } else { focus.leave(now: now) }
        if !isShown { owner?.preview(at: nil, now: now) }
        owner?.controlsChanged()
        subtitles.brightnessOffset = isShown && !gestures.isLocked ? PlayerControls.height * 0.55 : 0
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

    /// What an event at `point` belongs to before anything else; nil where it goes its usual way.
    func menuElements(at point: Point, now: HostTime) -> [any GestureTarget]? {
        menu.elements(at: point, now: now)
    }

    /// What it lists is out of date.
    func closeMenu(now: HostTime) { menu.close(now: now) }

    /// The control that has the keyboard.
    var focused: (any Focusable)? { focus.focused }

    /// A pointer was pressed somewhere.
    func pointerWasPressed(now: HostTime) { focus.pointerWasPressed(now: now) }

    private func open(_ kind: PlayerMenu, at button: Button, now: HostTime) {
        guard let entries = owner?.entries(for: kind), !entries.isEmpty else { return }
        openMenu = kind
        menuButton = button
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
