import Geometry
import Layers
import Picture
import Testing
import Text

@Suite("Measuring text") struct MeasuringTests {
    private let rasterizer = TextRasterizer(language: "en")

    @Test("A size is whole device pixels, in points", arguments: [1, 1.25, 1.5, 2, 3])
    func wholePixels(scale: Double) {
        let size = rasterizer.measure(.plain("A film"), maxWidth: nil, scale: scale)
        #expect(size.width > 0 && size.height >= 14)
        for side in [size.width * scale, size.height * scale] { #expect(abs(side - side.rounded()) < 1e-9) }
    }

    @Test("Longer text is wider, bolder text is wider, larger text is larger")
    func growth() {
        let size = rasterizer.measure(.plain("A film"), maxWidth: nil, scale: 1)
        #expect(rasterizer.measure(.plain("A film of films"), maxWidth: nil, scale: 1).width > size.width)
        #expect(rasterizer.measure(.plain("A film", weight: .bold), maxWidth: nil, scale: 1).width > size.width)
        let larger = rasterizer.measure(.plain("A film", size: 28), maxWidth: nil, scale: 1)
        #expect(abs(larger.width - 2 * size.width) <= 6)
        #expect(abs(larger.height - 2 * size.height) <= 2)
    }

    @Test("At twice the scale a text is as large in points, to a pixel's rounding of each letter")
    func scales() {
        let one = rasterizer.measure(.plain("A film"), maxWidth: nil, scale: 1)
        let two = rasterizer.measure(.plain("A film"), maxWidth: nil, scale: 2)
        #expect(abs(one.width - two.width) <= 4)
        #expect(abs(one.height - two.height) <= 1)
    }

    @Test("No text is wider than it may be", arguments: [0, 1, 10, 33.3, 80, 1000])
    func maxWidth(limit: Double) {
        for text in [TextContent.plain("A long name of a film"), .plain("A long name of a film", lines: 4)] {
            #expect(rasterizer.measure(text, maxWidth: limit, scale: 1).width <= limit.rounded(.up))
        }
    }

    @Test("A text that fits takes no more than it would alone")
    func fits() {
        let text = TextContent.plain("A film")
        #expect(rasterizer.measure(text, maxWidth: 500, scale: 1) == rasterizer.measure(text, maxWidth: nil, scale: 1))
    }

    @Test("A text set into the size that was measured for it is whole")
    func whole() throws {
        for string in ["A film.mkv", "Wi", "中文文件名.mp4", "हिन्दी.mkv", "ملف.mp4"] {
            for scale in [1, 1.5, 2] {
                let size = PixelSize(rasterizer.measure(.plain(string), maxWidth: nil, scale: scale), scale: scale)
                let tight = rasterizer.bitmap(of: .plain(string), box: size, scale: scale)
                let wide = rasterizer.bitmap(
                    of: .plain(string), box: PixelSize(width: size.width + 50, height: size.height), scale: scale)
                #expect(tight.pixels(columns: 0..<size.width) == wide.pixels(columns: 0..<size.width))
            }
        }
    }

    @Test("Words wrap into as many lines as there may be, and no more")
    func wraps() {
        let words = String(repeating: "film ", count: 30)
        let one = rasterizer.measure(.plain(words), maxWidth: 100, scale: 1).height
        for lines in 2...4 {
            let height = rasterizer.measure(.plain(words, lines: lines), maxWidth: 100, scale: 1).height
            #expect(abs(height - Double(lines) * one) <= Double(lines))
        }
    }

    @Test("Line breaks make lines where more than one is wanted, and are spaces where not")
    func lineBreaks() {
        let one = rasterizer.measure(.plain("One Two Three"), maxWidth: nil, scale: 1)
        #expect(rasterizer.measure(.plain("One\nTwo\r\nThree"), maxWidth: nil, scale: 1) == one)
        let three = rasterizer.measure(.plain("One\nTwo\r\nThree", lines: 3), maxWidth: nil, scale: 1)
        #expect(abs(three.height - 3 * one.height) <= 3)
        #expect(three.width < one.width)
        let two = rasterizer.measure(.plain("One\nTwo\r\nThree", lines: 2), maxWidth: nil, scale: 1)
        #expect(abs(two.height - 2 * one.height) <= 2)
    }

    @Test("No text at all has the height of a line")
    func empty() {
        let line = rasterizer.measure(.plain("A film"), maxWidth: nil, scale: 1)
        #expect(rasterizer.measure(.plain(""), maxWidth: nil, scale: 1) == Size(width: 0, height: line.height))
    }

    @Test("Tabular digits are all equally wide")
    func tabularDigits() {
        let widths = "0123456789".map { digit in
            rasterizer.measure(
                TextContent(
                    String(repeating: digit, count: 20),
                    style: TextStyle(size: 14, color: .white, hasTabularDigits: true)), maxWidth: nil, scale: 1
            ).width
        }
        #expect(Set(widths).count == 1)
    }

    @Test("A nonsensical size, scale or width takes no room", arguments: [0, -1, .nan, .infinity])
    func nonsense(value: Double) {
        #expect(rasterizer.measure(.plain("A film", size: value), maxWidth: nil, scale: 1) == .zero)
        #expect(rasterizer.measure(.plain("A film"), maxWidth: nil, scale: value) == .zero)
        if !(value > 0) { #expect(rasterizer.measure(.plain("A film"), maxWidth: value, scale: 1).width == 0) }
    }

    @Test("Any width, weight of numbers and limit of lines is survived")
    func extremes() {
        let text = "A film"
        #expect(rasterizer.measure(.plain(text), maxWidth: .infinity, scale: 1).width > 0)
        #expect(rasterizer.measure(.plain(text), maxWidth: .greatestFiniteMagnitude, scale: 2).width > 0)
        for lines in [Int.min, -1, 0, .max] {
            #expect(rasterizer.measure(.plain(text, lines: lines), maxWidth: 200, scale: 1).width > 0)
        }
    }
}
