import CGLES
import Layers
import Time

/// Raster images, text and icons.
extension Compositor {
    func draw(_ placement: ImagePlacement, scale: Double, on target: DrawTarget) throws(RenderingError) {
        let clip = placement.clip.intersection(placement.destination).intersection(target.bounds)
        guard !clip.isEmpty, placement.opacity > 0,
            let texture = images.image(for: placement, scale: scale, viewer: viewer) as? ImageTexture
        else { return }
        let quad = PictureQuad(destination: placement.destination, clip: clip, picture: texture.size, target: target)
        let corner = Corner(placement.cornerRadius, of: placement.destination)
        let program = try use(ProgramVariant(.raster, isRounded: corner.isRound))
        set(quad, picture: texture.size, on: program)
        corner.set(on: program, clip: clip)
        let opacity = min(placement.opacity, 1)
        let shade = placement.shade > 0 ? min(placement.shade, 1) : 0
        glUniform2f(program.strength, Float(opacity * (1 - shade)), Float(opacity))
        let shrinking = max(
            Double(texture.size.width) / Double(placement.destination.width),
            Double(texture.size.height) / Double(placement.destination.height))
        let hasCopies = texture.bind(shrinksBy: shrinking)
        glBindSampler(
            0, quad.isOneToOne ? objects.nearest.name : hasCopies ? objects.mipmapped.name : objects.linear.name)
        drawRectangle(isPremultiplied: true)
    }
}
