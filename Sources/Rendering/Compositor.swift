import CGLES
import Motion
import Picture
public import Stage

/// Draws display lists into whatever framebuffer is current.
///
/// Main thread, with the context it was made in current, from the first call to its release. It owns the context's
/// drawing state: blending, depth and scissor test are off between calls, and what a call needs it sets. Once each kind
/// of item was drawn once, a call allocates nothing.
@MainActor public final class Compositor {
    public let device: GLDevice

    private let vertexArray: VertexArray
    private let linear: Sampler
    private let nearest: Sampler
    private let copySource: CopySource
    private var programs: [ProgramVariant: Program] = [:]

    public init(device: GLDevice) {
        self.device = device
        vertexArray = VertexArray()
        linear = Sampler(filter: GL_LINEAR)
        nearest = Sampler(filter: GL_NEAREST)
        copySource = CopySource()
    }

    isolated deinit {}  // What it owns is freed on the main thread.

    /// Draws `list` over the whole of the current framebuffer's `list.viewport`.
    ///
    /// What no item covers keeps what was there. A surface without a picture is black.
    /// - Throws: `shader` where a program that this list needs first does not compile.
    public func draw(
        _ list: DisplayList, surfaces: (SurfaceID) -> SurfaceTexture?
    ) throws(RenderingError) {
        guard !list.viewport.isEmpty else { return }
        glViewport(0, 0, GLsizei(list.viewport.width), GLsizei(list.viewport.height))
        glDisable(GLenum(GL_DEPTH_TEST))
        glDisable(GLenum(GL_CULL_FACE))
        glDisable(GLenum(GL_BLEND))
        glDisable(GLenum(GL_SCISSOR_TEST))
        glBindVertexArray(vertexArray.name)
        let bounds = PixelRect(size: list.viewport)
        for item in list.items {
            switch item {
            case .fill(let rect, let color):
                try fill(rect.intersection(bounds), color, viewport: list.viewport)
            case .box, .image, .shadow: continue
            case .surface(let placement):
                let clip = placement.clip.intersection(placement.destination).intersection(bounds)
                guard !clip.isEmpty, placement.opacity > 0 else { continue }
                if let texture = surfaces(placement.surface), let format = texture.format {
                    try draw(texture, format.size, placement, clip: clip, viewport: list.viewport)
                } else {
                    try fill(
                        clip, Color(red: 0, green: 0, blue: 0, alpha: placement.opacity), viewport: list.viewport)
                }
            }
        }
    }

    private func draw(
        _ texture: SurfaceTexture, _ size: PixelSize, _ placement: SurfacePlacement, clip: PixelRect,
        viewport: PixelSize
    ) throws(RenderingError) {
        guard let format = texture.format else { return }
        let quad = PictureQuad(placement, clip: clip, picture: size, viewport: viewport)
        // On a GPU a quad is as cheap as a copy, and stays in the order of the frame's other draws.
        if device.isSoftware, quad.isOneToOne, placement.rotation == .none, placement.opacity >= 1,
            let source = texture.copyableTexture,
            copySource.copy(source, placement.destination, clip: clip, viewport: viewport)
        {
            return
        }
        let program = try program(ProgramVariant(format.layout))
        glUseProgram(program.name)
        set(quad, on: program)
        if program.conversion >= 0 {
            let placement = chromaPlacement(format)
            glUniform4f(program.chromaPlacement, placement.x, placement.y, placement.z, placement.w)
            withUnsafePointer(to: texture.conversion) { columns in
                glUniformMatrix4x3fv(
                    program.conversion, 1, GLboolean(GL_FALSE),
                    UnsafeRawPointer(columns).assumingMemoryBound(to: GLfloat.self))
            }
        }
        glUniform2f(program.lumaScale, Float(1 / Double(size.width)), Float(1 / Double(size.height)))
        texture.bindPlanes()
        // Level with the pixels, luma needs no filter: the same picture, and cheaper (nearest beats texelFetch, too).
        glBindSampler(0, quad.isOneToOne ? nearest.name : linear.name)
        glBindSampler(1, linear.name)
        glBindSampler(2, linear.name)
        drawRectangle(opacity: placement.opacity)
    }

    private func fill(_ rect: PixelRect, _ color: Color, viewport: PixelSize) throws(RenderingError) {
        guard !rect.isEmpty, color.alpha > 0 else { return }
        let (red, green, blue) = (Float(color.red), Float(color.green), Float(color.blue))
        if color.isOpaque {
            glEnable(GLenum(GL_SCISSOR_TEST))
            glScissor(
                GLint(rect.minX), GLint(viewport.height - rect.maxY), GLsizei(rect.width), GLsizei(rect.height))
            glClearColor(red, green, blue, 1)
            glClear(GLbitfield(GL_COLOR_BUFFER_BIT))
            glDisable(GLenum(GL_SCISSOR_TEST))
            return
        }
        let program = try program(.fill)
        glUseProgram(program.name)
        let corners = clipCoordinates(of: rect, viewport: viewport)
        glUniform4f(program.rectangle, corners.x, corners.y, corners.z, corners.w)
        glUniform4f(program.fillColor, red, green, blue, 1)
        drawRectangle(opacity: color.alpha)
    }

    private func set(_ quad: PictureQuad, on program: Program) {
        let r = quad.rectangle
        glUniform4f(program.rectangle, r.x, r.y, r.z, r.w)
        var columns = (
            Float(quad.across.x), Float(quad.across.y), Float(quad.down.x), Float(quad.down.y), Float(quad.corner.x),
            Float(quad.corner.y)
        )
        withUnsafePointer(to: &columns) {
            glUniformMatrix3x2fv(
                program.toPicture, 1, GLboolean(GL_FALSE),
                UnsafeRawPointer($0).assumingMemoryBound(to: GLfloat.self))
        }
    }

    /// Opacity is the blender's constant, so that no shader knows of it and opaque items cost no blending.
    private func drawRectangle(opacity: Double) {
        if opacity < 1 {
            glEnable(GLenum(GL_BLEND))
            glBlendFunc(GLenum(GL_CONSTANT_ALPHA), GLenum(GL_ONE_MINUS_CONSTANT_ALPHA))
            glBlendColor(0, 0, 0, Float(opacity))
        }
        glDrawArrays(GLenum(GL_TRIANGLES), 0, 6)
        if opacity < 1 { glDisable(GLenum(GL_BLEND)) }
    }

    private func program(_ variant: ProgramVariant) throws(RenderingError) -> Program {
        if let program = programs[variant] { return program }
        let program = try Program(variant)
        programs[variant] = program
        return program
    }
}
