import GlissadeCGLES
import GlissadeGeometry

/// The size of the framebuffer that is drawn into, and the order of its rows.
struct DrawTarget {
    let size: PixelSize
    /// Whether GL's first row is the top row, as in a texture for a frame. In a window, GL's first row is the bottom
    /// row.
    var isTopFirst = false
    var bounds: PixelRect { PixelRect(size: size) }

    init(size: PixelSize, isTopFirst: Bool = false) {
        self.size = size
        self.isTopFirst = isTopFirst
    }

    /// Returns the left, top, right and bottom of `rect` in clip coordinates.
    func clipCoordinates(of rect: PixelRect) -> SIMD4<Float> {
        func across(_ x: Int) -> Float { Float(2 * Double(x) / Double(size.width) - 1) }
        func down(_ y: Int) -> Float {
            let y = Float(1 - 2 * Double(y) / Double(size.height))
            return isTopFirst ? -y : y
        }
        return SIMD4(across(rect.minX), down(rect.minY), across(rect.maxX), down(rect.maxY))
    }

    /// Returns the GL y coordinate of the upper edge of row `y`. Rows are counted from the top.
    func edge(_ y: Int) -> GLint { GLint(isTopFirst ? y : size.height - y) }

    /// Sets `rect`, which must be inside the target, to an opaque color.
    func clear(_ rect: PixelRect, red: Float, green: Float, blue: Float) {
        glEnable(GLenum(GL_SCISSOR_TEST))
        glScissor(
            GLint(rect.minX), min(edge(rect.minY), edge(rect.maxY)), GLsizei(rect.width), GLsizei(rect.height))
        glClearColor(red, green, blue, 1)
        glClear(GLbitfield(GL_COLOR_BUFFER_BIT))
        glDisable(GLenum(GL_SCISSOR_TEST))
    }
}
