import GlissadeGeometry
import GlissadeLayers
import GlissadePicture
import GlissadeRendering
import GlissadeSubtitles

/// The subtitles over the video, drawn as one image.
@MainActor final class SubtitleView {
    let layer = Layer()
    private let line = Layer()
    private var image: ImageID?
    private weak var images: ImageCache?
    private var place: PixelRect?
    private var picture = Rect.zero
    /// The sizes of the video, in points, for which subtitles are rendered: `setSize` for the next subtitles,
    /// `placeSize` for the visible ones.
    private var (setSize, placeSize) = (Size.zero, Size.zero)
    private var scale = 1.0
    /// The height of the area at the page's lower edge that is reserved for the controls, in points.
    var bottomMargin = 0.0

    init() {
        line.isHitTestable = false
        line.isHidden = true
        layer.isHitTestable = false
        layer.add(line)
    }

    isolated deinit { if let image { images?.remove(image) } }

    /// Requests the visible subtitles again if their image is missing from the image cache.
    ///
    /// - Parameter missing: The images that are missing from the cache.
    func restore(_ missing: [ImageID], of subtitles: Subtitles?) {
        if let image, missing.contains(image) { subtitles?.forget() }
    }

    /// Lays out the visible subtitles, and sets the size for which subtitles are rendered.
    ///
    /// - Parameters:
    ///   - picture: The video's frame, in the coordinates of the page or floating window.
    ///   - isMoving: Whether a transition is changing the video's size. If so, scales the visible subtitles and does
    ///     not change the size for which subtitles are rendered.
    ///   - height: The height of the page or floating window, in points.
    ///   - scale: Device pixels per point.
    ///   - frameRate: The video's frames per second; nil if unknown.
    func layout(
        picture: Rect, isMoving: Bool = false, height: Double, scale: Double, for subtitles: Subtitles,
        frameRate: Double?
    ) {
        (self.picture, self.scale) = (picture, scale)
        layer.frame = picture
        if isMoving { return placeLine() }
        setSize = picture.size
        let size = PixelSize(
            width: Int((picture.size.width * scale).rounded()), height: Int((picture.size.height * scale).rounded()))
        let covered = max(0, picture.maxY - (height - bottomMargin))
        subtitles.prepare(size: size, bottomMargin: Int((covered * scale).rounded()), frameRate: frameRate)
        placeLine()
    }

    /// Applies a change of the subtitles. Returns whether the subtitles must be redrawn.
    func show(_ change: Subtitles.Change, images: ImageCache) -> Bool {
        switch change {
        case .unchanged: return false
        case .clear:
            clear()
            return true
        case .show(let bitmap, let rect):
            self.images = images
            let id = image ?? images.newID()
            image = id
            do throws(RenderingError) { try images.set(id, bitmap) } catch {
                clear()
                return true
            }
            place = rect
            placeSize = setSize
            line.content = .image(id)
            line.isHidden = false
            placeLine()
            return true
        }
    }

    func clear() {
        line.isHidden = true
        place = nil
        if let image { images?.remove(image) }
    }

    private func placeLine() {
        guard let place else { return }
        let growth = placeSize.width > 0 ? picture.size.width / placeSize.width : 1
        let unit = growth / scale
        line.frame = Rect(
            x: Double(place.minX) * unit, y: Double(place.minY) * unit, width: Double(place.width) * unit,
            height: Double(place.height) * unit)
    }
}
