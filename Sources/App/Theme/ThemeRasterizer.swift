import GlissadeGeometry
import GlissadeLayers
import GlissadePicture
import GlissadeRendering
import GlissadeText

/// Rasterizes the text and icons of display lists. Does not rasterize images: their bitmaps are empty.
final class ThemeRasterizer: ImageRasterizer {
    private let rasterizer = TextRasterizer()

    init() {}

    func bitmap(of source: ImagePlacement.Source, box size: PixelSize, scale: Double) -> Bitmap {
        switch source {
        case .text(let text): rasterizer.bitmap(of: text, box: size, scale: scale)
        case .icon(let icon, let color): rasterizer.bitmap(of: icon, color: color, box: size, scale: scale)
        case .image: .empty
        }
    }

    func line(of text: TextContent, box size: PixelSize, scale: Double) -> (bitmap: Bitmap, metrics: TextLineMetrics)? {
        rasterizer.line(of: text, box: size, scale: scale)
    }
}
