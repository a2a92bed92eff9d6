import GlissadeGeometry
import GlissadeLayers

/// Drawing of shadows. A shadow is drawn from a cached mask, or computed while it is drawn if it is too large for a
/// mask.
extension Painter {
    /// Draws the part of the caster's shadow that is outside the caster.
    ///
    /// - Parameters:
    ///   - caster: The rectangle that casts the shadow; must not be empty.
    ///   - bounds: The area in which to draw, inside the target.
    func draw(_ placement: ShadowPlacement, caster: PixelRect, bounds: PixelRect) {
        guard placement.blur > 0, placement.color.alpha > 0 else { return }
        let reach = ShadowMask.reach(placement.blur)
        let extent = PixelRect(
            minX: caster.minX - reach, minY: caster.minY - reach, maxX: caster.maxX + reach, maxY: caster.maxY + reach)
        let clip = bounds.intersection(extent)
        guard !clip.isEmpty else { return }
        let shape = ShadowShape(
            blur: placement.blur, size: caster.size, radius: Corner(placement.cornerRadius, of: caster).radius)
        let color = placement.color.premultiplied
        solid.set(0, 0, Self.pixel(color))
        if let mask = shadows.mask(for: shape) {
            draw(mask, extent: extent, color: color, clip: clip)
        } else {
            drawVast(shape, caster: caster, clip: clip)
        }
    }

    /// Draws a shadow from its mask. Repeats the mask's middle column and middle row as needed.
    private func draw(_ mask: ShadowMask, extent: PixelRect, color: SIMD4<Float>, clip: PixelRect) {
        let size = mask.raster.size
        let (middleX, middleY) = (size.width / 2, size.height / 2)
        let across = Self.parts(extent.minX, extent.maxX, of: size.width)
        let down = Self.parts(extent.minY, extent.maxY, of: size.height)
        for columnIndex in across.indices {
            for rowIndex in down.indices {
                let (column, row) = (across[columnIndex], down[rowIndex])
                let rect = PixelRect(
                    minX: column.range.lowerBound, minY: row.range.lowerBound, maxX: column.range.upperBound,
                    maxY: row.range.upperBound)
                var part = rect.intersection(clip)
                // Along an edge, nothing inside the caster is drawn.
                if row.start == nil, extent.width > size.width {
                    if columnIndex == 0 { part.maxX = min(part.maxX, extent.minX + mask.reach) }
                    if columnIndex == 2 { part.minX = max(part.minX, extent.maxX - mask.reach) }
                }
                if column.start == nil, extent.height > size.height {
                    if rowIndex == 0 { part.maxY = min(part.maxY, extent.minY + mask.reach) }
                    if rowIndex == 2 { part.minY = max(part.minY, extent.maxY - mask.reach) }
                }
                if part.isEmpty { continue }
                switch (column.start, row.start) {
                case (let x?, let y?):
                    target.image.draw(
                        .over, solid.image, mask: mask.raster.image,
                        at: (x + part.minX - rect.minX, y + part.minY - rect.minY), to: part)
                case (nil, let y?):
                    for index in 0..<part.height {
                        let value = mask.raster.coverage(middleX, y + part.minY - rect.minY + index)
                        columnStrip.set(0, index, Self.pixel(color * (Float(value) / 255)))
                    }
                    composite(.image(columnStrip.image, x: part.minX, y: part.minY), on: part)
                case (let x?, nil):
                    for index in 0..<part.width {
                        let value = mask.raster.coverage(x + part.minX - rect.minX + index, middleY)
                        rowStrip.set(index, 0, Self.pixel(color * (Float(value) / 255)))
                    }
                    composite(.image(rowStrip.image, x: part.minX, y: part.minY), on: part)
                case (nil, nil):
                    // The middle is hidden by the caster.
                    break
                }
            }
        }
    }

    /// A part of the width or height of a shadow: its range in the target, and where it starts in the mask. `start` is
    /// nil for the middle part, which is repeated.
    private typealias Part = (range: Range<Int>, start: Int?)

    private static func parts(_ lower: Int, _ upper: Int, of length: Int) -> InlineArray<3, Part> {
        guard upper - lower > length else {
            let nothing: Part = (upper..<upper, 0)
            return [(lower..<upper, 0), nothing, nothing]
        }
        let half = length / 2
        return [
            (lower..<lower + half, 0), (lower + half..<upper - half, nil), (upper - half..<upper, length - half),
        ]
    }

    /// Draws the part inside `clip` of a shadow that is too large for a mask. The blur ignores the caster's rounded
    /// corners, because computing them would take too long. The area cut out for the caster does have rounded corners.
    private func drawVast(_ shape: ShadowShape, caster: PixelRect, clip: PixelRect) {
        let outline = Outline(caster, radius: shape.radius)
        let middle = SIMD2(
            Double(caster.minX) + Double(shape.size.width) / 2, Double(caster.minY) + Double(shape.size.height) / 2)
        vast.across.removeAll(keepingCapacity: true)
        for x in clip.minX..<clip.maxX {
            vast.across.append(
                shape.profile(Double(x) + 0.5 - middle.x, reach: Double(shape.size.width) / 2) / 255)
        }
        vast.pieces.removeAll(keepingCapacity: true)
        clip.subtract(Corner(shape.radius, of: caster).inner, into: &vast.pieces)
        let (across, pieces) = vast
        for piece in pieces {
            forEachBand(of: piece) { rows in
                for y in rows.minY..<rows.maxY {
                    let down = shape.profile(Double(y) + 0.5 - middle.y, reach: Double(shape.size.height) / 2)
                    let row = y - rows.minY
                    outline.cover(bandMask, row: row, y: y, columns: rows.minX..<rows.maxX, most: 255)
                    for x in 0..<rows.width {
                        let outside = 255 - Double(bandMask.coverage(x, row))
                        let shade = across[rows.minX - clip.minX + x] * down * outside * 255
                        bandMask.setCoverage(x, row, UInt8(min(max(shade, 0), 255).rounded()))
                    }
                }
                target.image.draw(.over, solid.image, mask: bandMask.image, to: rows)
            }
        }
    }
}
