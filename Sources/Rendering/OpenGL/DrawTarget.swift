import CGLES
import Geometry

/// What is drawn into: how large it is, and which of its rows GL counts first.
struct DrawTarget {
    let size: PixelSize
    /// Whether GL's first row is the picture's top one, as textures of pictures have it; a window's is its lowest.
    var isTopFirst = false
    /// All that is drawn into.
    var bounds: PixelRect { PixelRect(size: size) }

    init(size: PixelSize, isTopFirst: Bool = false) {
        self.size = size
        self.isTopFirst = isTopFirst
    }

    /// `rect`'s left, top, right and bottom in clip coordinates.
    func clipCoordinates(of rect: PixelRect) -> SIMD4<Float> {
        func across(_ x: Int) -> Float { Float(2 * Double(x) / Double(size.width) - 1) }
        func down(_ y: Int) -> Float {
            let y = Float(1 - 2 * Double(y) / Double(size.height))
            return isTopFirst ? -y : y
        }
        return SIMD4(across(rect.minX), down(rect.minY), across(rect.maxX), down(rect.maxY))
    }

    /// The number that GL gives to the edge above row `y`.
    func edge(_ y: Int) -> GLint { GLint(isTopFirst ? y : size.height - y) }

    /// Clears `rect`, which lies inside, to an opaque colour.
    func clear(_ rect: PixelRect, red: Float, green: Float, blue: Float) {
        glEnable(GLenum(GL_SCISSOR_TEST))
        glScissor(
            GLint(rect.minX), min(edge(rect.minY), edge(rect.maxY)), GLsizei(rect.width), GLsizei(rect.height))
        glClearColor(red, green, blue, 1)
        glClear(GLbitfield(GL_COLOR_BUFFER_BIT))
        glDisable(GLenum(GL_SCISSOR_TEST))
    }
}
