import GlissadeGeometry

/// Draws the items of a display list into memory. The result looks the same as that of the OpenGL shaders. Any thread
/// that holds `RenderLock`.
///
/// Scratch memory and shadow masks are reused, so that repeated drawing allocates nothing. Coordinates are in pixels of
/// the target, as in the display list. Everything drawn must be inside the target.
final class Painter {
    /// The raster to draw into. Before `begin` and after `end`, `solid` is a placeholder for it.
    private(set) var target: Raster

    /// A raster of one pixel, repeated to fill an area with its color.
    let solid: Raster
    /// A mask of one pixel, repeated to apply an opacity to an area.
    let opacityMask: Raster
    /// Scratch strips for the colors of a gradient or of a shadow's edge, from left to right (`rowStrip`) or from top
    /// to bottom (`columnStrip`).
    private(set) var rowStrip: Raster
    private(set) var columnStrip: Raster
    /// Scratch rows of pixels. Both rasters use the same memory: `band` as opaque pixels, `alphaBand` as pixels with
    /// alpha.
    private(set) var band: Raster
    private(set) var alphaBand: Raster
    /// Scratch rows for the coverage of pixels.
    private(set) var bandMask: Raster
    let shadows = ShadowMasks()
    /// Reusable arrays for drawing a shadow that is too large for a mask: the shadow's intensity in each column, and
    /// the pieces of the area to draw.
    var vast: (across: [Double], pieces: [PixelRect]) = ([], [])

    /// The number of scratch rows: few enough for their pixels and coverage to stay in the CPU cache.
    nonisolated static let bandRows = 32

    /// Creates a painter. Returns nil if out of memory.
    init?() {
        let one = PixelSize(width: 1, height: 1)
        guard let solid = Raster(.premultiplied, size: one, repeats: true),
            let opacityMask = Raster(.coverage, size: one, repeats: true), let scratch = Scratch(one)
        else { return nil }
        (self.solid, self.opacityMask, target) = (solid, opacityMask, solid)
        (rowStrip, columnStrip) = (scratch.rowStrip, scratch.columnStrip)
        (band, alphaBand, bandMask) = (scratch.band, scratch.band.reinterpreted(as: .premultiplied), scratch.mask)
    }

    /// Scratch memory that depends on the target's size.
    private struct Scratch {
        let rowStrip: Raster
        let columnStrip: Raster
        let band: Raster
        let mask: Raster

        init?(_ size: PixelSize) {
            let rows = PixelSize(width: size.width, height: Painter.bandRows)
            guard
                let rowStrip = Raster(.premultiplied, size: PixelSize(width: size.width, height: 1), repeats: true),
                let columnStrip = Raster(.premultiplied, size: PixelSize(width: 1, height: size.height), repeats: true),
                let band = Raster(.opaque, size: rows), let mask = Raster(.coverage, size: rows)
            else { return nil }
            (self.rowStrip, self.columnStrip, self.band, self.mask) = (rowStrip, columnStrip, band, mask)
        }
    }

    /// Makes `raster` the target for drawing.
    ///
    /// - Throws: `allocation` if out of memory.
    func begin(_ raster: Raster) throws(RenderingError) {
        if rowStrip.size.width < raster.size.width || columnStrip.size.height < raster.size.height {
            // Rounded up, since a growing window is slightly larger in each frame.
            let size = PixelSize(
                width: max((raster.size.width + 255) / 256 * 256, rowStrip.size.width),
                height: max((raster.size.height + 255) / 256 * 256, columnStrip.size.height))
            guard let scratch = Scratch(size) else { throw .allocation(size, code: 0) }
            (rowStrip, columnStrip) = (scratch.rowStrip, scratch.columnStrip)
            (band, alphaBand, bandMask) = (scratch.band, scratch.band.reinterpreted(as: .premultiplied), scratch.mask)
        }
        target = raster
    }

    /// Stops drawing into the target and releases it.
    func end() { target = solid }

    // MARK: - Colors and masks

    /// The source of the colors with which an item is drawn.
    enum Paint {
        /// The color in `solid`.
        case solid
        /// An image whose first pixel is at (`x`, `y`) of the target.
        case image(PixmanImage, x: Int, y: Int)
        /// A raster, drawn where the map places it.
        case placed(Raster, PictureMap)
        /// A blend of two images, the larger one first, rotated and scaled to a rectangle. The number is the weight of
        /// the smaller image, out of 255. The blend must be rendered into a band before it is composited.
        case mixed(Raster, Raster, UInt8, PixelRect, QuarterTurns)
    }

    /// How opaque the paint is at each pixel.
    enum Mask {
        /// The same opacity everywhere, 1…255.
        case even(UInt8)
        /// The coverage of an outline, multiplied by a maximum opacity, 1…255.
        case outline(Outline, UInt8)
    }

    /// Composites `paint` onto the rectangle `part` of the target, through `mask`.
    func composite(_ paint: Paint, on part: PixelRect, mask: Mask = .even(255)) {
        switch mask {
        case .even(255):
            draw(paint, on: part, mask: nil)
        case .even(let opacity):
            opacityMask.setCoverage(0, 0, opacity)
            draw(paint, on: part, mask: opacityMask.image)
        case .outline(let outline, let most):
            forEachBand(of: part) { rows in
                for y in rows.minY..<rows.maxY {
                    outline.cover(bandMask, row: y - rows.minY, y: y, columns: rows.minX..<rows.maxX, most: most)
                }
                draw(paint, on: rows, mask: bandMask.image)
            }
        }
    }

    private func draw(_ paint: Paint, on part: PixelRect, mask: PixmanImage?) {
        switch paint {
        case .solid:
            target.image.draw(.over, solid.image, mask: mask, to: part)
        case .image(let image, let x, let y):
            target.image.draw(.over, image, from: (part.minX - x, part.minY - y), mask: mask, to: part)
        case .placed(let raster, let map):
            target.image.draw(.over, raster.placed(map, from: part), mask: mask, to: part)
        case .mixed:
            fatalError("mixed images must be rendered into a band first")
        }
    }

    /// Composites `band` onto the rectangle `rows` of the target. The first pixel of `band` is drawn at the top left
    /// corner of `rows`.
    func composite(_ band: Raster, over rows: PixelRect, mask: Mask) {
        composite(.image(band.image, x: rows.minX, y: rows.minY), on: rows, mask: mask)
    }

    /// Splits `part` into bands of at most `bandRows` rows, and calls `body` with each, from the top down.
    func forEachBand(of part: PixelRect, _ body: (PixelRect) -> Void) {
        var rows = part
        while rows.minY < part.maxY {
            rows.maxY = min(rows.minY + Self.bandRows, part.maxY)
            body(rows)
            rows.minY = rows.maxY
        }
    }

    /// Returns the factor by which a shade darkens colors, in 256ths: 256 for a shade of 0, and 0 for a shade of 1.
    static func gain(shade: Double) -> Int { 256 - Int((min(max(shade, 0), 1) * 256).rounded()) }

    /// Converts an opacity, 0 or more, to 0…255. An opacity above 1 counts as 1.
    static func level(_ opacity: Double) -> UInt8 { UInt8((min(opacity, 1) * 255).rounded()) }
}

extension Raster {
    /// Returns the raster as a pixman image with the transform of `map`. Draw the image onto `part` from source
    /// position (0, 0). The image is valid only until the next call, which changes its transform.
    func placed(_ map: PictureMap, from part: PixelRect) -> PixmanImage {
        placeable.place(
            corner: map.position(Double(part.minX), Double(part.minY)), across: map.across, down: map.down,
            isExact: map.isOneToOne)
        return placeable
    }
}
