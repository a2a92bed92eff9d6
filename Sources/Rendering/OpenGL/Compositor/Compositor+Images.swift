import GlissadeCGLES
import GlissadeGeometry
import GlissadeLayers
import GlissadeTime

/// Raster images, text and icons.
extension Compositor {
    func draw(_ placement: ImagePlacement, scale: Double, on target: DrawTarget) throws(RenderingError) {
        var clip = placement.clip.intersection(placement.destination).intersection(target.bounds)
        guard !clip.isEmpty, placement.opacity > 0,
            let (image, destination) = images.image(for: placement, scale: scale, viewer: viewer),
            let texture = image as? ImageTexture
        else { return }
        clip = clip.intersection(destination)
        guard !clip.isEmpty else { return }
        let quad = PictureQuad(
            destination: destination, rotation: placement.rotation, clip: clip, picture: texture.size, target: target)
        let corner = Corner(placement.cornerRadius, of: destination)
        let program = try use(ProgramVariant(.raster, isRounded: corner.isRound))
        set(quad, picture: texture.size, on: program)
        corner.set(on: program, clip: clip)
        let opacity = min(placement.opacity, 1)
        let shade = placement.shade > 0 ? min(placement.shade, 1) : 0
        glUniform2f(program.strength, Float(opacity * (1 - shade)), Float(opacity))
        let upright = destination.size.rotated(by: placement.rotation)
        let shrinking = max(
            Double(texture.size.width) / Double(upright.width), Double(texture.size.height) / Double(upright.height))
        let hasCopies = texture.bind(shrinksBy: shrinking)
        glBindSampler(
            0, quad.isOneToOne ? objects.nearest.name : hasCopies ? objects.mipmapped.name : objects.linear.name)
        drawRectangle(isPremultiplied: true)
    }
}
