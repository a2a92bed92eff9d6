import Motion
import Stage

/// Still images, text and icons.
extension Painter {
    /// - Parameter clip: what is drawn of `destination`, on the target.
    func draw(_ still: StillRaster, _ placement: ImagePlacement, destination: PixelRect, clip: PixelRect) {
        let opacity = Self.level(placement.opacity)
        guard opacity > 0 else { return }
        let gain = Self.gain(shade: placement.shade > 0 ? placement.shade : 0)
        let raster = still.level(for: destination.size)
        let paint: Paint =
            raster.size == destination.size
            ? .image(raster.image, x: destination.minX, y: destination.minY)
            : .placed(raster, PictureMap(destination: destination, picture: raster.size))
        let radius = Corner(placement.cornerRadius, of: destination).radius
        let pieces = RoundPieces(destination, radius: radius)
        pieces.forEachFull(in: clip) { lay(paint, gain: gain, on: $0, mask: .even(opacity)) }
        guard radius > 0 else { return }
        let outline = Outline(destination, radius: radius)
        pieces.forEachCorner(in: clip) { lay(paint, gain: gain, on: $0, mask: .outline(outline, opacity)) }
    }

    /// Lays a part of a still over the target, darkened.
    private func lay(_ paint: Paint, gain: Int, on part: PixelRect, mask: Mask) {
        if gain == 256 { return lay(paint, on: part, mask: mask) }
        forEachBand(of: part) { rows in
            let local = PixelRect(size: rows.size)
            switch paint {
            case .solid: return
            case .image(let image, let x, let y):
                alphaBand.image.draw(.replace, image, from: (rows.minX - x, rows.minY - y), to: local)
            case .placed(let raster, let map):
                alphaBand.image.draw(.replace, raster.placed(map, from: rows), to: local)
            }
            if case .even(let opacity) = mask {
                // In one step with the shade: what is multiplied twice is rounded twice.
                let share = Double(opacity) / 255
                alphaBand.darken(
                    local, leaving: Int((Double(gain) * share).rounded()), ofAlpha: Int((256 * share).rounded()))
                lay(alphaBand, over: rows, mask: .even(255))
            } else {
                alphaBand.darken(local, leaving: gain)
                lay(alphaBand, over: rows, mask: mask)
            }
        }
    }
}
