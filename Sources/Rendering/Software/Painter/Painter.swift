import Geometry

/// Draws single items into memory, each as the shaders do. Main thread.
///
/// It keeps what it draws by, so that drawing takes no memory: single pixels for colours, a few rows for what takes
/// more than one step. Coordinates are the list's, which are the target's; what is drawn must lie on the target.
@MainActor final class Painter {
    /// What is drawn into.
    private(set) var target: Raster

    /// One pixel that goes on for ever: a colour.
    let solid: Raster
    /// And an opacity.
    let veil: Raster
    /// The colours of a gradient, from left to right and from top to bottom.
    private(set) var rowStrip: Raster
    private(set) var columnStrip: Raster
    /// Some rows on their way to the target, opaque or with alpha.
    private(set) var band: Raster
    private(set) var alphaBand: Raster
    /// And how much of them is covered.
    private(set) var bandMask: Raster
    let shadows = ShadowMasks()
    /// Of a shadow that is too large for a mask: how deep it is in each column, and what of it is drawn.
    var vast: (across: [Double], pieces: [PixelRect]) = ([], [])

    /// So many rows of pixels and of a mask stay in the cache.
    nonisolated static let bandRows = 32

    /// Nil where there is no memory.
    init?() {
        let one = PixelSize(width: 1, height: 1)
        guard let solid = Raster(.premultiplied, size: one, repeats: true),
            let veil = Raster(.coverage, size: one, repeats: true), let scratch = Scratch(one)
        else { return nil }
        (self.solid, self.veil, target) = (solid, veil, solid)
        (rowStrip, columnStrip) = (scratch.rowStrip, scratch.columnStrip)
        (band, alphaBand, bandMask) = (scratch.band, scratch.band.reinterpreted(as: .premultiplied), scratch.mask)
    }

    /// What is made as large as the target.
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

    /// Draws into `raster` from now on.
    /// - Throws: `allocation`.
    func begin(_ raster: Raster) throws(RenderingError) {
        if rowStrip.size.width < raster.size.width || columnStrip.size.height < raster.size.height {
            // A window that grows is a little larger in each frame.
            let size = PixelSize(
                width: max((raster.size.width + 255) / 256 * 256, rowStrip.size.width),
                height: max((raster.size.height + 255) / 256 * 256, columnStrip.size.height))
            guard let scratch = Scratch(size) else { throw .allocation(size, code: 0) }
            (rowStrip, columnStrip) = (scratch.rowStrip, scratch.columnStrip)
            (band, alphaBand, bandMask) = (scratch.band, scratch.band.reinterpreted(as: .premultiplied), scratch.mask)
        }
        target = raster
    }

    /// Draws into it no more.
    func end() { target = solid }

    // MARK: - Colours and masks

    /// Where the colours of something come from.
    enum Paint {
        /// What `solid` is.
        case solid
        /// An image whose first pixel lies at a place of the target.
        case image(PixmanImage, x: Int, y: Int)
        /// Pixels that lie elsewhere than the target's.
        case placed(Raster, PictureMap)
        /// What lies between two images, the larger one first, that are scaled to a rectangle; of 255, how much is the
        /// smaller one's. To be brought to a band first.
        case mixed(Raster, Raster, UInt8, PixelRect)
    }

    /// How much of it is laid on each pixel.
    enum Mask {
        /// Everywhere the same, 1…255.
        case even(UInt8)
        /// What an outline covers, of so much.
        case outline(Outline, UInt8)
    }

    /// Lays `paint` over `part`.
    func lay(_ paint: Paint, on part: PixelRect, mask: Mask = .even(255)) {
        switch mask {
        case .even(255):
            draw(paint, on: part, mask: nil)
        case .even(let opacity):
            veil.setCoverage(0, 0, opacity)
            draw(paint, on: part, mask: veil.image)
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
            fatalError("what is mixed comes by a band")
        }
    }

    /// Lays the rows of `rows` that were brought to `band`, or to `alphaBand`, over the target.
    func lay(_ band: Raster, over rows: PixelRect, mask: Mask) {
        lay(.image(band.image, x: rows.minX, y: rows.minY), on: rows, mask: mask)
    }

    /// Lends `part` a few rows at a time.
    func forEachBand(of part: PixelRect, _ body: (PixelRect) -> Void) {
        var rows = part
        while rows.minY < part.maxY {
            rows.maxY = min(rows.minY + Self.bandRows, part.maxY)
            body(rows)
            rows.minY = rows.maxY
        }
    }

    /// A black gain in 256ths.
    static func gain(shade: Double) -> Int { 256 - Int((min(max(shade, 0), 1) * 256).rounded()) }

    /// An opacity, which is above 0, in 255ths.
    static func level(_ opacity: Double) -> UInt8 { UInt8((min(opacity, 1) * 255).rounded()) }
}

extension Raster {
    /// The image, so that its first pixel is what lies at the top left corner of `part`.
    func placed(_ map: PictureMap, from part: PixelRect) -> PixmanImage {
        placeable.place(
            corner: map.position(Double(part.minX), Double(part.minY)), across: map.across, down: map.down,
            isExact: map.isOneToOne)
        return placeable
    }
}
