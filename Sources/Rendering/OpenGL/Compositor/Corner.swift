import CGLES
import Geometry

/// The round corners of a rectangle, as large as they can be in it.
struct Corner {
    private let rect: PixelRect
    let radius: Double

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

    /// Tells a program about the rectangle, which is turned as `quad` says.
    func set(on program: Program, turned quad: PictureQuad) {
        var columns = (
            Float(quad.placeAcross.x), Float(quad.placeAcross.y), Float(quad.placeDown.x), Float(quad.placeDown.y),
            Float(quad.placeCorner.x), Float(quad.placeCorner.y)
        )
        withUnsafePointer(to: &columns) {
            glUniformMatrix3x2fv(
                program.toPlace, 1, GLboolean(GL_FALSE), UnsafeRawPointer($0).assumingMemoryBound(to: GLfloat.self))
        }
        setOutline(on: program)
    }

    /// Tells a program about the rectangle, of which it draws what `clip` shows.
    func set(on program: Program, clip: PixelRect) {
        glUniform4f(
            program.area, Float(clip.minX - rect.minX), Float(clip.minY - rect.minY), Float(clip.width),
            Float(clip.height))
        setOutline(on: program)
    }

    private func setOutline(on program: Program) {
        glUniform3f(program.outline, Float(rect.width) / 2, Float(rect.height) / 2, Float(radius))
    }
}
