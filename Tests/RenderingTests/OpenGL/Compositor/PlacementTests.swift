import GlissadeCGLES
import GlissadeGeometry
import GlissadeLayers
import GlissadePicture
import GlissadeRendering
import Testing
import GlissadeTestSupport

/// Where things are drawn, and how they cover each other.
@MainActor @Suite("Surface placement") struct PlacementTests {
    static let picture = TestPicture.noise(
        PixelFormat(size: PixelSize(width: 24, height: 16), layout: .planar(.full), range: .full))
    static let image = TestPicture.noise(PixelFormat(size: PixelSize(width: 24, height: 16), layout: .rgb(.rgba)))

    /// Each way a picture takes to the screen.
    static func sources(_ device: GLDevice) -> [(TestPicture, PixelOrder)] {
        [(picture, .rgba), (image, .rgba)] + (device.hasBGRA ? [(image, .bgra)] : [])
    }

    @Test(
        "A frame's corners are where mirroring and rotation put them", arguments: QuarterTurns.allCases, [false, true])
    func rotation(turn: QuarterTurns, isMirrored: Bool) throws {
        let (w, h) = (24, 16)
        let canvas = turn.swapsAxes ? try Canvas(h, w) : try Canvas(w, h)
        let all = PixelRect(size: canvas.surface.pixelSize)
        for (picture, order) in Self.sources(canvas.device) {
            let reference = ReferenceColors(picture: picture)
            try canvas.upload(picture, order: order)
            let pixels = try canvas.draw([
                .surface(.init(surface: .test, destination: all, clip: all, rotation: turn, isMirrored: isMirrored))
            ])
            func stored(_ x: Int, _ y: Int) -> SIMD3<Double> {
                reference.color(isMirrored ? w - 1 - x : x, y)
            }
            let error = pixels.largestError { x, y in
                switch turn {
                case .none: stored(x, y)
                case .quarter: stored(y, h - 1 - x)
                case .half: stored(w - 1 - x, h - 1 - y)
                case .threeQuarters: stored(w - 1 - y, x)
                }
            }
            #expect(error <= 1)
        }
    }

    @Test("A clipped frame shows the same pixels and none outside its clip")
    func clip() throws {
        let canvas = try Canvas(40, 30)
        for (picture, order) in Self.sources(canvas.device) {
            try canvas.upload(picture, order: order)
            let destination = PixelRect(minX: 7, minY: 5, maxX: 31, maxY: 21)
            let clip = PixelRect(minX: 10, minY: 9, maxX: 30, maxY: 20)
            let pixels = try canvas.draw([.surface(.init(surface: .test, destination: destination, clip: clip))])
            let reference = ReferenceColors(picture: picture)
            let error = pixels.largestError { x, y in
                clip.contains(PixelRect(minX: x, minY: y, maxX: x + 1, maxY: y + 1))
                    ? reference.color(x - 7, y - 5) : SIMD3(repeating: 51)
            }
            #expect(error <= 1)
        }
    }

    @Test("A frame that exceeds the screen is cut on every side")
    func offScreen() throws {
        let canvas = try Canvas(20, 12)
        for (picture, order) in Self.sources(canvas.device) {
            try canvas.upload(picture, order: order)
            for (x, y) in [(-6, -3), (5, 4), (-2, -4), (0, 2)] {
                let destination = PixelRect(minX: x, minY: y, maxX: x + 24, maxY: y + 16)
                let pixels = try canvas.draw([
                    .surface(.init(surface: .test, destination: destination, clip: destination))
                ])
                let reference = ReferenceColors(picture: picture)
                let error = pixels.largestError { column, row in
                    (0..<24).contains(column - x) && (0..<16).contains(row - y)
                        ? reference.color(column - x, row - y) : SIMD3(repeating: 51)
                }
                #expect(error <= 1)
            }
        }
    }

    @Test("A half-opaque frame is blended with what is below")
    func opacity() throws {
        let canvas = try Canvas(24, 16)
        for (picture, order) in Self.sources(canvas.device) {
            try canvas.upload(picture, order: order)
            let all = PixelRect(size: picture.format.size)
            let pixels = try canvas.draw([.surface(.init(surface: .test, destination: all, clip: all, opacity: 0.25))])
            let reference = ReferenceColors(picture: picture)
            let error = pixels.largestError { x, y in reference.color(x, y) * 0.25 + SIMD3(repeating: 51) * 0.75 }
            #expect(error <= 1.5)
        }
    }

    @Test("Later items lie above earlier ones, whichever way they are drawn")
    func order() throws {
        let canvas = try Canvas(24, 16)
        for (picture, order) in Self.sources(canvas.device) {
            try canvas.upload(picture, order: order)
            let all = PixelRect(size: picture.format.size)
            let bar = PixelRect(minX: 0, minY: 10, maxX: 24, maxY: 16)
            let pixels = try canvas.draw([
                .fill(all, .white), .surface(.init(surface: .test, destination: all, clip: all)),
                .fill(bar, Color(red: 0, green: 0, blue: 0, alpha: 0.5)),
            ])
            let reference = ReferenceColors(picture: picture)
            #expect(pixels.largestError { x, y in reference.color(x, y) * (y < 10 ? 1 : 0.5) } <= 1.5)
        }
    }

    @Test("Fills cover whole pixels of their rectangles only, blended if translucent")
    func fills() throws {
        let canvas = try Canvas(20, 10)
        let opaque = PixelRect(minX: 2, minY: 1, maxX: 9, maxY: 4)
        let translucent = PixelRect(minX: 5, minY: 3, maxX: 18, maxY: 9)
        let pixels = try canvas.draw([
            .fill(opaque, Color(red: 1, green: 0.4, blue: 0)),
            .fill(translucent, Color(red: 0, green: 0, blue: 1, alpha: 0.5)),
        ])
        let error = pixels.largestError { x, y in
            let pixel = PixelRect(minX: x, minY: y, maxX: x + 1, maxY: y + 1)
            let below = opaque.contains(pixel) ? SIMD3(255.0, 102, 0) : SIMD3(repeating: 51)
            return translucent.contains(pixel) ? below * 0.5 + SIMD3(0, 0, 127.5) : below
        }
        #expect(error <= 1)
    }

    @Test("A surface without a frame is black, at its opacity")
    func missing() throws {
        let canvas = try Canvas(8, 8)
        let all = PixelRect(size: PixelSize(width: 8, height: 8))
        for opacity in [1, 0.5] {
            let item = DisplayList.Item.surface(.init(surface: .test, destination: all, clip: all, opacity: opacity))
            let pixels = try canvas.draw([item], over: .white)
            #expect(pixels.largestError { _, _ in SIMD3(repeating: 255 * (1 - opacity)) } <= 1)
        }
    }

    @Test("Pixels are read top row first, complete and opaque")
    func readBack() throws {
        let canvas = try Canvas(3, 2)
        let top = PixelRect(minX: 0, minY: 0, maxX: 3, maxY: 1)
        let pixels = try canvas.draw([.fill(top, .white)], over: .black)
        #expect(pixels.bytes == [UInt8](repeating: 255, count: 12) + [0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255])
    }
}
