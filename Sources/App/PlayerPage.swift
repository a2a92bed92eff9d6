import Gestures
import Motion
import Navigation
import Playback
import Stage

/// The page that shows what plays: its picture, as large as the page allows, on black; over it, now and then, a bar.
@MainActor final class PlayerPage: Page {
    /// So long after the pointer and the keys rest the controls go by themselves.
    static let controlsPatience = Duration.seconds(3)

    private let box = VideoBox(background: .none)
    private let standIn = StandIn()
    /// Whether the controls come by themselves when the pointer moves.
    private let showsControls: Bool
    private var controlsUntil: HostTime?
    var onDoubleClick: (@MainActor () -> Void)?
    let clicks = TapRecognizer(count: 1, name: "click")
    let doubleClicks = TapRecognizer(count: 2, name: "double click")

    init(
        title: String, showsControls: Bool, back: @escaping @MainActor () -> Void,
        details: @escaping @MainActor () -> Void
    ) {
        self.showsControls = showsControls
        super.init()
        layer.content = .color(.black)
        layer.owner = self
        layer.add(standIn.layer)
        layer.add(box.layer)
        box.layer.isHitTestable = false
        bar = NavigationBar(
            title: title, background: Theme.overlay, height: Theme.barHeight, fade: Theme.overlayFade, isHidden: true,
            leadingItems: [.init(.back, action: back)], trailingItems: [.init(.information, action: details)])
        clicks.requireFailure(of: doubleClicks)
        clicks.onChange = { [weak self] recognizer in
            if recognizer.state == .recognized { self?.toggleControls(now: recognizer.time) }
        }
        doubleClicks.onChange = { [weak self] recognizer in
            if recognizer.state == .recognized { self?.onDoubleClick?() }
        }
    }

    /// The film goes on beneath another page, too.
    override var beneathMode: BeneathMode? { .live }

    func setTitle(_ title: String) {
        guard bar?.title != title else { return }
        bar?.title = title
        setNeedsLayout()
    }

    // MARK: - The picture

    /// Places the picture and readies it for the size at which it will be seen.
    func showPicture(of video: VideoView, scale: Double) {
        let bounds = Rect(origin: .zero, size: layer.frame.size)
        let picture = standIn.layout(bounds, for: video.player, title: bar?.title ?? "")
        layer.content = picture == .film ? .color(.black) : .gradient(Theme.stage)
        switch picture {
        case .film: box.layout(bounds, aspect: video.displaySize, scale: scale)
        case .cover(let place):
            box.layout(place, aspect: video.displaySize, cornerRadius: Theme.coverRadius, scale: scale)
        case .none: return box.show(.none)
        }
        if box.pixelSize.isEmpty { return box.show(.none) }
        video.prepare(destination: box.pixelSize)
        box.show(video.content)
    }

    /// Shows nothing: nothing plays.
    func hidePicture() {
        box.show(.none)
        standIn.layer.isHidden = true
    }

    // MARK: - The controls

    var areControlsShown: Bool { controlsUntil != nil }

    /// When the controls go, if nothing happens.
    var nextWake: HostTime? { controlsUntil }

    /// - Parameter isMoving: whether the page is drawn aside: its controls do not go meanwhile.
    /// - Returns: whether the controls went.
    func advance(to now: HostTime, isMoving: Bool) -> Bool {
        guard let until = controlsUntil else { return false }
        if isMoving {
            controlsUntil = now + Self.controlsPatience
            return false
        }
        guard now >= until else { return false }
        hideControls()
        return true
    }

    override func didDisappear() { hideControls() }

    /// The pointer moved, or a key was pressed: controls that are shown stay, and come where they may.
    ///
    /// True where they came.
    func wakeControls(now: HostTime) -> Bool {
        guard showsControls || areControlsShown else { return false }
        let came = !areControlsShown
        controlsUntil = now + Self.controlsPatience
        if came { setBarHidden(false) }
        return came
    }

    private func toggleControls(now: HostTime) {
        if areControlsShown {
            hideControls()
        } else {
            controlsUntil = now + Self.controlsPatience
            setBarHidden(false)
        }
    }

    private func hideControls() {
        controlsUntil = nil
        setBarHidden(true)
    }

    private func setBarHidden(_ isHidden: Bool) {
        bar?.isHidden = isHidden
        setNeedsLayout()
    }
}

extension PlayerPage: @MainActor GestureElement {
    var recognizers: [GestureRecognizer] { [doubleClicks, clicks] }
}
