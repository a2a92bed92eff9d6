import CGLES
import Motion

/// The round corners of a rectangle, as large as they can be in it.
struct Corner {
    private let rect: PixelRect
    private let radius: Double

    init(_ radius: Double, of rect: PixelRect) {
        self.rect = rect
        self.radius = radius > 0 ? min(radius, Double(min(rect.width, rect.height)) / 2) : 0
    }

    var isRound: Bool { radius > 0 }

    /// The rows that no corner reaches into, over the whole width.
    var inner: PixelRect {
        let rows = Int(radius.rounded(.up))
        return PixelRect(minX: rect.minX, minY: rect.minY + rows, maxX: rect.maxX, maxY: rect.maxY - rows)
    }

    /// Tells a program about the rectangle, of which it draws what `clip` shows.
    func set(on program: Program, clip: PixelRect) {
        glUniform4f(
            program.area, Float(clip.minX - rect.minX), Float(clip.minY - rect.minY), Float(clip.width),
            Float(clip.height))
        glUniform3f(program.outline, Float(rect.width) / 2, Float(rect.height) / 2, Float(radius))
    }
}
