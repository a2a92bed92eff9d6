import GlissadeGeometry
import GlissadeLayers
import GlissadePicture
import Testing
import GlissadeText

@Suite("Lines of text without a box") struct TextLineTests {
    private let rasterizer = TextRasterizer(language: "en")

    /// A line's bitmap where its metrics say, cut off at the box.
    private func placed(
        _ line: (bitmap: Bitmap, metrics: TextLineMetrics), in box: PixelSize, _ alignment: TextContent.Alignment
    ) -> [UInt8] {
        let place = line.metrics.destination(of: line.bitmap.size, in: PixelRect(size: box), alignment: alignment)
        var pixels = [UInt8](repeating: 0, count: box.width * box.height * 4)
        for y in max(place.minY, 0)..<max(min(place.maxY, box.height), 0) {
            for x in max(place.minX, 0)..<max(min(place.maxX, box.width), 0) {
                let pixel = line.bitmap[x - place.minX, y - place.minY]
                for byte in 0..<4 { pixels[(y * box.width + x) * 4 + byte] = pixel[byte] }
            }
        }
        return pixels
    }

    @Test(
        "A line placed in any box that it fits in is what that box's bitmap contains",
        arguments: ["A film.mkv", "Žluťoučký kůň", "فيلم", "電影 42", "ไทยที่นี่", "🎬 Film", "jÅ"], [1.0, 1.25, 2])
    func placing(string: String, scale: Double) throws {
        for alignment in [TextContent.Alignment.leading, .center, .trailing] {
            let text = TextContent.plain(
                string, size: 15, color: Color(red: 0.9, green: 0.5, blue: 0.1, alpha: 0.6), alignment: alignment,
                lines: 2)
            let line = try #require(
                rasterizer.line(of: text, box: PixelSize(width: 400, height: 40), scale: scale))
            let least = Int(line.metrics.width.rounded(.up))
            for (width, height) in [(400, 40), (least, 48), (least + 1, 17), (least + 40, 8), (333, 91)] {
                let box = PixelSize(width: width, height: height)
                #expect(line.metrics.fits(in: box))
                let whole = rasterizer.bitmap(of: text, box: box, scale: scale)
                #expect(placed(line, in: box, alignment) == whole.pixels, "\(box), \(alignment)")
            }
        }
    }

    @Test("Text that is wrapped, shortened or has several lines is not a line")
    func refusals() {
        let box = PixelSize(width: 60, height: 60)
        for text in [
            TextContent.plain("A rather long name of a film"), .plain("A rather long name of a film", lines: 3),
            .plain("A\nB", lines: 2), .plain("A", size: .nan),
        ] {
            #expect(rasterizer.line(of: text, box: box, scale: 1) == nil)
        }
        #expect(rasterizer.line(of: .plain("A"), box: PixelSize(width: 0, height: 9), scale: 1) == nil)
    }

    @Test("A line takes memory for what is visible, not for the box")
    func memory() throws {
        let box = PixelSize(width: 1800, height: 48)
        let line = try #require(rasterizer.line(of: .plain("0:12"), box: box, scale: 1))
        let ink = try #require(line.bitmap.ink)
        #expect(ink.minX >= 1 && ink.minY >= 1 && ink.maxX < line.bitmap.size.width)
        #expect(line.bitmap.size.width <= ink.width + 6 && line.bitmap.size.height <= ink.height + 6)
    }
}
