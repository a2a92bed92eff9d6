import GlissadeGeometry
import GlissadeLayers
import GlissadePicture

extension ImageRasterizer {
    func raster(of key: RasterImageKey) -> RasterizedImage {
        if key.mayBeLine, case .text(let text) = key.source,
            let line = line(of: text, box: key.size, scale: key.scale)
        {
            return RasterizedImage(bitmap: line.bitmap, line: line.metrics)
        }
        return RasterizedImage(bitmap: bitmap(of: key.source, box: key.size, scale: key.scale))
    }
}

/// The cache key of rasterized text or of an icon: the source, the size of the box, and the scale.
struct RasterImageKey: Hashable, Sendable {
    let source: ImagePlacement.Source
    let size: PixelSize
    let scale: Double
    /// Whether the source is text that may be rasterized as a single line, without its box. False if the corners are
    /// rounded.
    let mayBeLine: Bool

    init(_ placement: ImagePlacement, scale: Double) {
        source = placement.source
        size = placement.uprightSize
        self.scale = scale
        mayBeLine = if case .text = placement.source { placement.cornerRadius <= 0 } else { false }
    }

    private init(lineOf key: RasterImageKey) {
        (source, scale, mayBeLine) = (key.source, key.scale, true)
        size = PixelSize(width: 0, height: 0)
    }

    /// The key for the same text as a single line, which fits boxes of different sizes.
    var line: RasterImageKey { RasterImageKey(lineOf: self) }
}

/// Rasterized text or an icon. If `line` is nil, the bitmap is that of the whole box. Otherwise, it is that of a single
/// line of text, without the box.
struct RasterizedImage: Sendable {
    var bitmap: Bitmap
    var line: TextLineMetrics?
}
