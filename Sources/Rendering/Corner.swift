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

    /// The rows at the top and at the bottom that it reaches into.
    var rows: Int { Int(radius.rounded(.up)) }

    /// Tells a program about the rectangle, of which it draws what `clip` shows.
    func set(on program: Program, clip: PixelRect) {
        glUniform4f(
            program.area, Float(clip.minX - rect.minX), Float(clip.minY - rect.minY), Float(clip.width),
            Float(clip.height))
        glUniform3f(program.outline, Float(rect.width) / 2, Float(rect.height) / 2, Float(radius))
    }
}
