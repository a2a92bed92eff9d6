import GlissadeGeometry
import GlissadeLayers
import GlissadePicture
import Testing
import GlissadeText

@Suite("Icons") struct IconTests {
    private let rasterizer = TextRasterizer(language: "en")

    @Test(
        "Every icon draws something and keeps away from the edges, except the ring",
        arguments: Icon.allCases)
    func ink(icon: Icon) throws {
        for side in [16, 24, 48] {
            let box = PixelSize(width: side, height: side)
            let bitmap = rasterizer.bitmap(of: icon, color: .white, box: box, scale: 1)
            let ink = try #require(bitmap.ink)
            #expect(bitmap.size == box)
            let margin = icon == .ring ? 0 : 1
            let room = PixelRect(minX: margin, minY: margin, maxX: side - margin, maxY: side - margin)
            #expect(icon == .ring ? ink == room : room.contains(ink))
            #expect(bitmap.isPremultiplied)
        }
    }

    @Test("No two icons look alike")
    func different() {
        let box = PixelSize(width: 24, height: 24)
        let bitmaps = Icon.allCases.map { rasterizer.bitmap(of: $0, color: .white, box: box, scale: 1).pixels }
        #expect(Set(bitmaps).count == Icon.allCases.count)
    }

    @Test("The back and forward icons are mirror images, up to rounding")
    func mirrored() {
        let box = PixelSize(width: 24, height: 24)
        let back = rasterizer.bitmap(of: .back, color: .white, box: box, scale: 1)
        let forward = rasterizer.bitmap(of: .forward, color: .white, box: box, scale: 1)
        for y in 0..<24 {
            for x in 0..<24 { #expect(abs(Int(back[x, y][3]) - Int(forward[23 - x, y][3])) <= 8) }
        }
    }

    @Test(
        "The skip-back and skip-forward icons are mirror images, up to rounding",
        arguments: [(Icon.previous, Icon.next), (.rewind10, .forward10)])
    func mirrored(back: Icon, on: Icon) {
        let box = PixelSize(width: 48, height: 48)
        let backward = rasterizer.bitmap(of: back, color: .white, box: box, scale: 1)
        let forward = rasterizer.bitmap(of: on, color: .white, box: box, scale: 1)
        for y in 0..<48 {
            for x in 0..<48 { #expect(abs(Int(backward[x, y][3]) - Int(forward[47 - x, y][3])) <= 24) }
        }
    }

    @Test("A ring is two points wide at every size and scale", arguments: [1.0, 2])
    func ring(scale: Double) {
        for side in [16, 40, 100] {
            let pixels = Int(Double(side) * scale)
            let bitmap = rasterizer.bitmap(
                of: .ring, color: .white, box: PixelSize(width: pixels, height: pixels), scale: scale)
            let middle = (0..<pixels).map { Int(bitmap[$0, pixels / 2][3]) }
            #expect(abs(Double(middle.reduce(0, +)) / 255 - 4 * scale) < 0.25)
            #expect(middle[pixels / 2] == 0)
        }
    }

    @Test("An icon lies in the largest square in the middle of its box")
    func centred() throws {
        let square = rasterizer.bitmap(of: .play, color: .white, box: PixelSize(width: 24, height: 24), scale: 1)
        let wide = rasterizer.bitmap(of: .play, color: .white, box: PixelSize(width: 64, height: 24), scale: 1)
        let high = rasterizer.bitmap(of: .play, color: .white, box: PixelSize(width: 24, height: 30), scale: 1)
        #expect(wide.pixels(columns: 20..<44) == square.pixels)
        #expect(Array(high.pixels[(3 * 24 * 4)..<(27 * 24 * 4)]) == square.pixels)
    }

    @Test("An icon has the requested color and alpha, even where lines cross")
    func colour() {
        let color = Color(red: 1, green: 0.5, blue: 0, alpha: 0.5)
        let box = PixelSize(width: 24, height: 24)
        let pause = rasterizer.bitmap(of: .pause, color: color, box: box, scale: 1)
        for (value, expected) in zip(pause[8, 12], [0, 64, 127.5, 127.5]) {
            #expect(abs(Double(value) - expected) <= 1)
        }
        let close = rasterizer.bitmap(of: .close, color: color, box: box, scale: 1)
        for y in 0..<24 { for x in 0..<24 { #expect(close[x, y][3] <= 128) } }
    }

    @Test("Straight lines of an icon at its natural size are not blurred")
    func sharp() {
        let bitmap = rasterizer.bitmap(of: .back, color: .white, box: PixelSize(width: 24, height: 24), scale: 1)
        #expect((9...13).map { bitmap[16, $0][3] }.filter { $0 > 0 } == [255, 255])
    }

    @Test("An icon in an empty box gives an empty bitmap")
    func badBoxes() {
        for (width, height) in [(0, 24), (24, -1), (20000, 24), (.max, .max)] {
            let box = PixelSize(width: width, height: height)
            #expect(rasterizer.bitmap(of: .play, color: .white, box: box, scale: 1).isEmpty)
        }
        let box = PixelSize(width: 24, height: 24)
        for scale in [0, -1, .nan, .infinity] {
            #expect(rasterizer.bitmap(of: .play, color: .white, box: box, scale: scale).isEmpty)
        }
        #expect(
            rasterizer.bitmap(of: .play, color: .white, box: PixelSize(width: 1, height: 1), scale: 1).size.width == 1)
    }
}
