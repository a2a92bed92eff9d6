import Motion
import Stage

/// A layer in which a picture lies, as large as it fits, on whole device pixels.
@MainActor final class VideoBox {
    /// As large as the box; black, or whatever its owner makes it.
    let layer: Layer
    private let picture = Layer()

    init(background: Layer.Content = .color(.black)) {
        layer = Layer(content: background)
        picture.isHitTestable = false
        layer.add(picture)
    }

    /// The size in which the picture is seen, in device pixels; empty while there is none.
    private(set) var pixelSize = PixelSize(width: 0, height: 0)

    /// Lays the box out over `frame` for a picture of `aspect`'s shape, with corners as round as `cornerRadius` points.
    func layout(_ frame: Rect, aspect: Size?, cornerRadius: Double = 0, scale: Double) {
        picture.cornerRadius = cornerRadius
        if layer.frame != frame { layer.frame = frame }
        guard let aspect else {
            picture.isHidden = true
            pixelSize = PixelSize(width: 0, height: 0)
            return
        }
        // Whole device pixels, and the very size of the picture where it differs by less than one: the picture is then
        // drawn pixel by pixel.
        let fitted = Rect(origin: .zero, size: frame.size).fitting(aspect: aspect)
        let pixels = PixelRect(
            rounding: Rect(
                x: fitted.minX * scale, y: fitted.minY * scale, width: fitted.size.width * scale,
                height: fitted.size.height * scale))
        pixelSize = PixelSize(width: max(1, pixels.width), height: max(1, pixels.height))
        let size = Size(width: Double(pixelSize.width) / scale, height: Double(pixelSize.height) / scale)
        picture.frame = Rect(
            origin: Point(x: Double(pixels.minX) / scale, y: Double(pixels.minY) / scale), size: size)
    }

    /// Shows `content`, a video view's.
    func show(_ content: Layer.Content) {
        picture.content = content
        picture.isHidden = content == .none
    }
}
