import Geometry
import Layers
import Library
import Navigation

/// The film of a card, or of a row, as it grows to the whole window and goes back to where its item is by then. On the way
/// it is the player's page, which lies over all others and is on no stack.
@MainActor final class FullscreenRowVideo: FullscreenElement {
    /// Over the pages: a dim, and the film on its page.
    let layer = Layer()
    let page: PlayerPage
    let library: LibraryPage
    /// What the item is, whatever becomes of its row. Another where another film of the list plays.
    var location: String
    private let host: FloatingPage
    private let dim = Layer()
    /// What is left of the film where its item is gone.
    private let ghost = Layer()
    /// Where the film was seen when it left, unless that was its row.
    private var origin: InlinePlace?
    private var isFading = false
    private var scale = 1.0

    var film: (@MainActor () -> PlaybackSession?)?
    /// Whether it is on its way back.
    var isReturning: (@MainActor () -> Bool)?
    /// Called when its item is found to be gone: its page is needed elsewhere.
    var onGone: (@MainActor () -> Void)?
    /// Called when it is back.
    var onReturn: (@MainActor () -> Void)?
    /// How dark the pages are beneath a film that fills the window.
    static let dimness = 0.85

    /// - Parameter origin: where the film is seen in points of the pages; nil: on its row.
    /// - Throws: where `page` is on a stack.
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
        page.turn = figure.turn
        page.cornerRadius = figure.cornerRadius
        place(figure.covered.onPixels(scale: scale))
    }

    /// It fills the window: from now on its place is its row.
    func arrived() { origin = nil }

    func didReturn(isGone: Bool) {
        if !isFading { leave() }
        if isGone, !isFading { onGone?() }
        layer.removeFromSuperlayer()
        onReturn?()
    }

    // MARK: - Inside

    /// The film fades where it is, and its page is beneath.
    private func fade() {
        isFading = true
        ghost.isHidden = false
        leave()
        onGone?()
    }

    private func leave() {
        page.turn = 0
        page.cornerRadius = 0
        host.floatingStateChanged(to: .stopping)
        host.floatingStateChanged(to: .idle)
    }

    private func place(_ frame: Rect) {
        host.layout(size: frame.size, scale: scale)
        host.layer.frame = frame
    }

    /// Covers all of the window.
    func layout(_ bounds: Rect, scale: Double) {
        self.scale = scale
        layer.frame = bounds
        dim.frame = Rect(origin: .zero, size: bounds.size)
    }

    /// Lays the page out again where it wants that.
    func layoutIfNeeded() {
        guard !isFading, !host.layer.frame.size.isEmpty else { return }
        place(host.layer.frame)
    }
}
