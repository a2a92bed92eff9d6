public import GlissadeGeometry
public import GlissadeLayers
public import GlissadePicture

/// Rasterizes text and icons. An instance is used on only one thread at a time, but not always on the thread that
/// created it.
public protocol ImageRasterizer: AnyObject {
    /// Rasterizes text or an icon into a box of `size` pixels, at `scale` pixels per point. The bitmap is empty if
    /// nothing is visible.
    func bitmap(of source: ImagePlacement.Source, box size: PixelSize, scale: Double) -> Bitmap
    /// Rasterizes `text` as a single line, without a box; nil if the text must be wrapped or truncated in a box of
    /// `size` pixels. The result can be drawn in every box in which the line fits.
    func line(of text: TextContent, box size: PixelSize, scale: Double) -> (bitmap: Bitmap, metrics: TextLineMetrics)?
}

extension ImageRasterizer {
    public func line(of text: TextContent, box size: PixelSize, scale: Double) -> (
        bitmap: Bitmap, metrics: TextLineMetrics
    )? { nil }

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
