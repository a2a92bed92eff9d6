import GlissadeGeometry
import GlissadeLayers

/// Drawing of fills and boxes. The area to draw must not be empty.
extension Painter {
    func fill(_ rect: PixelRect, _ color: Color) {
        guard color.alpha > 0 else { return }
        let pixel = Self.pixel(color.premultiplied)
        if color.isOpaque { return target.fill(rect, pixel) }
        solid.set(0, 0, pixel)
        composite(.solid, on: rect)
    }

    /// Draws a box filled with a gradient that spans `destination`.
    ///
    /// - Parameter clip: The part of `destination` to draw, inside the target.
    func draw(_ gradient: Gradient, cornerRadius: Double, destination: PixelRect, clip: PixelRect) {
        guard gradient.start.alpha > 0 || gradient.end.alpha > 0 else { return }
        let radius = Corner(cornerRadius, of: destination).radius
        let isOpaque = gradient.start.isOpaque && gradient.end.isOpaque
        let paint: Paint
        if gradient.start == gradient.end {
            if radius <= 0 { return fill(clip, gradient.start) }
            solid.set(0, 0, Self.pixel(gradient.start.premultiplied))
            paint = .solid
        } else {
            paint = strip(of: gradient, over: destination, clip: clip)
        }
        let pieces = RoundPieces(destination, radius: radius)
        pieces.forEachFull(in: clip) { piece in
            switch paint {
            case .solid where isOpaque: target.fill(piece, solid.value(0, 0))
            case .image(let image, let x, let y) where isOpaque:
                target.image.draw(.replace, image, from: (piece.minX - x, piece.minY - y), to: piece)
            default: composite(paint, on: piece)
            }
        }
        guard radius > 0 else { return }
        let outline = Outline(destination, radius: radius)
        pieces.forEachCorner(in: clip) { composite(paint, on: $0, mask: .outline(outline, 255)) }
    }

    /// Returns a strip of pixels with the colors of a gradient that spans `destination`. Repeating the strip fills
    /// `clip`.
    private func strip(of gradient: Gradient, over destination: PixelRect, clip: PixelRect) -> Paint {
        let (start, end) = (gradient.start.premultiplied, gradient.end.premultiplied)
        let isAcross = gradient.axis == .horizontal
        let count = isAcross ? clip.width : clip.height
        let first = isAcross ? clip.minX - destination.minX : clip.minY - destination.minY
        let step = 1 / Double(isAcross ? destination.width : destination.height)
        for index in 0..<count {
            let fraction = Float(min((Double(first + index) + 0.5) * step, 1))
            let pixel = Self.pixel(start + (end - start) * fraction)
            if isAcross { rowStrip.set(index, 0, pixel) } else { columnStrip.set(0, index, pixel) }
        }
        return .image(isAcross ? rowStrip.image : columnStrip.image, x: clip.minX, y: clip.minY)
    }

    /// Converts a premultiplied color, with components 0…1, to a pixel with blue in the lowest byte.
    static func pixel(_ color: SIMD4<Float>) -> UInt32 {
        let levels = color * 255 + 0.5
        return UInt32(levels.w) << 24 | UInt32(levels.x) << 16 | UInt32(levels.y) << 8 | UInt32(levels.z)
    }
}
