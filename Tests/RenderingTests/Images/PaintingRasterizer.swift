import GlissadeGeometry
import GlissadeLayers
import GlissadePicture
import GlissadePlatform
import GlissadeRendering

/// Sets text as plain paint, and tells what it was asked for, on which of the two threads.
final class PaintingRasterizer: ImageRasterizer {
    /// What all setters of a test were asked for.
    struct Asked {
        var main: [String] = []
        var other: [String] = []
        /// Whether the other thread may go on.
        var isOpen = true
    }

    private let asked: Monitor<Asked>
    private let isMain: Bool

    init(_ asked: Monitor<Asked>, isMain: Bool) {
        self.asked = asked
        self.isMain = isMain
    }

    /// "line" is a line of 6 by 4 pixels.
    func line(of text: TextContent, box: PixelSize, scale: Double) -> (bitmap: Bitmap, metrics: TextLineMetrics)? {
        guard text.string == "line", box.width >= 6 else { return nil }
        asked.update { if isMain { $0.main.append("line") } else { $0.other.append("line") } }
        return (
            .painted(PixelSize(width: 6, height: 4), text.style.color),
            TextLineMetrics(
                width: 6, height: 4, baseline: 3, strutHeight: 4, strutBaseline: 3, bitmapX: 0, bitmapY: -3)
        )
    }

    func bitmap(of source: ImagePlacement.Source, box: PixelSize, scale: Double) -> Bitmap {
        var (name, color) = ("icon", Color.white)
        switch source {
        case .text(let text): (name, color) = (text.string, text.style.color)
        case .icon(_, let iconColor): color = iconColor
        case .image: break
        }
        asked.update { if isMain { $0.main.append(name) } else { $0.other.append(name) } }
        if !isMain { _ = asked.wait { $0.isOpen ? true : nil } as Bool? }
        if name == "empty" { return Bitmap(size: PixelSize(width: 0, height: 0), pixels: []) }
        if name == "broken" { return Bitmap(size: box, pixels: [1, 2, 3]) }
        return .painted(box, color)
    }
}

extension Bitmap {
    /// One colour all over.
    static func painted(_ size: PixelSize, _ color: Color) -> Bitmap {
        let pixel = [color.blue, color.green, color.red, 1].map { UInt8(($0 * color.alpha * 255).rounded()) }
        return Bitmap(size: size, pixels: (0..<size.width * size.height).flatMap { _ in pixel })
    }
}
