import GlissadeAnimation
import GlissadeControls
import GlissadeFilm
import GlissadeGeometry
import GlissadeGestures
import GlissadeInput
import GlissadeLayers
import GlissadeNavigation
import GlissadePlayback
import GlissadeTime

/// A bar at the bottom of a page, with the live video, the title, the playback state and buttons. A click on the bar
/// opens the player's page.
@MainActor final class MiniPlayer {
    let view: BottomView
    private let root = Layer(content: .color(Theme.raised))
    private let line = Layer(content: .color(Theme.separator))
    private let box = VideoBox()
    /// The icon in place of the video, for audio or for a file that cannot be played.
    private let sign = Layer()
    private let title = Layer()
    private let detail = Layer()
    private let playButton: Button
    private let closeButton: Button
    private let open: @MainActor (HostTime) -> Void
    private var frame = Size.zero
    /// The width-to-height ratio of the video, or 1 for an icon; 16:9 if unknown.
    private var aspect = 16.0 / 9

    init(
        open: @escaping @MainActor (HostTime) -> Void, togglePause: @escaping @MainActor () -> Void,
        close: @escaping @MainActor () -> Void
    ) {
        self.open = open
        playButton = Button(.pause, style: Theme.button, action: togglePause)
        closeButton = Button(.close, style: Button.Style(color: Theme.secondaryText, iconFraction: 0.45), action: close)
        view = BottomView(height: Theme.miniBarHeight, layer: Layer())
        view.layer.clipsToBounds = true
        view.layer.add(root)
        for layer in [box.layer, sign, line, title, detail] {
            layer.isHitTestable = false
            root.add(layer)
        }
        root.add(playButton.layer)
        root.add(closeButton.layer)
        root.owner = self
        view.onLayout = { [weak self] in self?.layout($0) }
    }

    private func layout(_ size: Size) {
        frame = size
        root.frame = Rect(origin: .zero, size: size)
        line.frame = Rect(x: 0, y: 0, width: size.width, height: 1)
        let side = Theme.buttonSide
        let top = (size.height - side) / 2
        closeButton.layout(Rect(x: size.width - side - Theme.margin, y: top, width: side, height: side))
        playButton.layout(Rect(x: size.width - 2 * side - Theme.margin - 8, y: top, width: side, height: side))
        let left = pictureWidth + Theme.margin
        let width = max(0, playButton.layer.frame.minX - Theme.margin - left)
        title.frame = Rect(x: left, y: size.height / 2 - 22, width: width, height: 22)
        detail.frame = Rect(x: left, y: size.height / 2 + 1, width: width, height: 20)
    }

    /// The width of the video area, in points: the width of the video at the bar's height, limited to leave space for
    /// the text.
    private var pictureWidth: Double {
        let widest = min(frame.height * 16 / 9, frame.width * 0.36)
        return min(max(frame.height * aspect, frame.height * 9 / 16), widest).rounded()
    }

    /// The visible fraction of the bar's height, 0…1. The bar moves in from below.
    var reveal: Double = 0 {
        didSet { root.translation = Point(x: 0, y: ((1 - reveal) * view.height).rounded()) }
    }

    /// Shows the session's title and playback state, and updates the buttons.
    func show(_ playing: PlaybackSession, now: HostTime) {
        title.content = .text(TextContent(playing.title, style: Theme.rowTitle, truncation: .middle))
        let state =
            switch playing.player.state {
            case .opening: "Opening…"
            case .playing: "Playing"
            case .paused: "Paused"
            case .buffering: "Buffering…"
            case .reconnecting: "Reconnecting…"
            case .ended: "Ended"
            case .failed(.connectionLost): "Connection lost"
            case .failed: "Cannot play"
            }
        detail.content = .text(TextContent(state, style: Theme.rowDetail))
        switch playing.player.state {
        case .opening, .buffering, .reconnecting, .playing: playButton.icon = .pause
        case .paused, .ended, .failed: playButton.icon = .play
        }
        playButton.layer.isHidden = isFailed(playing.player)
        sign.content =
            isFailed(playing.player)
            ? .icon(.broken, Theme.posterIcon)
            : playing.player.info == nil || playing.player.hasVideo ? .none : .icon(.music, Theme.posterIcon)
    }

    private func isFailed(_ player: Player) -> Bool {
        switch player.state {
        case .failed(.connectionLost): return false
        case .failed: return true
        default: return false
        }
    }

    /// Returns the frame of the video area at `time`, in layout points.
    func pictureFrame(at time: LocalTime) -> Rect { box.layer.presentationFrame(at: time) }

    /// Lays out the bar's video area and shows the video there.
    ///
    /// - Parameter isOnlyPlace: Whether the player's page is hidden. If so, frames are prepared for the video's size in
    ///   this bar.
    func showPicture(of film: FilmScreen, isOnlyPlace: Bool, scale: Double) {
        let shape = film.displaySize.map { $0.width / max($0.height, 1) } ?? (sign.content == .none ? 16 / 9 : 1)
        if shape != aspect {
            aspect = shape
            layout(frame)
        }
        let area = Rect(x: 0, y: 0, width: pictureWidth, height: frame.height)
        box.layer.content = .color(sign.content == .none ? .black : Theme.posterBackground)
        let side = 28.0
        sign.frame = Rect(
            x: ((area.size.width - side) / 2).rounded(), y: ((area.size.height - side) / 2).rounded(), width: side,
            height: side)
        box.layout(area, aspect: film.displaySize, scale: scale)
        if box.pixelSize.isEmpty { return box.show(.none) }
        if isOnlyPlace { film.place(destination: box.pixelSize, isSmall: true) }
        box.show(film.content)
    }
}

extension MiniPlayer: @MainActor GestureTarget {
    var recognizers: [GestureRecognizer] { [] }

    func receive(_ event: PointerEvent) {
        guard event.phase == .released, event.button == .primary else { return }
        let place = root.convert(fromLayout: event.position, at: LocalTime(event.time))
        if Rect(origin: .zero, size: frame).contains(place) { open(event.time) }
    }
}

extension MiniPlayer: HoverTarget {
    func hover(_ point: Point?, now: HostTime) {
        root.content = .color(point == nil ? Theme.raised : Theme.raisedHover)
    }
}
