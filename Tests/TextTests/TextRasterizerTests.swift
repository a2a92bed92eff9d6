import GlissadeGeometry
import GlissadeLayers
import GlissadePicture
import Testing
import GlissadeText

@Suite("Rasterizing text") struct TextRasterizerTests {
    private let setter = TextRasterizer(language: "en")
    private let long = "A rather long name of a film that does not fit.mkv"
    private let box = PixelSize(width: 160, height: 24)

    @Test("A text bitmap has the box's size, contains ink and is premultiplied", arguments: [1, 1.5, 2])
    func bitmap(scale: Double) {
        let box = PixelSize(width: 300, height: 60)
        let bitmap = setter.bitmap(
            of: .plain("A film", color: Color(red: 0.9, green: 0.5, blue: 0.1, alpha: 0.6)), box: box, scale: scale)
        #expect(bitmap.size == box)
        #expect(bitmap.pixels.count == box.width * box.height * 4)
        #expect(bitmap.ink != nil)
        #expect(bitmap.isPremultiplied)
    }

    @Test("Text has the requested color and alpha")
    func colour() {
        let color = Color(red: 1, green: 0.5, blue: 0, alpha: 0.6)
        // A block fills its pixels wholly.
        let bitmap = setter.bitmap(of: .plain("█", size: 40, color: color), box: box, scale: 1)
        let pixel = bitmap[5, 12]
        for (value, expected) in zip(pixel, [0, 76.5, 153, 153]) { #expect(abs(Double(value) - expected) <= 1) }
    }

    @Test("A non-finite color component is drawn as black at worst")
    func badColour() {
        let color = Color(red: .nan, green: .infinity, blue: -5, alpha: 7)
        let bitmap = setter.bitmap(of: .plain("█", size: 40, color: color), box: box, scale: 1)
        #expect(bitmap[5, 12] == [0, 255, 0, 255])
    }

    @Test("Text that does not fit ends in an ellipsis within its box")
    func ellipsis() throws {
        let bitmap = setter.bitmap(of: .plain(long), box: box, scale: 1)
        let ink = try #require(bitmap.ink)
        #expect(ink.maxX <= box.width && ink.maxX > box.width - 20)
        // Three dots on the baseline, and no letter among them.
        let baseline = try #require(bitmap.ink(columns: 0..<8)).maxY
        let dots = try #require(bitmap.ink(columns: ink.maxX - 7..<ink.maxX))
        #expect(dots.height <= 3 && abs(dots.maxY - baseline) <= 1)
    }

    @Test("Text truncated in the middle keeps its beginning and its extension")
    func middle() throws {
        for string in [long, String(repeating: "long ", count: 20_000) + "fit.mkv"] {
            let short = setter.bitmap(
                of: .plain(string, alignment: .trailing, truncation: .middle), box: box, scale: 1)
            let end = setter.bitmap(of: .plain("fit.mkv", alignment: .trailing), box: box, scale: 1)
            let columns = box.width - 35..<box.width
            #expect(short.pixels(columns: columns) == end.pixels(columns: columns))
        }
        let short = setter.bitmap(of: .plain(long, truncation: .middle), box: box, scale: 1)
        let start = setter.bitmap(of: .plain(long), box: box, scale: 1)
        #expect(short.pixels(columns: 0..<40) == start.pixels(columns: 0..<40))
    }

    @Test(
        "Text is aligned to the requested side, whatever its writing direction", arguments: ["Film", "فيلم"])
    func alignment(string: String) throws {
        let leading = try #require(setter.bitmap(of: .plain(string), box: box, scale: 1).ink)
        let center = try #require(setter.bitmap(of: .plain(string, alignment: .center), box: box, scale: 1).ink)
        let trailing = try #require(setter.bitmap(of: .plain(string, alignment: .trailing), box: box, scale: 1).ink)
        #expect(leading.minX <= 3)
        #expect(abs(center.minX - (box.width - center.maxX)) <= 4)
        #expect(box.width - trailing.maxX <= 3)
    }

    @Test("Capital letters are centered vertically in the box", arguments: [20, 40, 41, 90])
    func vertical(height: Int) throws {
        let bitmap = setter.bitmap(of: .plain("H"), box: PixelSize(width: 50, height: height), scale: 1)
        let ink = try #require(bitmap.ink)
        #expect(abs(ink.minY - (height - ink.maxY)) <= 2)
    }

    @Test("The baseline does not depend on the scripts and symbols in a line")
    func baseline() {
        let columns = 0..<10
        let latin = setter.bitmap(of: .plain("H"), box: box, scale: 1).pixels(columns: columns)
        for other in ["H  中文", "H  हिन्दी", "H  ไทย", "H  🎬"] {
            #expect(setter.bitmap(of: .plain(other), box: box, scale: 1).pixels(columns: columns) == latin)
        }
    }

    @Test("All lines of wrapped text are aligned")
    func lines() throws {
        let box = PixelSize(width: 100, height: 100)
        let text = TextContent.plain("xxx xxx xxx xxx xxx xxx xxx", alignment: .trailing, lines: 3)
        let bitmap = setter.bitmap(of: text, box: box, scale: 1)
        #expect(bitmap.inkedBands == 3)
        let ink = try #require(bitmap.ink)
        #expect(ink.maxX >= 97)
        #expect(abs(ink.minY - (box.height - ink.maxY)) <= 6)
        let broken = setter.bitmap(of: .plain("x\nx\nx\nx", lines: 3), box: box, scale: 1)
        #expect(broken.inkedBands == 3)
    }

    @Test("A word broken across lines gets no hyphen")
    func hyphens() {
        let box = PixelSize(width: 60, height: 100)
        let letter = setter.bitmap(of: .plain("o"), box: box, scale: 1).amountOfInk
        let word = setter.bitmap(of: .plain(String(repeating: "o", count: 20), lines: 5), box: box, scale: 1)
        #expect(word.inkedBands > 1)
        #expect(word.amountOfInk == 20 * letter)
    }

    @Test("A line break beyond the last line is a space")
    func breakInLastLine() {
        let box = PixelSize(width: 60, height: 60)
        let broken = setter.bitmap(of: .plain("xxxxxx xxxxxx\nxx", lines: 2), box: box, scale: 1)
        let joined = setter.bitmap(of: .plain("xxxxxx xxxxxx xx", lines: 2), box: box, scale: 1)
        #expect(broken == joined)
    }

    @Test("Text in an empty box gives an empty bitmap")
    func badBoxes() {
        for (width, height) in [(0, 10), (10, 0), (-5, 10), (16385, 10), (10, 16385), (16384, 16384), (.max, .max)] {
            #expect(setter.bitmap(of: .plain("A film"), box: PixelSize(width: width, height: height), scale: 1).isEmpty)
        }
        #expect(!setter.bitmap(of: .plain("A film"), box: PixelSize(width: 16384, height: 1), scale: 1).isEmpty)
        for scale in [0, -1, .nan, .infinity, 1e9] {
            #expect(setter.bitmap(of: .plain("A film"), box: box, scale: scale).isEmpty)
        }
    }

    @Test("A box that is too small only cuts its text", arguments: [1, 2, 5])
    func smallBoxes(side: Int) {
        let box = PixelSize(width: side, height: side)
        #expect(setter.bitmap(of: .plain("A film"), box: box, scale: 2).size == box)
    }

    @Test("Text looks the same after so many other sizes that fonts were evicted")
    func manySizes() {
        let text = TextContent.plain("A film 中文")
        let first = setter.bitmap(of: text, box: box, scale: 1)
        for step in 1...100 { #expect(setter.bitmap(of: text, box: box, scale: 1 + Double(step) / 100).ink != nil) }
        #expect(setter.bitmap(of: text, box: box, scale: 1) == first)
    }

    @Test("Rasterizers on several threads at once give the same pixels")
    func threads() async {
        let strings = ["A film.mkv", "中文文件名", "ملف", "🎬", "हिन्दी"]
        let expected = strings.map { setter.bitmap(of: .plain($0), box: box, scale: 1) }
        await withTaskGroup(of: [Bitmap].self) { [box] group in
            for _ in 0..<8 {
                group.addTask {
                    let setter = TextRasterizer(language: "en")
                    return strings.map { setter.bitmap(of: .plain($0), box: box, scale: 1) }
                }
            }
            for await bitmaps in group { #expect(bitmaps == expected) }
        }
    }
}
