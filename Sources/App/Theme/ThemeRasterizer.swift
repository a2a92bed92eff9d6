import Geometry
import Layers
import Picture
import Rendering
import Text

/// Rasterizes the text and icons of display lists.
final class ThemeRasterizer: ImageRasterizer {
    private let setter = TextRasterizer()

    init() {}

    func bitmap(of source: ImagePlacement.Source, box size: PixelSize, scale: Double) -> Bitmap {
        switch source {
        case .text(let text): setter.bitmap(of: text, box: size, scale: scale)
        case .icon(let icon, let color): setter.bitmap(of: icon, color: color, box: size, scale: scale)
        case .image: .empty
        }
    }
}
