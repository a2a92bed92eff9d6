import GlissadeGeometry
import GlissadeLayers

extension TextContent {
    /// White text of fourteen points.
    static func plain(
        _ string: String, size: Double = 14, weight: TextStyle.Weight = .regular, color: Color = .white,
        alignment: Alignment = .leading, lines: Int = 1, truncation: Truncation = .end
    ) -> TextContent {
        TextContent(
            string, style: TextStyle(size: size, weight: weight, color: color), alignment: alignment, lineLimit: lines,
            truncation: truncation)
    }
}

extension PixelSize {
    init(_ size: Size, scale: Double = 1) {
        self.init(width: Int((size.width * scale).rounded()), height: Int((size.height * scale).rounded()))
    }
}
