import GlissadeCGLES
import GlissadeGeometry
import GlissadeLayers

/// Fills, boxes and shadows.
extension Compositor {
    /// The largest corner radius that is ignored in blurring a shadow, as a multiple of the blur: 0.9 standard
    /// deviations. With a larger radius, the shadow is integrated row by row, which is by far the most expensive kind
    /// of drawing.
    nonisolated static let softCorners = 0.45

    /// Fills `rect`, which must be inside the target, with one color. If the color is not opaque, it is blended over
    /// the target.
    func fill(_ rect: PixelRect, _ color: Color, on target: DrawTarget) throws(RenderingError) {
        guard !rect.isEmpty, color.alpha > 0 else { return }
        if color.isOpaque {
            target.clear(rect, red: Float(color.red), green: Float(color.green), blue: Float(color.blue))
            return
        }
        let program = try use(ProgramVariant(.fill))
        set(rectangle: rect, on: program, target)
        // The opacity is not set as the blend color, with which Mesa 25.0's CPU rasterizer draws no plain color into
        // RGBA textures.
        let premultiplied = color.premultiplied
        glUniform4f(program.fillColor, premultiplied.x, premultiplied.y, premultiplied.z, premultiplied.w)
        drawRectangle(isPremultiplied: true)
    }

    func draw(_ placement: BoxPlacement, on target: DrawTarget) throws(RenderingError) {
        let clip = placement.clip.intersection(placement.destination).intersection(target.bounds)
        let (gradient, corner) = (placement.gradient, Corner(placement.cornerRadius, of: placement.destination))
        guard !clip.isEmpty, gradient.start.alpha > 0 || gradient.end.alpha > 0 else { return }
        if !corner.isRound, gradient.start == gradient.end { return try fill(clip, gradient.start, on: target) }
        let program = try use(ProgramVariant(.box, isRounded: corner.isRound))
        set(rectangle: clip, on: program, target)
        corner.set(on: program, clip: clip)
        let (start, end) = (gradient.start.premultiplied, gradient.end.premultiplied)
        glUniform4f(program.startColor, start.x, start.y, start.z, start.w)
        glUniform4f(program.endColor, end.x, end.y, end.z, end.w)
        switch gradient.axis {
        case .horizontal: glUniform3f(program.ramp, Float(1 / Double(placement.destination.width)), 0, 0)
        case .vertical: glUniform3f(program.ramp, 0, Float(1 / Double(placement.destination.height)), 0)
        }
        drawRectangle(isPremultiplied: true)
    }

    func draw(_ placement: ShadowPlacement, on target: DrawTarget) throws(RenderingError) {
        let caster = placement.caster
        guard !caster.isEmpty, placement.blur > 0, placement.color.alpha > 0 else { return }
        // Beyond three standard deviations, the darkest shadow is fainter than one level of 255.
        let reach = Int(min(placement.blur * 1.5, 1e6).rounded(.up))
        let extent = PixelRect(
            minX: caster.minX - reach, minY: caster.minY - reach, maxX: caster.maxX + reach, maxY: caster.maxY + reach)
        let clip = placement.clip.intersection(extent).intersection(target.bounds)
        guard !clip.isEmpty else { return }
        let corner = Corner(placement.cornerRadius, of: caster)
        // With this much blur, rounded corners weaken the shadow by less than 1/40, even right at the corner.
        let isSoft = corner.isRound && corner.radius <= placement.blur * Self.softCorners
        let program = try use(ProgramVariant(.shadow, isRounded: corner.isRound, isSoft: isSoft))
        let color = placement.color.premultiplied
        glUniform4f(program.fillColor, color.x, color.y, color.z, color.w)
        glUniform3f(
            program.caster, Float(caster.width) / 2, Float(caster.height) / 2,
            Float(2.0.squareRoot() / max(placement.blur, 0.01)))
        // Skips the area hidden by the caster. In the rows of its corners, the shader decides what is hidden.
        pieces.removeAll(keepingCapacity: true)
        clip.subtract(corner.inner, into: &pieces)
        for piece in pieces {
            set(rectangle: piece, on: program, target)
            corner.set(on: program, clip: piece)
            drawRectangle(isPremultiplied: true)
        }
    }

    private func set(rectangle: PixelRect, on program: Program, _ target: DrawTarget) {
        let corners = target.clipCoordinates(of: rectangle)
        glUniform4f(program.rectangle, corners.x, corners.y, corners.z, corners.w)
    }
}

extension Color {
    /// The color with red, green and blue multiplied by alpha, after clamping each component to 0…1.
    var premultiplied: SIMD4<Float> {
        func valid(_ value: Double) -> Float { value > 0 ? Float(min(value, 1)) : 0 }
        let alpha = valid(alpha)
        return SIMD4(valid(red) * alpha, valid(green) * alpha, valid(blue) * alpha, alpha)
    }
}
