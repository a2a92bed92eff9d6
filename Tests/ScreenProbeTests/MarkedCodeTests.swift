import Testing

@testable import GlissadeScreenProbe

@Suite("Marked frame code") struct MarkedCodeTests {
    private static let numbers = [0, 1, 2, 255, 256, 1199, 0x555, 0xAAA, 0x7FF, 0x800, 0xFFF]
    private static let backgrounds: [(UInt8, UInt8, UInt8)] = [
        (0, 0, 0), (255, 255, 255), (128, 120, 90), (30, 30, 34),
    ]

    private func findings(_ screen: PaintedScreen) -> [MarkedCode.Finding] {
        screen.line(x: 0..<screen.width, y: 0..<1).map(MarkedCode.findings) ?? []
    }

    @Test(
        "A marked number can be read at any width from 160 pixels up, at any offset, on any background",
        arguments: numbers)
    func widths(number: Int) throws {
        for width in [160.0, 160.7, 171, 200, 213.3, 320, 479.5, 640, 960, 1279, 1280, 1777.7, 1920] {
            for left in [0.0, 0.25, 0.5, 10.75, 900.9] where left + width <= 1920 {
                let screen = PaintedScreen(height: 1) { x, _ in Self.backgrounds[(number + x / 97) % 4] }
                screen.paint(number, left: left, top: 0, width: width, height: 1)
                let finding = try #require(findings(screen).first, "\(width) at \(left)")
                #expect(finding.number == number, "\(width) at \(left)")
                #expect(abs(finding.columns.lowerBound - left) < 2.5)
                #expect(abs(finding.columns.upperBound - left - width) < 2.5)
            }
        }
    }

    @Test("A dimmed or half-transparent picture can be read", arguments: numbers)
    func shades(number: Int) {
        for width in [160.0, 333, 1920] {
            for shade in [0.1, 0.3, 0.5, 0.65] {
                let screen = PaintedScreen(height: 1)
                screen.paint(number, left: 0, top: 0, width: width, height: 1, shade: shade)
                #expect(findings(screen).map(\.number) == [number], "\(width), \(shade)")
            }
            let screen = PaintedScreen(height: 1)
            screen.paint(number, left: 0, top: 0, width: width, height: 1, opacity: 0.7)
            #expect(findings(screen).map(\.number) == [number], "\(width), translucent")
        }
    }

    @Test("Two pictures in a row are read from left to right, and an overlapping one hides only the other")
    func two() {
        let screen = PaintedScreen(height: 1)
        screen.paint(7, left: 20, top: 0, width: 640, height: 1)
        screen.paint(8, left: 1000, top: 0, width: 320, height: 1)
        #expect(findings(screen).map(\.number) == [7, 8])
        screen.paint(9, left: 500, top: 0, width: 160, height: 1)
        #expect(findings(screen).map(\.number) == [9, 8])
        screen.paint(10, left: 30, top: 0, width: 160, height: 1)
        #expect(findings(screen).compactMap(\.number) == [10, 9, 8])
    }

    @Test("Marks without a code between them are found and give no number")
    func noCode() {
        let screen = PaintedScreen(height: 1)
        screen.paint(nil, left: 100, top: 0, width: 800, height: 1)
        #expect(findings(screen).map(\.number) == [nil])
        let covered = PaintedScreen(height: 1)
        covered.paint(77, left: 100, top: 0, width: 800, height: 1)
        covered.cover(x: 450..<500, y: 0..<1, (128, 128, 128))
        #expect(findings(covered).map(\.number) == [nil])
    }

    @Test("Any single inverted band gives no number", arguments: 0..<FrameCode.bandCount)
    func turned(band: Int) {
        let screen = PaintedScreen(width: 28 * 10, height: 1)
        screen.paint(0x234, left: 0, top: 0, width: 280, height: 1)
        let columns = (band + 2) * 10..<(band + 3) * 10
        let isWhite = MarkedCode.bands(of: 0x234)[band]
        screen.cover(x: columns, y: 0..<1, isWhite ? (0, 0, 0) : (255, 255, 255))
        #expect(findings(screen).map(\.number) == [nil])
    }

    @Test("A half-and-half blend of two frames gives no number")
    func blended() {
        let screen = PaintedScreen(height: 1)
        screen.paint(100, left: 0, top: 0, width: 1280, height: 1)
        screen.paint(99, left: 0, top: 0, width: 1280, height: 1, opacity: 0.5)
        #expect(findings(screen).map(\.number) == [nil])
    }

    @Test("A mirrored, divided or too small picture is not found")
    func none() {
        let cut = PaintedScreen(height: 1)
        cut.paint(5, left: -300, top: 0, width: 1280, height: 1)
        #expect(findings(cut).isEmpty)
        let small = PaintedScreen(height: 1)
        small.paint(5, left: 0, top: 0, width: 100, height: 1)
        #expect(findings(small).isEmpty)
        let mirrored = PaintedScreen(height: 1) { x, _ in x < 92 ? (0, 255, 0) : x > 1188 ? (255, 0, 255) : (0, 0, 0) }
        #expect(findings(mirrored).isEmpty)
    }

    @Test("Random pixels decode to nothing", arguments: 0..<40)
    func garbage(seed: Int) {
        var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
        func next() -> UInt8 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return UInt8(truncatingIfNeeded: state >> 24)
        }
        // Noise, and stripes of any colour up to as wide as a band of a large picture.
        let most = [1, 3, 8, 20, 60][seed % 5]
        var (left, colour): (Int, (UInt8, UInt8, UInt8)) = (0, (0, 0, 0))
        let screen = PaintedScreen(height: 1) { _, _ in
            if left == 0 {
                left = 1 + Int(next()) % most
                colour =
                    seed < 20
                    ? (next(), next(), next())
                    : [(255, 0, 255), (0, 255, 0), (255, 255, 255), (0, 0, 0)][Int(next()) % 4]
            }
            left -= 1
            return colour
        }
        #expect(findings(screen).compactMap(\.number) == [])
    }

    @Test("Either side of a cut-off picture distinguishes the next frames", arguments: numbers)
    func cut(number: Int) throws {
        // 500 of 1280 columns beside either edge of the screen.
        for left in [1420.0, -780] {
            for shade in [0, 0.4] {
                let screen = PaintedScreen(height: 1)
                screen.paint(number, left: left, top: 0, width: 1280, height: 1, shade: shade)
                let row = try #require(screen.line(x: 0..<1920, y: 0..<1))
                let mark = try #require(MarkedCode.strayMarks(in: row).first)
                let cut = try #require(MarkedCode.cut(beside: mark, in: row))
                #expect(abs(cut.columns.lowerBound - left) < 15)
                for other in max(0, number - 1)...min(number + 6, MarkedCode.limit - 1) {
                    #expect(cut.matches(other) == (other == number), "\(other)")
                }
            }
        }
    }

    @Test("If too little of a picture is left beside its mark nothing is read")
    func cutTooFar() throws {
        for width in [60, 92, 150, 300, 330, 345] {
            let screen = PaintedScreen(height: 1)
            screen.paint(0, left: 100, top: 0, width: 1280, height: 1)
            screen.cover(x: 100 + width..<1920, y: 0..<1, (0, 0, 0))
            let row = try #require(screen.line(x: 0..<1920, y: 0..<1))
            let cuts = MarkedCode.strayMarks(in: row).compactMap { MarkedCode.cut(beside: $0, in: row) }
            #expect(!cuts.contains { $0.matches(0) }, "\(width)")
        }
    }

    @Test("A row that is empty, uniform or ends in a mark contains no picture")
    func empty() {
        #expect(MarkedCode.findings(in: PixelLine()).isEmpty)
        for colour in [(0, 0, 0), (255, 0, 255), (0, 255, 0), (255, 255, 255)] as [(UInt8, UInt8, UInt8)] {
            #expect(findings(PaintedScreen(height: 1) { _, _ in colour }).isEmpty)
        }
        #expect(findings(PaintedScreen(height: 1) { x, _ in x < 960 ? (255, 0, 255) : (0, 255, 0) }).isEmpty)
    }

    @Test("A frame has two columns for each band, half of each color")
    func raw() {
        #expect(MarkedCode.raw(1).count == 2 * 56 + 28 + 28)
        #expect(CodedFilm.marked(frames: 3).raw().count == 3 * MarkedCode.raw(0).count)
    }
}

extension CodedFilm {
    fileprivate static func marked(frames: Int) -> CodedFilm {
        var film = CodedFilm(width: 640, height: 360, rate: 30, frameCount: frames)
        film.isMarked = true
        return film
    }
}
