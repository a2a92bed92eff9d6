import GlissadeGeometry
import GlissadeLayers

/// Drawing of raster images, text and icons.
extension Painter {
    /// Draws an image that fills `destination`, with the rotation, opacity, shade and rounded corners of `placement`.
    ///
    /// - Parameter clip: The part of `destination` to draw, inside the target.
    func draw(_ image: ImageRaster, _ placement: ImagePlacement, destination: PixelRect, clip: PixelRect) {
        let opacity = Self.level(placement.opacity)
        guard opacity > 0 else { return }
        let gain = Self.gain(shade: placement.shade > 0 ? placement.shade : 0)
        let rotation = placement.rotation
        let paint: Paint
        switch image.level(for: destination.size.rotated(by: rotation)) {
        case .one(let raster) where raster.size == destination.size && rotation == .none:
            paint = .image(raster.image, x: destination.minX, y: destination.minY)
        case .one(let raster):
            paint = .placed(raster, PictureMap(destination: destination, rotation: rotation, picture: raster.size))
        case .mixed(let larger, let smaller, let fraction):
            paint = .mixed(larger, smaller, fraction, destination, rotation)
        }
        let radius = Corner(placement.cornerRadius, of: destination).radius
        let pieces = RoundPieces(destination, radius: radius)
        pieces.forEachFull(in: clip) { composite(paint, gain: gain, on: $0, mask: .even(opacity)) }
        guard radius > 0 else { return }
        let outline = Outline(destination, radius: radius)
        pieces.forEachCorner(in: clip) { composite(paint, gain: gain, on: $0, mask: .outline(outline, opacity)) }
    }

    /// Composites `paint`, which must be an image, onto the rectangle `part` of the target, through `mask`. First
    /// multiplies the colors of the image by `gain`, in 256ths.
    private func composite(_ paint: Paint, gain: Int, on part: PixelRect, mask: Mask) {
        var isMixed = false
        if case .mixed = paint { isMixed = true }
        if gain == 256, !isMixed { return composite(paint, on: part, mask: mask) }
        forEachBand(of: part) { rows in
            let local = PixelRect(size: rows.size)
            switch paint {
            case .solid: return
            case .image(let image, let x, let y):
                alphaBand.image.draw(.replace, image, from: (rows.minX - x, rows.minY - y), to: local)
            case .placed(let raster, let map):
                alphaBand.image.draw(.replace, raster.placed(map, from: rows), to: local)
            case .mixed(let larger, let smaller, let fraction, let destination, let rotation):
                alphaBand.mix(
                    larger, smaller, fraction: fraction, of: destination, rotation: rotation, from: rows,
                    opacityMask: opacityMask)
                if gain == 256 { return composite(alphaBand, over: rows, mask: mask) }
            }
            if case .even(let opacity) = mask {
                // Applies opacity and shade in one step, since multiplying twice would round twice.
                let fraction = Double(opacity) / 255
                alphaBand.darken(
                    local, leaving: Int((Double(gain) * fraction).rounded()), ofAlpha: Int((256 * fraction).rounded()))
                composite(alphaBand, over: rows, mask: .even(255))
            } else {
                alphaBand.darken(local, leaving: gain)
                composite(alphaBand, over: rows, mask: mask)
            }
        }
    }
}
