import GlissadeGeometry
import GlissadeLayers
import GlissadeLibrary
import GlissadeNavigation

/// The video of a library row or card as a fullscreen element. The video returns to its library item even if the item
/// has moved.
///
/// The element shows the player's page above all other pages, outside of the page stack. Main thread.
@MainActor final class FullscreenRowVideo: FullscreenElement {
    /// The layer above all pages. Its sublayers are a scrim, the player's page, and `ghost`.
    let layer = Layer()
    let page: PlayerPage
    let library: LibraryPage
    /// The path or URL of the playing file. It identifies the file's library item even if the item moves.
    var location: String
    private let host: FloatingPage
    private let dim = Layer()
    /// Shows the video without the player's page while the video fades out because its item is gone.
    private let ghost = Layer()
    /// The frame and corner radius from which the video grows, in points from the top-left corner of the pages; nil if
    /// the video grows from its row or card.
    private var origin: InlinePlace?
    private var isFading = false
    private var scale = 1.0
    /// The clockwise rotation of the video in the window, in quarter turns.
    private(set) var quarterTurns = 0.0
    /// The rectangle that the page covers while the layout is not rotated, in window points.
    private var covered = Rect.zero
    /// Whether the whole layout is rotated. The page then fills it, and does not rotate the video.
    private var isRotated = false

    /// Returns the current session; nil if there is none.
    var playing: (@MainActor () -> PlaybackSession?)?
    /// Returns whether the video is in a floating window.
    var isFloating: (@MainActor () -> Bool)?
    /// Returns false while the video enters fullscreen, is in fullscreen, or is being dragged; true at other times.
    var isReturning: (@MainActor () -> Bool)?
    /// Called if the library item is gone when the video leaves fullscreen. The player's page can then be used
    /// elsewhere.
    var onGone: (@MainActor () -> Void)?
    /// Called when the video has left fullscreen, whether the video has returned to its item or faded out.
    var onReturn: (@MainActor () -> Void)?
    /// The opacity of the scrim when the video is fullscreen.
    static let dimness = 0.85

    /// - Parameter origin: The frame and corner radius from which the video grows, in points from the top-left corner
    ///   of the pages; nil if the video grows from its row or card.
    /// - Throws: `NavigationError.alreadyOnStack` if `page` is on a stack.
    init(
        _ page: PlayerPage, of location: String, on library: LibraryPage, from origin: InlinePlace?
    ) throws(NavigationError) {
        self.page = page
        self.library = library
        self.location = location
        self.origin = origin
        host = try FloatingPage(page)
        dim.isHitTestable = false
        ghost.isHidden = true
        ghost.isHitTestable = false
        for part in [dim, host.layer, ghost] { layer.add(part) }
    }

    // MARK: - FullscreenElement

    var inlinePlace: InlinePlace? {
        if isReturning?() == false, let origin { return origin }
        return library.filmPlace(of: location).map { InlinePlace(frame: $0.frame, cornerRadius: $0.cornerRadius) }
    }

    var pictureSize: Size? { isFloating?() == true ? nil : playing?()?.fullscreenSize }

    func willLeavePlace() {
        host.floatingStateChanged(to: .starting)
        host.floatingStateChanged(to: .active)
    }

    func show(_ figure: FullscreenGeometry) {
        let shade = Self.dimness * figure.progress * figure.opacity
        dim.content = shade > 0 ? .color(Color(red: 0, green: 0, blue: 0, alpha: shade)) : .none
        if figure.opacity < 1, !isFading { fade() }
        if isFading {
            ghost.opacity = figure.opacity
            ghost.content = playing?()?.film.content ?? .none
            let aspect = playing?()?.film.displaySize ?? figure.frame.size
            ghost.frame = figure.covered.fitting(aspect: aspect)
            return
        }
        (quarterTurns, covered) = (figure.quarterTurns, figure.covered)
        page.cornerRadius = figure.cornerRadius
        layoutPage()
    }

    /// Called when the video fills the screen. After that, a drag out of fullscreen moves the video toward its row or
    /// card instead of `origin`.
    func arrived() { origin = nil }

    func didReturn(isGone: Bool) {
        if !isFading { leave() }
        if isGone, !isFading { onGone?() }
        layer.removeFromSuperlayer()
        onReturn?()
    }

    // MARK: - Layout

    /// Begins to fade the video out in place, and releases the player's page.
    private func fade() {
        isFading = true
        ghost.isHidden = false
        leave()
        onGone?()
    }

    private func leave() {
        page.quarterTurns = 0
        page.cornerRadius = 0
        host.floatingStateChanged(to: .stopping)
        host.floatingStateChanged(to: .idle)
    }

    private func layoutPage() {
        let frame = isRotated ? Rect(origin: .zero, size: layer.frame.size) : covered.onPixels(scale: scale)
        page.quarterTurns = isRotated ? 0 : quarterTurns
        host.layout(size: frame.size, scale: scale)
        host.layer.frame = frame
    }

    /// Lays out the layer and its scrim to cover the layout. Unless the video is fading out, lays out the player's page
    /// again.
    ///
    /// - Parameters:
    ///   - bounds: The bounds of the layout, in points.
    ///   - isRotated: Whether the whole layout is rotated. The page then fills it.
    func layout(_ bounds: Rect, scale: Double, isRotated: Bool) {
        (self.scale, self.isRotated) = (scale, isRotated)
        layer.frame = bounds
        dim.frame = Rect(origin: .zero, size: bounds.size)
        if !isFading, !covered.size.isEmpty { layoutPage() }
    }
}
