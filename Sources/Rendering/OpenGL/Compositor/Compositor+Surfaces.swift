import GlissadeCGLES
import GlissadeGeometry
import GlissadeLayers
import GlissadePicture

/// Surfaces: video frames and captures.
extension Compositor {
    func draw(
        _ texture: VideoTexture, _ placement: SurfacePlacement, clip: PixelRect, on target: DrawTarget
    ) throws(RenderingError) {
        guard let format = texture.format else { return }
        let isRotated = placement.quarterTurns != 0
        let quad =
            isRotated
            ? PictureQuad(
                destination: placement.destination, quarterTurns: placement.quarterTurns, rotation: placement.rotation,
                isMirrored: placement.isMirrored, clip: clip, picture: format.size, target: target)
            : PictureQuad(
                destination: placement.destination, rotation: placement.rotation, isMirrored: placement.isMirrored,
                clip: clip, picture: format.size, target: target)
        let shade = placement.validShade
        let corner = Corner(placement.cornerRadius, of: placement.destination)
        let program = try use(
            ProgramVariant(
                format.layout, isRounded: corner.isRound, isShaded: shade > 0,
                hasBrightnessOffset: texture.brightnessOffset != 0,
                isRotated: isRotated))
        set(quad, picture: texture.storageSize, on: program)
        if program.conversion >= 0 {
            let placement = chromaPlacement(format)
            glUniform4f(program.chromaPlacement, placement.x, placement.y, placement.z, placement.w)
            withUnsafePointer(to: texture.conversion) { columns in
                glUniformMatrix4x3fv(
                    program.conversion, 1, GLboolean(GL_FALSE),
                    UnsafeRawPointer(columns).assumingMemoryBound(to: GLfloat.self))
            }
        }
        if shade > 0 { glUniform1f(program.gain, Float(1 - shade)) }
        if program.brightnessOffset >= 0 { glUniform1f(program.brightnessOffset, Float(texture.brightnessOffset)) }
        texture.bindPlanes()
        // If target pixels coincide with texels, nearest sampling gives the same luma as linear sampling. It is cheaper
        // than even `texelFetch`.
        glBindSampler(0, quad.isOneToOne ? objects.nearest.name : objects.linear.name)
        glBindSampler(1, objects.linear.name)
        glBindSampler(2, objects.linear.name)
        if corner.isRound || isRotated {
            if isRotated { corner.set(on: program, turned: quad) } else { corner.set(on: program, clip: clip) }
            glUniform1f(program.opacity, Float(min(placement.opacity, 1)))
            drawRectangle(isPremultiplied: true)
        } else {
            drawRectangle(opacity: placement.opacity)
        }
    }

    /// Draws a black rectangle in place of a surface that has no frame. Draws nothing if the surface is rotated by
    /// `quarterTurns`.
    func fillBlack(_ placement: SurfacePlacement, clip: PixelRect, on target: DrawTarget) throws(RenderingError) {
        // A surface is rotated only during a transition of its frame. Without a frame, nothing is drawn.
        if placement.quarterTurns != 0 { return }
        let black = Color(red: 0, green: 0, blue: 0, alpha: placement.opacity)
        try draw(
            BoxPlacement(
                destination: placement.destination, clip: clip, cornerRadius: placement.cornerRadius,
                gradient: Gradient(black)), on: target)
    }

    /// Sets the uniforms with which `program` draws the frame or image of `quad`.
    ///
    /// - Parameter size: The size of the texture of the luma plane, or of the only plane.
    func set(_ quad: PictureQuad, picture size: PixelSize, on program: Program) {
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
        glUniform2f(program.lumaScale, Float(1 / Double(size.width)), Float(1 / Double(size.height)))
    }
}

extension SurfacePlacement {
    /// The shade, clamped to 0…1. NaN counts as 0.
    var validShade: Double { shade > 0 ? min(shade, 1) : 0 }
}
