import GlissadeCPixman
import GlissadeGeometry

/// The outline of a rectangle with rounded corners, rotated about its center. Computes the coverage of pixels: the
/// fraction of each pixel that is inside the outline.
///
/// As in outline.glsl, the coverage depends on the distance between the pixel's center and the outline. Straight edges
/// on pixel boundaries are therefore sharp.
struct Outline {
    private let middle: SIMD2<Double>
    private let outline: glissade_outline
    private let cosine: Double
    private let sine: Double

    /// - Parameter quarterTurns: The rotation of the rectangle, clockwise, in quarter turns; finite.
    init(_ rect: PixelRect, radius: Double, quarterTurns: Double = 0) {
        let half = SIMD2(Double(rect.width), Double(rect.height)) / 2
        middle = SIMD2(Double(rect.minX), Double(rect.minY)) + half
        outline = glissade_outline(half_width: half.x, half_height: half.y, radius: radius)
        (cosine, sine) = (QuarterTurn.cosine(quarterTurns), QuarterTurn.sine(quarterTurns))
    }

    /// Returns the part of `columns` in which pixels of row `y` may lie at least partly inside the outline. The range
    /// is empty if there are no such pixels.
    func reach(row y: Int, in columns: Range<Int>) -> Range<Int> {
        span(y, columns, across: outline.half_width + 0.5, down: outline.half_height + 0.5, isInner: false)
    }

    /// Writes the coverage of row `y` of the target, in `columns`, to row `row` of `mask`. The coverage is scaled to
    /// 0…`most`. The first of `columns` is written to column 0 of the mask.
    func cover(_ mask: Raster, row: Int, y: Int, columns: Range<Int>, most: UInt8) {
        let reach = reach(row: y, in: columns)
        let first = columns.lowerBound
        func local(_ lower: Int, _ upper: Int) -> Range<Int> { lower - first..<upper - first }
        guard !reach.isEmpty else { return mask.cover(row: row, columns: local(first, columns.upperBound), 0) }
        // The columns that are certainly inside: those in the rectangle without its corners.
        let corner = max(outline.radius, 0.5)
        let (width, height) = (outline.half_width, outline.half_height)
        let wide = span(y, reach, across: width - 0.5, down: height - corner, isInner: true)
        let high = span(y, reach, across: width - corner, down: height - 0.5, isInner: true)
        let inner = wide.count > high.count ? wide : high
        if reach.lowerBound > first { mask.cover(row: row, columns: local(first, reach.lowerBound), 0) }
        if reach.upperBound < columns.upperBound {
            mask.cover(row: row, columns: local(reach.upperBound, columns.upperBound), 0)
        }
        func cover(_ lower: Int, _ upper: Int) {
            guard lower < upper else { return }
            mask.cover(
                row: row, columns: local(lower, upper), by: outline, from: place(lower, y), step: SIMD2(cosine, -sine),
                most: Double(most))
        }
        guard !inner.isEmpty else { return cover(reach.lowerBound, reach.upperBound) }
        cover(reach.lowerBound, inner.lowerBound)
        mask.cover(row: row, columns: local(inner.lowerBound, inner.upperBound), most)
        cover(inner.upperBound, reach.upperBound)
    }

    /// Returns the offset of the center of pixel (`x`, `y`) from the center of the rectangle, in the axes of the
    /// rectangle before its rotation.
    private func place(_ x: Int, _ y: Int) -> SIMD2<Double> {
        let away = SIMD2(Double(x) + 0.5, Double(y) + 0.5) - middle
        return SIMD2(away.x * cosine + away.y * sine, away.y * cosine - away.x * sine)
    }

    /// Returns the part of `columns` in which the pixel centers of row `y` are at most `across` and `down` pixels from
    /// the rectangle's center, measured along the rectangle's sides. Excludes borderline columns if `isInner` is true;
    /// otherwise, includes them.
    private func span(_ y: Int, _ columns: Range<Int>, across: Double, down: Double, isInner: Bool) -> Range<Int> {
        let start = place(columns.lowerBound, y)
        var (first, last) = (0.0, Double(columns.count - 1))
        func limit(_ start: Double, _ step: Double, _ most: Double) {
            guard abs(step) > 1e-9 else {
                if !(abs(start) <= most) { last = -1 }
                return
            }
            let (a, b) = ((-most - start) / step, (most - start) / step)
            // A margin of a hundredth of a pixel, for rounding errors.
            let margin = isInner ? 0.01 : -0.01
            first = max(first, min(a, b) + margin)
            last = min(last, max(a, b) - margin)
        }
        limit(start.x, cosine, across)
        limit(start.y, -sine, down)
        guard first <= last else { return columns.lowerBound..<columns.lowerBound }
        let lower = columns.lowerBound + Int(isInner ? first.rounded(.up) : first.rounded(.down))
        let upper = columns.lowerBound + Int(isInner ? last.rounded(.down) : last.rounded(.up)) + 1
        return lower..<max(min(upper, columns.upperBound), lower)
    }
}

/// A rectangle with rounded corners, split into its corners and the rest.
struct RoundPieces {
    private let rect: PixelRect
    private let left: Int
    private let right: Int
    private let top: Int
    private let bottom: Int

    init(_ rect: PixelRect, radius: Double) {
        self.rect = rect
        let reach = Int(radius.rounded(.up))
        (left, right) = (rect.minX + reach, max(rect.maxX - reach, rect.minX + reach))
        (top, bottom) = (rect.minY + reach, max(rect.maxY - reach, rect.minY + reach))
    }

    /// Calls `body` with each piece between the corners, clipped to `clip`. There are at most three pieces. Empty
    /// pieces are skipped.
    func forEachFull(in clip: PixelRect, _ body: (PixelRect) -> Void) {
        call(left, rect.minY, right, top, clip, body)
        call(rect.minX, top, rect.maxX, bottom, clip, body)
        call(left, bottom, right, rect.maxY, clip, body)
    }

    /// Calls `body` with the square around each corner, clipped to `clip`. Empty squares are skipped.
    func forEachCorner(in clip: PixelRect, _ body: (PixelRect) -> Void) {
        call(rect.minX, rect.minY, left, top, clip, body)
        call(right, rect.minY, rect.maxX, top, clip, body)
        call(rect.minX, bottom, left, rect.maxY, clip, body)
        call(right, bottom, rect.maxX, rect.maxY, clip, body)
    }

    private func call(
        _ minX: Int, _ minY: Int, _ maxX: Int, _ maxY: Int, _ clip: PixelRect, _ body: (PixelRect) -> Void
    ) {
        let part = PixelRect(minX: minX, minY: minY, maxX: maxX, maxY: maxY).intersection(clip)
        if !part.isEmpty { body(part) }
    }
}
