import Geometry
import Layers
import Picture
import Rendering
import Subtitles

/// The lines of subtitles over the picture: one image, where the lines are.
@MainActor final class SubtitleView {
    let layer = Layer()
    private let line = Layer()
    private var image: ImageID?
    private weak var images: ImageCache?
    private var place: PixelRect?
    private var picture = Rect.zero
    /// The picture's size for which lines are set, and for which the one on show was.
    private var (setSize, placeSize) = (Size.zero, Size.zero)
    private var scale = 1.0
    /// How far lines keep from the lower edge of the page, in points: controls lie there.
    var brightnessOffset = 0.0

    init() {
        line.isHitTestable = false
        line.isHidden = true
        layer.isHitTestable = false
        layer.add(line)
    }

    isolated deinit { if let image { images?.remove(image) } }

    /// Has the lines shown again where the GPU has dropped them.
    func restore(_ missing: [ImageID], of subtitles: Subtitles?) {
        if let image, missing.contains(image) { subtitles?.forget() }
    }

    /// - Parameters:
    ///   - picture: where the film's picture is seen, in points of the page.
    ///   - isMoving: whether it is on its way to another size: lines grow with it, and are set anew once it is there.
    ///   - height: the page's.
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
        let covered = max(0, picture.maxY - (height - brightnessOffset))
        subtitles.prepare(size: size, bottomMargin: Int((covered * scale).rounded()), frameRate: frameRate)
        placeLine()
    }

    /// True where something else is to be seen.
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
