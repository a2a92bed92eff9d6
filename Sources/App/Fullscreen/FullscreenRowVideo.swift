import Geometry
import Layers
import Library
import Navigation

/// The video of a card or row as a fullscreen element. It returns to its item, even if the item has moved.
///
/// It uses the player's page, above all others and on no stack.
@MainActor final class FullscreenRowVideo: FullscreenElement {
    /// Above the pages: a scrim and the player's page.
    let layer = Layer()
    let page: PlayerPage
    let library: LibraryPage
    /// The path of the file that plays, which identifies the item even if its row moves.
    var location: String
    private let host: FloatingPage
    private let dim = Layer()
    /// The video as it fades out because its item is gone.
    private let ghost = Layer()
    /// Where the video came from; nil for its row.
    private var origin: InlinePlace?
    private var isFading = false
    private var scale = 1.0

    var film: (@MainActor () -> PlaybackSession?)?
    /// Returns whether it is leaving fullscreen.
    var isReturning: (@MainActor () -> Bool)?
    /// Called when its item turns out to be gone, so that its page can be used elsewhere.
    var onGone: (@MainActor () -> Void)?
    /// Called when it has returned.
    var onReturn: (@MainActor () -> Void)?
    /// The opacity of the scrim in fullscreen.
    static let dimness = 0.85

    /// - Parameter origin: Where the video is now, in the points of the pages; nil for its row.
    /// - Throws: If `page` is on a stack.
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

    var pictureSize: Size? { film?()?.video.displaySize }

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
            ghost.content = film?()?.video.content ?? .none
            let aspect = pictureSize ?? figure.frame.size
            ghost.frame = figure.covered.fitting(aspect: aspect)
            return
        }
        page.quarterTurns = figure.quarterTurns
        page.cornerRadius = figure.cornerRadius
        place(figure.covered.onPixels(scale: scale))
    }

    /// Notes that it is fullscreen. It returns to its row from now on.
    func arrived() { origin = nil }

    func didReturn(isGone: Bool) {
        if !isFading { leave() }
        if isGone, !isFading { onGone?() }
        layer.removeFromSuperlayer()
        onReturn?()
    }

    // MARK: - Layout

    /// Lets the video fade out in place, and gives its page back.
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

    private func place(_ frame: Rect) {
        host.layout(size: frame.size, scale: scale)
        host.layer.frame = frame
    }

    /// Covers the window.
    func layout(_ bounds: Rect, scale: Double) {
        self.scale = scale
        layer.frame = bounds
        dim.frame = Rect(origin: .zero, size: bounds.size)
    }

    /// Lays out the page if needed.
    func layoutIfNeeded() {
        guard !isFading, !host.layer.frame.size.isEmpty else { return }
        place(host.layer.frame)
    }
}
