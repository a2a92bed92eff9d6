import GlissadeAnimation
import GlissadeControls
import GlissadeGeometry
import GlissadeGestures
import GlissadeLayers
import GlissadeLibrary
import GlissadeTime

/// The controls over the video: the progress bar, a row of buttons below it, and a large play button in the center.
///
/// Main thread. The owner decides when the controls are visible, and carries out their requests.
@MainActor final class PlayerControls {
    /// A phase of a drag on the progress bar. The associated value, if any, is the position as a fraction of the
    /// media's length.
    enum Scrub {
        case began(Double), moved(Double), ended(Double), cancelled
    }

    let layer = Layer()
    let progress = ProgressBar(style: Theme.progress)
    let volume = Slider(range: 0...1.3, value: 1, style: Theme.volume)
    /// The large play button in the center. Hidden while the media is playing or being loaded, and while the controls
    /// are locked.
    let centre = Button(.play, style: Theme.centreButton)
    private let scrim = Layer(content: .gradient(Theme.controlsScrim))
    /// The disc behind the large play button.
    private let disc = Layer(content: .color(Theme.disc))
    /// The disc behind the lock button, visible while the controls are locked.
    private let lockDisc = Layer(content: .color(Theme.disc))
    private let elapsed = Label(style: Theme.controlTime, alignment: .leading)
    let remaining = Button(.text(""), style: Theme.timeButton)
    let play = Button(.play, style: Theme.button)
    let previous = Button(.previous, style: Theme.button)
    let next = Button(.next, style: Theme.button)
    let mute = Button(.volume, style: Theme.button)
    let speed = Button(.text("1×"), style: Theme.button)
    let tracks = Button(.tracks, style: Theme.button)
    /// Shown only for files with comments.
    let comments = Button(.comments, style: Theme.button)
    let lock = Button(.unlock, style: Theme.button)
    let floating = Button(.floating, style: Theme.button)
    let fullscreen = Button(.fullscreen, style: Theme.button)

    var perform: (@MainActor (Command) -> Void)?
    var onScrub: (@MainActor (Scrub, HostTime) -> Void)?
    /// Called when the pointer moves over the progress bar or leaves it. The first argument is the position under the
    /// pointer, as a fraction of the media's length; nil when the pointer leaves.
    var onHover: (@MainActor (Double?, HostTime) -> Void)?
    var onVolume: (@MainActor (Double) -> Void)?
    /// Called when the user opens a menu with its button.
    var onMenu: (@MainActor (PlayerMenu, HostTime) -> Void)?

    private(set) var figures = PlayerStatus()
    private var position = PositionInterpolator()
    private var showsLength = false
    /// The buttons that are hidden because the page is too narrow, or because the film has no comments.
    private var hiddenButtons: [Button] = []
    private var isLocked = false
    private var size = Size.zero
    private var bottom = 0.0
    private var scale = 1.0
    /// The position during a drag of the progress bar, as a fraction of the media's length; nil when there is no drag.
    private(set) var scrubbing: Double?

    /// Whether the progress bar or the volume slider is being dragged.
    var isDragged: Bool { scrubbing != nil || volume.isDragged }

    /// The control under the pointer, on the page or in its title bar; nil if there is none.
    weak var pointed: (any Focusable)?
    /// Whether the pointer is over a control that is still enabled and visible.
    var isPointedAt: Bool { pointed?.canFocus == true }

    /// The height of the darkened area behind the controls, at the lower edge of the uncovered part of the page, in
    /// points.
    static let height = 150.0
    /// The height of the progress bar's center above the lower edge of the uncovered part of the page, in points.
    static let barHeight = 64.0
    static let fadeIn = Duration.milliseconds(140)
    static let fadeOut = Duration.milliseconds(260)

    init() {
        layer.isHidden = true
        layer.opacity = 0
        scrim.isHitTestable = false
        layer.isHitTestable = false
        layer.add(scrim)
        for part in [
            elapsed.layer, remaining.layer, play.layer, previous.layer, next.layer, mute.layer, volume.layer,
            speed.layer, tracks.layer, comments.layer, lockDisc, lock.layer, floating.layer, fullscreen.layer, disc,
            centre.layer,
            progress.layer,
        ] { layer.add(part) }
        elapsed.layer.isHitTestable = false
        disc.isHitTestable = false
        lockDisc.isHitTestable = false
        lockDisc.isHidden = true
        disc.isHidden = true
        floating.isEnabled = false
        centre.layer.isHidden = true
        volume.marks = [1]
        connect()
    }

    /// The controls that can have the keyboard focus, in tab order.
    var focusables: [any Focusable] {
        [progress, play, previous, next, mute, volume, remaining, speed, tracks, comments, lock, floating, fullscreen]
    }

    /// Returns the button that opens a menu; nil if none does.
    func button(of menu: PlayerMenu) -> Button? {
        switch menu {
        case .speed: speed
        case .tracks, .encodings: tracks
        case .comment: nil
        }
    }

    private func connect() {
        for (button, command) in [
            (play, Command.togglePause), (centre, .togglePause), (previous, .previous), (next, .next),
            (mute, .toggleMute), (fullscreen, .toggleFullscreen), (lock, .toggleLock),
            (floating, .toggleFloating), (comments, .toggleComments),
        ] { button.action = { [weak self] in self?.perform?(command) } }
        for (button, name) in [
            (play, "Play or pause"), (previous, "Previous"), (next, "Next"), (mute, "Mute"), (speed, "Speed"),
            (tracks, "Audio and subtitles"), (comments, "Comments"), (lock, "Lock controls"),
            (floating, "Picture-in-picture"), (fullscreen, "Fullscreen"), (centre, "Play or pause"),
            (remaining, "Total or remaining time"),
        ] { button.name = name }
        speed.action = { [weak self] in self?.onMenu?(.speed, .now()) }
        tracks.action = { [weak self] in self?.onMenu?(.tracks, .now()) }
        remaining.action = { [weak self] in
            guard let self else { return }
            showsLength.toggle()
            showTimes(at: figures.position)
        }
        volume.onChange = { [weak self] value, _ in self?.onVolume?(value) }
        progress.onStep = { [weak self] fraction, now in
            guard let self else { return }
            if fraction <= 0 { return perform?(.goToStart) ?? () }
            if fraction >= 1 { return perform?(.goToEnd) ?? () }
            // Equivalent to a click at that position.
            onScrub?(.began(fraction), now)
            onScrub?(.ended(fraction), now)
        }
        progress.onHover = { [weak self] fraction, now in self?.onHover?(fraction, now) }
        progress.onDragBegan = { [weak self] fraction, now in self?.scrub(.began(fraction), at: fraction, now: now) }
        progress.onDrag = { [weak self] fraction, now in self?.scrub(.moved(fraction), at: fraction, now: now) }
        progress.onDragEnded = { [weak self] fraction, now in self?.scrub(.ended(fraction), at: nil, now: now) }
        progress.onDragCancelled = { [weak self] now in self?.scrub(.cancelled, at: nil, now: now) }
    }

    private func scrub(_ scrub: Scrub, at fraction: Double?, now: HostTime) {
        scrubbing = fraction
        if let fraction { showTimes(at: figures.position(at: fraction)) }
        onScrub?(scrub, now)
    }

    // MARK: - Contents

    /// Locks or unlocks the controls. While they are locked, only the lock button is visible.
    func setLocked(_ isLocked: Bool, now: HostTime) {
        self.isLocked = isLocked
        lock.icon = isLocked ? .lock : .unlock
        lock.isOn = isLocked
        for part in layer.sublayers where part !== lock.layer { part.isHidden = isLocked }
        lockDisc.isHidden = !isLocked
        if !isLocked { layout(size: size, bottom: bottom, scale: scale) }
    }

    var isShown: Bool { !layer.isHidden && layer.opacity > 0 }

    /// Fades the controls in or out.
    func setShown(_ isShown: Bool, now: HostTime) {
        guard isShown != self.isShown else { return }
        layer.isHidden = false
        layer.animatedOpacity.animate(
            to: isShown ? 1 : 0, now: LocalTime(now), duration: isShown ? Self.fadeIn : Self.fadeOut, curve: .easeOut
        ) { [weak layer] isFinished in
            if isFinished, !isShown { layer?.isHidden = true }
        }
    }

    /// Resets the progress bar for another file.
    func forget(now: HostTime) {
        position.reset(progress, now: now)
        (nextBufferedReport, rangeChangedAt) = (nil, now)
    }

    /// How often to look at what is buffered while playback is paused, and how long to go on if nothing arrives.
    private static let (bufferedInterval, bufferedPatience) = (Duration.milliseconds(500), Duration.seconds(10))
    /// When to look again at what is buffered; nil if it is not changing, or the position is reported anyway.
    private var nextBufferedReport: HostTime?
    /// When the buffered range last changed.
    private var rangeChangedAt = HostTime(nanoseconds: 0)
    /// Whether a buffered range has been set that is not drawn yet.
    private var hasNewRange = false

    /// When the visible controls must be updated next; nil if no update is scheduled.
    var nextWake: HostTime? {
        var wake = progress.nextWake
        func consider(_ time: HostTime?) { if let time { wake = wake.map { min($0, time) } ?? time } }
        consider(position.nextReport)
        consider(nextBufferedReport)
        return wake
    }

    var isAnimating: Bool { progress.isAnimating || volume.isAnimating }

    /// Advances animations. Returns whether the controls must be redrawn.
    func advance(to now: HostTime) -> Bool {
        let isMoved = progress.advance(to: now)
        let isNew = hasNewRange
        hasNewRange = false
        return volume.advance(to: now) || isMoved || isNew
    }

    /// Updates the controls to show `figures`. During a drag of the progress bar, the displayed times follow the drag
    /// instead.
    func show(_ figures: PlayerStatus, now: HostTime) {
        let hadComments = self.figures.hasComments
        self.figures = figures
        if figures.hasComments != hadComments { layout(size: size, bottom: bottom, scale: scale) }
        position.report(figures, to: progress, now: now)
        let pauses = figures.activity == .playing || figures.isWaiting
        play.icon = pauses ? .pause : .play
        centre.icon = play.icon
        centre.layer.isHidden = pauses || isLocked
        disc.isHidden = centre.layer.isHidden
        previous.isEnabled = figures.hasPrevious
        next.isEnabled = figures.hasNext
        mute.icon = figures.isMuted || figures.volume == 0 ? .muted : figures.volume < 0.5 ? .volumeLow : .volume
        mute.isEnabled = figures.hasAudio
        volume.isEnabled = figures.hasAudio
        volume.setValue(figures.isMuted ? 0 : figures.volume, now: now)
        speed.face = .text(Self.speedText(figures.speed))
        speed.isOn = figures.speed != 1
        tracks.isEnabled = figures.hasTracks
        comments.isOn = figures.showsComments
        floating.isEnabled = figures.canFloat
        fullscreen.icon = figures.isFullscreen ? .leaveFullscreen : .fullscreen
        progress.isEnabled = figures.isSeekable && figures.length != nil
        showBuffered(figures, now: now)
        if scrubbing == nil { showTimes(at: figures.position) }
    }

    private func showBuffered(_ figures: PlayerStatus, now: HostTime) {
        let range = figures.buffered.map { figures.fraction($0.lowerBound)...figures.fraction($0.upperBound) }
        if progress.buffered.first != range {
            progress.buffered = range.map { [$0] } ?? []
            (hasNewRange, rangeChangedAt) = (true, now)
        }
        // While playback is paused, there are no reports of its position.
        let isArriving = range != nil && !figures.isRunning && now - rangeChangedAt < Self.bufferedPatience
        nextBufferedReport = isArriving ? now + Self.bufferedInterval : nil
    }

    private func showTimes(at position: Duration) {
        elapsed.text = MediaFormatter.position(position, of: figures.length)
        remaining.face = .text(
            showsLength || figures.length == nil
                ? MediaFormatter.position(figures.length, of: figures.length)
                : MediaFormatter.remaining(position, of: figures.length))
    }

    static func speedText(_ speed: Double) -> String {
        let hundredths = Int((speed * 100).rounded())
        if hundredths % 100 == 0 { return "\(hundredths / 100)×" }
        let digits =
            hundredths % 10 == 0
            ? "\(hundredths % 100 / 10)" : hundredths % 100 < 10 ? "0\(hundredths % 10)" : "\(hundredths % 100)"
        return "\(hundredths / 100).\(digits)×"
    }

    // MARK: - Layout

    /// Lays out the controls on a page.
    ///
    /// - Parameters:
    ///   - size: The page's size in points.
    ///   - bottom: The height of the area at the page's lower edge that other views cover, in points.
    ///   - scale: Device pixels per point.
    func layout(size: Size, bottom: Double, scale: Double) {
        // The controls move away from under a resting pointer, of which no event tells.
        if (size, bottom) != (self.size, self.bottom) { pointed = nil }
        (self.size, self.bottom, self.scale) = (size, bottom, scale)
        layer.frame = Rect(origin: .zero, size: size)
        let floor = size.height - bottom
        scrim.frame = Rect(x: 0, y: floor - Self.height, width: size.width, height: Self.height)
        let isNarrow = size.width < 560
        let margin = isNarrow ? 12.0 : Theme.margin
        let side = Theme.buttonSide
        let row = floor - side - 8
        // The elapsed time is to the left of the progress bar, and the remaining time to its right.
        let timeWidth = (figures.length ?? .zero) >= .seconds(3600) ? 72.0 : 52
        let barY = floor - Self.barHeight - 10
        elapsed.layout(Rect(x: margin, y: barY - 2, width: timeWidth, height: 24))
        remaining.layout(Rect(x: size.width - margin - timeWidth - 8, y: barY - 2, width: timeWidth + 8, height: 24))
        let barLeft = margin + timeWidth + 4
        let barRight = size.width - margin - timeWidth - 16
        progress.layout(
            Rect(x: barLeft, y: barY, width: max(0, barRight - barLeft), height: 20), scale: scale)
        hideButtons(room: size.width - 2 * (margin - 8))
        var left = margin - 8
        for button in [play, previous, next, mute] where !isHidden(button) {
            button.layout(Rect(x: left, y: row, width: side, height: side))
            left += side + 2
        }
        let hasVolume = size.width >= (figures.hasComments ? 590 : 540)
        volume.layer.isHidden = !hasVolume || isLocked
        volume.layout(Rect(x: left + 4, y: row + (side - 20) / 2, width: 96, height: 20), scale: scale)
        var right = size.width - margin + 8
        for (button, width) in [
            (fullscreen, side), (floating, side), (lock, side), (comments, side), (tracks, side), (speed, 56),
        ]
        where !isHidden(button) {
            right -= width
            button.layout(Rect(x: right, y: row, width: width, height: side))
            right -= 2
        }
        lockDisc.frame = lock.layer.frame
        lockDisc.cornerRadius = side / 2
        let centreSide = Theme.centreSide
        disc.frame = Rect(
            x: ((size.width - centreSide) / 2).rounded(), y: ((floor - centreSide) / 2).rounded(), width: centreSide,
            height: centreSide)
        disc.cornerRadius = centreSide / 2
        centre.layout(disc.frame)
    }

    /// Hides the buttons that do not fit into a width of `room` points. Their commands remain available as keyboard
    /// shortcuts.
    private func hideButtons(room: Double) {
        let (side, gap) = (Theme.buttonSide, 2.0)
        hiddenButtons = figures.hasComments ? [] : [comments]
        comments.layer.isHidden = isHidden(comments) || isLocked
        var needed = Double(figures.hasComments ? 9 : 8) * (side + gap) + 56
        for button in [previous, next, lock, mute, floating] + (figures.hasComments ? [comments] : []) + [
            tracks, speed,
        ] {
            // While the controls are locked, the lock button must stay visible.
            if needed > room, !(isLocked && button === lock) {
                hiddenButtons.append(button)
                needed -= (button === speed ? 56 : side) + gap
            }
            button.layer.isHidden = isHidden(button) || (isLocked && button !== lock)
        }
    }

    private func isHidden(_ button: Button) -> Bool { hiddenButtons.contains { $0 === button } }
}
