import GlissadeGeometry
import GlissadePicture
import GlissadeText

extension Bitmap {
    /// One pixel: premultiplied blue, green, red, and alpha.
    subscript(x: Int, y: Int) -> [UInt8] {
        let start = (y * size.width + x) * 4
        return Array(pixels[start..<start + 4])
    }

    /// The smallest rectangle around everything drawn; nil where nothing is.
    var ink: PixelRect? { ink(columns: 0..<size.width) }

    /// The smallest rectangle around what is drawn in `columns`; nil where nothing is.
    func ink(columns: Range<Int>) -> PixelRect? {
        var bounds: PixelRect?
        for y in 0..<size.height {
            for x in columns where self[x, y][3] > 0 {
                let old = bounds ?? PixelRect(minX: x, minY: y, maxX: x + 1, maxY: y + 1)
                bounds = PixelRect(
                    minX: min(old.minX, x), minY: min(old.minY, y), maxX: max(old.maxX, x + 1),
                    maxY: max(old.maxY, y + 1))
            }
        }
        return bounds
    }

    /// The pixels of `columns`, row by row.
    func pixels(columns: Range<Int>) -> [UInt8] {
        (0..<size.height).flatMap { y in columns.flatMap { x in self[x, y] } }
    }

    /// The sum of all alphas.
    var amountOfInk: Int { stride(from: 3, to: pixels.count, by: 4).reduce(0) { $0 + Int(pixels[$1]) } }

    /// How many rows have ink and follow one without: the lines of a text whose letters do not reach between lines.
    var inkedBands: Int {
        let inked = (0..<size.height).map { y in (0..<size.width).contains { x in self[x, y][3] > 0 } }
        return zip([false] + inked, inked).count { !$0 && $1 }
    }

    /// Whether no component is greater than its alpha.
    var isPremultiplied: Bool {
        stride(from: 0, to: pixels.count, by: 4).allSatisfy { start in
            pixels[start..<start + 3].allSatisfy { $0 <= pixels[start + 3] }
        }
    }

    /// Whether some pixel is neither grey nor clear.
    var hasColour: Bool {
        stride(from: 0, to: pixels.count, by: 4).contains { start in
            let colour = pixels[start..<start + 3]
            return colour.max()! - colour.min()! > 40
        }
    }
}
