public import GlissadeGeometry
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
}
