import GlissadeAnimation
import GlissadeControls
import GlissadeGeometry
import GlissadeGestures
import GlissadeInput
import GlissadeLayers
import GlissadePicture
import GlissadeTime

/// The miniplayer in the lower right corner of a library page, for a video whose row is mostly out of view.
///
/// The miniplayer moves from the row to the corner when it appears, and back when it disappears. If the row's
/// picture area is entirely out of view when the animation starts, the miniplayer slides in or out at the bottom edge
/// of the page instead.
@MainActor final class CornerMiniPlayer {
    /// How long the miniplayer takes to appear or to disappear.
    static let duration = Duration.milliseconds(250)
    /// The miniplayer's width as a fraction of the page's width, before it is limited to `widths`.
    static let widthFraction = 0.3
    /// The minimum and maximum width, in points. A page that is too narrow for the minimum has a narrower miniplayer.
    static let widths = 160.0...400.0
    static let cornerRadius = 12.0

    let layer = Layer()
    private let box = VideoBox()
    private let controls = Layer()
    private let scrim = Layer(content: .color(Theme.cornerScrim))
    private let playButton: Button
    private let closeButton: Button
    private let press = PressRecognizer()
    private let open: @MainActor (HostTime) -> Void
    /// Called for scroll events over the miniplayer. Returns whether the event was used.
    var onScroll: (@MainActor (ScrollEvent) -> Bool)?
    /// The animated position: 0 in the row or below the page, 1 in the corner.
    private let fraction = Animated(0.0)
    private(set) var shownFraction = 0.0
    /// Whether the miniplayer moves to and from a position below the page, rather than the row.
    private var isFromBelow = false
    /// The last known frame of the picture area in the video's row, in the page's coordinates; nil if unknown.
    private var rowFrame: Rect?
    private var isHovered = false
    private var isPaused = false

    init(
        open: @escaping @MainActor (HostTime) -> Void, togglePause: @escaping @MainActor () -> Void,
        close: @escaping @MainActor () -> Void
    ) {
        self.open = open
        playButton = Button(.pause, style: Theme.cornerButton, action: togglePause)
        closeButton = Button(.close, style: Theme.cornerButton, action: close)
        layer.content = .color(.black)
        layer.shadow = Theme.popoverShadow
        layer.isHidden = true
        layer.owner = self
        for part in [box.layer, scrim] { part.isHitTestable = false }
        controls.isHitTestable = false
        controls.opacity = 0
        controls.add(scrim)
        controls.add(playButton.layer)
        controls.add(closeButton.layer)
        layer.add(box.layer)
        layer.add(controls)
        press.maximumTravel = ListView.clickTravel
        press.isInside = { [weak self] point, now in
            guard let self else { return false }
            let place = layer.convert(fromLayout: point, at: LocalTime(now))
            return Rect(origin: .zero, size: layer.frame.size).contains(place)
        }
        press.onChange = { [weak self] press in
            if press.state == .recognized { self?.open(press.time) }
        }
    }

    /// Returns the miniplayer's frame in the corner of a page of size `size`, in points.
    ///
    /// - Parameter bottom: The height of the covered area at the bottom of the page, in points.
    static func frame(in size: Size, bottom: Double) -> Rect {
        let wanted = min(max(size.width * widthFraction, widths.lowerBound), widths.upperBound)
        let width = max(0, min(wanted, size.width - 2 * Theme.margin)).rounded()
        let height = (width * 9 / 16).rounded()
        return Rect(
            x: size.width - Theme.margin - width, y: size.height - bottom - Theme.margin - height, width: width,
            height: height)
    }

    // MARK: - Appearing and disappearing

    /// Whether the miniplayer is visible, fully or during an animation.
    var isShown: Bool { fraction.model > 0 || shownFraction > 0 }
    var isAnimating: Bool { fraction.isMoving }

    /// Shows or hides the miniplayer with an animation. Does nothing if the miniplayer is already in the wanted state
    /// or moving there.
    ///
    /// - Parameter isRowSeen: Whether any part of the row's picture area is in view. If so, the miniplayer moves out
    ///   of or into the row. Ignored when an animation is reversed.
    func setWanted(_ isWanted: Bool, isRowSeen: Bool, now: HostTime) {
        let target = isWanted ? 1.0 : 0.0
        guard fraction.model != target else { return }
        // An animation that is reversed halfway must return to where it started.
        if shownFraction == 0 || shownFraction == 1 { isFromBelow = !isRowSeen }
        fraction.animate(to: target, now: LocalTime(now), duration: Self.duration, curve: .easeInOut)
    }

    /// Hides the miniplayer without an animation.
    func hide() {
        fraction.removeAnimations()
        fraction.model = 0
        shownFraction = 0
        rowFrame = nil
        layer.isHidden = true
        box.show(.none)
    }

    /// Lays out the miniplayer at its animated position at `now`, between the row and the corner.
    ///
    /// - Parameters:
    ///   - row: The frame of the picture area in the video's row, whether in view or not, in the page's coordinates;
    ///     nil if there is no row.
    ///   - corner: The miniplayer's frame in the corner, in the page's coordinates.
    func place(from row: Rect?, to corner: Rect, at now: HostTime) {
        fraction.advance(to: LocalTime(now))
        shownFraction = min(max(fraction.presentation(at: LocalTime(now)), 0), 1)
        layer.isHidden = !isShown
        guard isShown else { return }
        if let row { rowFrame = row }
        var start = corner
        start.origin.y += corner.size.height + 2 * Theme.margin
        if !isFromBelow, var row = rowFrame {
            // After a fling, the row may be many pages away. The animation then starts or ends just out of view.
            row.origin.y = min(max(row.origin.y, -row.size.height), max(start.origin.y, -row.size.height))
            start = row
        }
        layer.frame = Self.between(start, corner, shownFraction)
        let radius = Theme.cardRadius + (Self.cornerRadius - Theme.cardRadius) * shownFraction
        layer.cornerRadius = radius
        box.layer.cornerRadius = radius
        let bounds = Rect(origin: .zero, size: layer.frame.size)
        controls.frame = bounds
        scrim.frame = bounds
        scrim.cornerRadius = radius
        let (large, small) = (44.0, 30.0)
        playButton.layout(
            Rect(x: (bounds.maxX - large) / 2, y: (bounds.maxY - large) / 2, width: large, height: large))
        closeButton.layout(Rect(x: bounds.maxX - small - 6, y: 6, width: small, height: small))
    }

    private static func between(_ start: Rect, _ end: Rect, _ fraction: Double) -> Rect {
        func mix(_ from: Double, _ to: Double) -> Double { (from + (to - from) * fraction).rounded() }
        return Rect(
            x: mix(start.minX, end.minX), y: mix(start.minY, end.minY), width: mix(start.size.width, end.size.width),
            height: mix(start.size.height, end.size.height))
    }

    // MARK: - The video

    /// Lays out the video in the miniplayer's current frame.
    ///
    /// - Parameters:
    ///   - aspect: A size with the video's aspect ratio.
    ///   - place: The miniplayer's frame in the corner.
    ///   - scale: Device pixels per point.
    /// - Returns: The size that the video will have when the miniplayer is at `place`, in device pixels.
    func placeFilm(aspect: Size, restingIn place: Rect, scale: Double) -> PixelSize {
        box.layout(place, aspect: aspect, scale: scale)
        let size = box.pixelSize
        let bounds = Rect(origin: .zero, size: layer.frame.size)
        let fitted = bounds.fitting(aspect: aspect)
        let gap = max(bounds.size.width - fitted.size.width, bounds.size.height - fitted.size.height) / 2
        box.layout(bounds, aspect: aspect, cornerRadius: max(0, layer.cornerRadius - gap), scale: scale)
        return size
    }

    func showFilm(_ film: Layer.Content, isPaused: Bool, now: HostTime) {
        box.show(film)
        playButton.icon = isPaused ? .play : .pause
        guard isPaused != self.isPaused else { return }
        self.isPaused = isPaused
        fadeControls(now: now)
    }

    private func fadeControls(now: HostTime) {
        let target = isHovered || isPaused ? 1.0 : 0
        guard controls.opacity != target else { return }
        controls.animatedOpacity.animate(
            to: target, now: LocalTime(now), duration: Button.Style.defaultFade, curve: .easeOut)
    }
}

extension CornerMiniPlayer: @MainActor GestureTarget {
    var recognizers: [GestureRecognizer] { [press] }

    func receive(_ event: ScrollEvent) -> Bool { onScroll?(event) ?? false }
}

extension CornerMiniPlayer: HoverTarget {
    func hover(_ point: Point?, now: HostTime) {
        isHovered = point != nil
        fadeControls(now: now)
    }
}
