import GlissadeGeometry
import GlissadeLayers
import GlissadePicture
import GlissadeRendering
import Testing
import GlissadeTestSupport

/// What the software renderer draws, by itself.
@MainActor @Suite("Software compositor") struct SoftwareCompositorTests {
    static let size = PixelSize(width: 24, height: 16)
    static let picture = TestPicture.noise(PixelFormat(size: size, layout: .rgb(.rgba)), padding: 12)

    static func surface(
        _ destination: PixelRect, clip: PixelRect? = nil, rotation: QuarterTurns = .none, isMirrored: Bool = false,
        opacity: Double = 1, shade: Double = 0, radius: Double = 0, turn: Double = 0
    ) -> DisplayList.Item {
        .surface(
            SurfacePlacement(
                surface: .test, destination: destination, clip: clip ?? destination, rotation: rotation,
                isMirrored: isMirrored, opacity: opacity, shade: shade, cornerRadius: radius, quarterTurns: turn))
    }

    @Test("A frame drawn 1:1 is unchanged, in either byte order and at any position")
    func exactness() throws {
        let reference = ReferenceColors(picture: Self.picture)
        var swapped = Self.picture
        swapped.format.layout = .rgb(.bgra)
        for red in stride(from: 0, to: swapped.planes[0].count, by: 4) { swapped.planes[0].swapAt(red, red + 2) }
        let canvas = SoftwareCanvas(40, 30)
        for picture in [Self.picture, swapped] {
            try canvas.upload(picture)
            for (x, y) in [(0, 0), (7, 5), (-6, -3), (30, 20)] {
                let place = PixelRect(minX: x, minY: y, maxX: x + 24, maxY: y + 16)
                let clip = PixelRect(minX: 1, minY: 0, maxX: 39, maxY: 28)
                let pixels = try canvas.draw([Self.surface(place, clip: clip)])
                let error = pixels.largestError { column, row in
                    (0..<24).contains(column - x) && (0..<16).contains(row - y) && (1..<39).contains(column) && row < 28
                        ? reference.color(column - x, row - y) : SIMD3(repeating: 51)
                }
                #expect(error == 0)
            }
        }
    }

    @Test(
        "A frame mirrored and rotated by quarter turns has its own pixels", arguments: QuarterTurns.allCases,
        [false, true])
    func rotation(turn: QuarterTurns, isMirrored: Bool) throws {
        let (w, h) = (24, 16)
        let canvas = turn.swapsAxes ? SoftwareCanvas(h, w) : SoftwareCanvas(w, h)
        try canvas.upload(Self.picture)
        let reference = ReferenceColors(picture: Self.picture)
        let pixels = try canvas.draw([
            Self.surface(PixelRect(size: canvas.size), rotation: turn, isMirrored: isMirrored)
        ])
        func stored(_ x: Int, _ y: Int) -> SIMD3<Double> { reference.color(isMirrored ? w - 1 - x : x, y) }
        let error = pixels.largestError { x, y in
            switch turn {
            case .none: stored(x, y)
            case .quarter: stored(y, h - 1 - x)
            case .half: stored(w - 1 - x, h - 1 - y)
            case .threeQuarters: stored(w - 1 - y, x)
            }
        }
        #expect(error == 0)
    }

    @Test(
        "A frame animated to a whole quarter turn has its pixels rotated exactly",
        arguments: [1.0, 2, 3, -1, 4])
    func wholeTurns(turn: Double) throws {
        let canvas = SoftwareCanvas(40, 40)
        try canvas.upload(Self.picture)
        let reference = ReferenceColors(picture: Self.picture)
        let place = PixelRect(minX: 8, minY: 12, maxX: 32, maxY: 28)
        let pixels = try canvas.draw([Self.surface(place, clip: PixelRect(size: canvas.size), turn: turn)])
        let error = pixels.largestError { x, y in
            // From the middle, which is at (20, 20), in half pixels.
            let (dx, dy) = (2 * x + 1 - 40, 2 * y + 1 - 40)
            let (ux, uy) =
                switch Int(turn + 4) % 4 {
                case 0: (dx, dy)
                case 1: (dy, -dx)
                case 2: (-dx, -dy)
                default: (-dy, dx)
                }
            return abs(ux) < 24 && abs(uy) < 16
                ? reference.color((ux + 23) / 2, (uy + 15) / 2) : SIMD3(repeating: 51)
        }
        #expect(error == 0)
    }

    @Test("Brightness is added exactly and clipped at black and white", arguments: [-1, -0.3, 0.1, 0.5, 2])
    func brightnessOffset(_ brightnessOffset: Double) throws {
        let canvas = SoftwareCanvas(24, 16)
        try canvas.upload(Self.picture)
        canvas.surface.brightnessOffset = brightnessOffset
        let reference = ReferenceColors(picture: Self.picture)
        let all = PixelRect(size: Self.size)
        let plain = try canvas.draw([Self.surface(all)])
        #expect(plain.largestError { reference.color($0, $1, brightnessOffset: brightnessOffset) } <= 0.5)
        let shaded = try canvas.draw([Self.surface(all, shade: 0.5)])
        #expect(shaded.largestError { reference.color($0, $1, brightnessOffset: brightnessOffset) * 0.5 } <= 1)
    }

    @Test("An opaque image drawn 1:1 is unchanged")
    func image() throws {
        let canvas = SoftwareCanvas(24, 16)
        var pixels: [UInt8] = []
        for index in 0..<24 * 16 { pixels += [UInt8(index % 256), UInt8(index * 7 % 256), UInt8(index / 4), 255] }
        try canvas.renderer.images.set(ImageID(rawValue: 1), Bitmap(size: Self.size, pixels: pixels))
        let drawn = try canvas.draw([ImageTests.image(1, PixelRect(size: Self.size))])
        let error = drawn.largestError { x, y in
            let at = (y * 24 + x) * 4
            return SIMD3(Double(pixels[at + 2]), Double(pixels[at + 1]), Double(pixels[at]))
        }
        #expect(error == 0)
    }

    @Test("A strongly reduced image is the average of its pixels, whatever size was drawn before")
    func shrinking() throws {
        let canvas = SoftwareCanvas(32, 32)
        let size = PixelSize(width: 256, height: 256)
        var pixels: [UInt8] = []
        for y in 0..<256 { for x in 0..<256 { pixels += (x + y) % 8 == 0 ? [255, 255, 255, 255] : [0, 0, 0, 255] } }
        try canvas.renderer.images.set(ImageID(rawValue: 1), Bitmap(size: size, pixels: pixels))
        for side in [16, 9, 16, 31] {
            let all = PixelRect(minX: 0, minY: 0, maxX: side, maxY: side)
            let drawn = try canvas.draw([ImageTests.image(1, all)], over: .black)
            let error = drawn.largestError { x, y in SIMD3(repeating: x < side && y < side ? 255 / 8.0 : 0) }
            #expect(error <= 4, "\(side)")
        }
    }

    @Test("A surface without a frame, and one captured into itself, are black, at its opacity")
    func missing() throws {
        let canvas = SoftwareCanvas(8, 8)
        let all = PixelRect(minX: 0, minY: 0, maxX: 8, maxY: 8)
        #expect(try canvas.draw([Self.surface(all)]).largestError { _, _ in .zero } == 0)
        let dim = try canvas.draw([Self.surface(all, opacity: 0.5)])
        #expect(dim.largestError { _, _ in SIMD3(repeating: 25.5) } <= 1)
        let list = canvas.list([Self.surface(all)])
        #expect(try canvas.draw(list) { _ in nil }.largestError { _, _ in .zero } == 0)
        #expect(try canvas.draw([Self.surface(all, turn: 0.5)]).largestError { _, _ in SIMD3(repeating: 51) } == 0)
        try canvas.renderer.capture(list, into: canvas.surface) { _ in canvas.surface }
        #expect(canvas.surface.hasPicture)
        #expect(try canvas.draw([Self.surface(all)]).largestError { _, _ in .zero } == 0)
    }

    @Test("A capture drawn 1:1 equals drawing its display list")
    func capture() throws {
        let canvas = SoftwareCanvas(40, 30)
        try canvas.upload(Self.picture)
        let place = PixelRect(minX: 3, minY: 4, maxX: 33, maxY: 26)
        let items = [
            Self.surface(place, opacity: 0.7, radius: 6),
            BoxTests.box(place, radius: 4, Gradient(from: BoxTests.blue, to: BoxTests.orange)),
        ]
        let drawn = try canvas.draw(items)
        let captured = SoftwareSurface()
        try canvas.renderer.capture(canvas.list(items), into: captured) { _ in canvas.surface }
        let list = canvas.list([Self.surface(PixelRect(size: canvas.size))], over: nil)
        #expect(try canvas.draw(list) { _ in captured }.bytes == drawn.bytes)
        #expect(captured.readPixels() == drawn.bytes)
        #expect(throws: RenderingError.emptyPicture) {
            try canvas.renderer.capture(
                DisplayList(viewport: PixelSize(width: 0, height: 4)), into: captured
            ) { _ in nil }
        }
    }

    @Test("Items outside of the damage are not drawn, and damage outside of the target draws nothing")
    func parts() throws {
        let canvas = SoftwareCanvas(20, 20)
        _ = try canvas.draw([])
        _ = try canvas.draw([])
        let white = canvas.list([.fill(PixelRect(size: canvas.size), .white)])
        let part = PixelRect(minX: -5, minY: 3, maxX: 7, maxY: 9)
        let pixels = try canvas.draw(white, part: part) { _ in nil }
        let inside = { (x: Int, y: Int) in x < 7 && (3..<9).contains(y) }
        #expect(pixels.largestError { x, y in SIMD3(repeating: inside(x, y) ? 255 : 51) } == 0)
        // The other buffer, the one that has the part, and the other again.
        for (turn, away) in [
            PixelRect(minX: 30, minY: 0, maxX: 40, maxY: 5), PixelRect(minX: 5, minY: 5, maxX: 2, maxY: 9),
            PixelRect(minX: 0, minY: 0, maxX: 0, maxY: 0),
        ].enumerated() {
            let drawn = try canvas.draw(white, part: away) { _ in nil }
            let error = drawn.largestError { x, y in turn == 1 ? pixels[x, y] : SIMD3(repeating: 51) }
            #expect(error == 0)
        }
    }

    @Test("Lists for tiny targets and absurd shapes are drawn", arguments: [(1, 1), (16000, 200)])
    func shapes(width: Int, height: Int) throws {
        let canvas = SoftwareCanvas(width, height)
        try canvas.upload(Self.picture)
        let all = PixelRect(size: canvas.size)
        let pixels = try canvas.draw([
            BoxTests.box(all, radius: 30, Gradient(from: BoxTests.blue, to: BoxTests.orange, axis: .horizontal)),
            Self.surface(all, opacity: 0.5, radius: 9), Self.surface(all, turn: 0.1), Self.surface(all),
            ShadowTests.shadow(blur: 40, radius: 30, caster: all, clip: all),
        ])
        #expect(pixels.bytes.count == width * height * 4)
        #expect(try canvas.draw([], over: .white).largestError { _, _ in SIMD3(repeating: 255) } == 0)
        let empty = DisplayList(viewport: canvas.size)
        #expect(try canvas.draw(empty) { _ in nil }.bytes == pixels.bytes, "an empty list leaves what was there")
    }

    @Test("A renderer that shares images draws those given to the other")
    func sharing() throws {
        let canvas = SoftwareCanvas(8, 8)
        try canvas.renderer.images.set(ImageID(rawValue: 1), .painted(PixelSize(width: 3, height: 3), .white))
        let other = SoftwareCompositor(sharing: canvas.renderer)
        let output = SoftwareMemoryOutput()
        let buffer = try #require(try output.takeBuffer(canvas.size))
        let all = PixelRect(size: canvas.size)
        try other.draw(canvas.list([ImageTests.image(1, all)]), into: buffer) { _ in nil }
        output.show(buffer, changed: nil)
        #expect(output.readPixels() == [UInt8](repeating: 255, count: 8 * 8 * 4))
        #expect(!other.lacksImages)
    }
}
