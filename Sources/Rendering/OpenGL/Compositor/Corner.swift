import GlissadeCGLES
import GlissadeGeometry

/// The rounded corners of a rectangle. The radius is at most half the shorter side.
struct Corner {
    private let rect: PixelRect
    let radius: Double

    init(_ radius: Double, of rect: PixelRect) {
        self.rect = rect
        self.radius = radius > 0 ? min(radius, Double(min(rect.width, rect.height)) / 2) : 0
    }

    var isRound: Bool { radius > 0 }

    /// The rows of the rectangle that no corner reaches, at full width. May be empty.
    var inner: PixelRect {
        let rows = Int(radius.rounded(.up))
        return PixelRect(minX: rect.minX, minY: rect.minY + rows, maxX: rect.maxX, maxY: rect.maxY - rows)
    }

    /// Sets the corner uniforms of `program` for drawing the rectangle with the rotation of `quad`.
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

    /// Sets the corner uniforms of `program` for drawing the part `clip` of the rectangle.
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
