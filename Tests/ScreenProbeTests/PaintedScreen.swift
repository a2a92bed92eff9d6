import GlissadeScreenProbe

/// A screen in memory with coded pictures on it, as a player draws them: scaled, dimmed, with round corners. Only the lines
/// that are asked for are made.
final class PaintedScreen: PixelSource {
    typealias Colour = (red: Double, green: Double, blue: Double)

    let width: Int
    let height: Int
    private let background: (Int, Int) -> (UInt8, UInt8, UInt8)
    /// From the lowest to the uppermost: what becomes of a pixel, by its column and row.
    private var layers: [(Int, Int, inout Colour) -> Void] = []
    /// How often a line of it was asked for.
    private(set) var lineCount = 0

    init(
        width: Int = 1920, height: Int = 1080,
        _ background: @escaping (Int, Int) -> (UInt8, UInt8, UInt8) = { _, _ in (30, 30, 34) }
    ) {
        (self.width, self.height, self.background) = (width, height, background)
    }

    var whole: Region { Region(name: "screen", x: 0..<width, y: 0..<height) }

    func line(x: Range<Int>, y: Range<Int>) -> PixelLine? {
        guard min(x.count, y.count) == 1, x.clamped(to: 0..<width) == x, y.clamped(to: 0..<height) == y else {
            return nil
        }
        lineCount += 1
        var line = PixelLine()
        for row in y {
            for column in x {
                let ground = background(column, row)
                var colour: Colour = (Double(ground.0), Double(ground.1), Double(ground.2))
                for layer in layers { layer(column, row, &colour) }
                func part(_ value: Double) -> UInt8 { UInt8(min(max(value, 0), 255).rounded()) }
                line.append(red: part(colour.red), green: part(colour.green), blue: part(colour.blue))
            }
        }
        return line
    }

    /// Draws a frame; each of its pixels is the mean of what it covers. What lies outside of the screen is cut off.
    ///
    /// - Parameters:
    ///   - number: Nil for stripes between the marks that are no code.
    ///   - left: The left edge; it need not lie on a pixel.
    ///   - shade: How much black lies over it, 0 to 1.
    ///   - corner: The radius of its corners.
    func paint(
        _ number: Int?, left: Double, top: Int, width: Double, height: Int, shade: Double = 0, opacity: Double = 1,
        corner: Double = 0
    ) {
        let (first, columns) = (Int(left.rounded(.down)), Self.columns(number, left: left, width: width))
        layers.append { x, y, pixel in
            guard columns.indices.contains(x - first), (top..<top + height).contains(y) else { return }
            let (dx, dy) = (
                corner - min(Double(x) + 0.5 - left, left + width - Double(x) - 0.5),
                corner - min(Double(y - top) + 0.5, Double(top + height - y) - 0.5)
            )
            if dx > 0, dy > 0, dx * dx + dy * dy > corner * corner { return }
            let column = columns[x - first]
            let fraction = opacity * column.covered
            pixel.red += (column.colour.red * (1 - shade) - pixel.red) * fraction
            pixel.green += (column.colour.green * (1 - shade) - pixel.green) * fraction
            pixel.blue += (column.colour.blue * (1 - shade) - pixel.blue) * fraction
        }
    }

    /// Covers a rectangle with a colour.
    func cover(x: Range<Int>, y: Range<Int>, _ colour: (UInt8, UInt8, UInt8)) {
        layers.append { column, row, pixel in
            if x.contains(column), y.contains(row) {
                pixel = (Double(colour.0), Double(colour.1), Double(colour.2))
            }
        }
    }

    /// The colour of each column of the screen that a picture touches, and how much of it the picture covers.
    private static func columns(
        _ number: Int?, left: Double, width: Double
    ) -> [(colour: Colour, covered: Double)] {
        // As video in its range comes out of a decoder: not quite as dark and as bright as can be.
        let (black, white) = (2.0, 252.0)
        let bits = number.map(MarkedCode.bands) ?? (0..<FrameCode.bandCount).map { $0.isMultiple(of: 2) }
        var bands = [Colour](repeating: (white, black, white), count: MarkedCode.markWidth)
        bands += bits.map { $0 ? (white, white, white) : (black, black, black) }
        bands += [Colour](repeating: (black, white, black), count: MarkedCode.markWidth)
        let band = width / Double(bands.count)
        return (Int(left.rounded(.down))..<Int((left + width).rounded(.up))).map { column in
            var (sum, covered): (Colour, Double) = ((0, 0, 0), 0)
            for (index, colour) in bands.enumerated() {
                let begin = left + Double(index) * band
                let part = min(Double(column + 1), begin + band) - max(Double(column), begin)
                guard part > 0 else { continue }
                covered += part
                sum = (sum.red + part * colour.red, sum.green + part * colour.green, sum.blue + part * colour.blue)
            }
            guard covered > 0 else { return (sum, 0) }
            return ((sum.red / covered, sum.green / covered, sum.blue / covered), covered)
        }
    }
}
