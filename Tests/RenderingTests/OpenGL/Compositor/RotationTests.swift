import GlissadeGeometry
import GlissadeLayers
import GlissadePicture
import GlissadeRendering
import Testing
import GlissadeTestSupport

/// Pictures that are turned about their middle, by any angle.
@MainActor @Suite("Rotation") struct RotationTests {
    private static let size = PixelSize(width: 24, height: 16)
    private let place = PixelRect(minX: 8, minY: 12, maxX: 32, maxY: 28)

    /// What `turn` covers, with a pixel to spare.
    private func draw(_ canvas: Canvas, turn: Double) throws -> Pixels {
        try canvas.draw([
            .surface(
                .init(
                    surface: .test, destination: place, clip: PixelRect(size: canvas.surface.pixelSize),
                    quarterTurns: turn))
        ])
    }

    @Test("At a whole quarter turn each pixel is where the rotation puts it", arguments: [1.0, 2, 3, -1, 4])
    func quarters(turn: Double) throws {
        let canvas = try Canvas(40, 40)
        for (picture, order) in PlacementTests.sources(canvas.device) {
            let reference = ReferenceColors(picture: picture)
            try canvas.upload(picture, order: order)
            let pixels = try draw(canvas, turn: turn)
            let (w, h) = (Self.size.width, Self.size.height)
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
                let (px, py) = ((ux + w - 1) / 2, (uy + h - 1) / 2)
                return abs(ux) < w && abs(uy) < h ? reference.color(px, py) : SIMD3(repeating: 51)
            }
            #expect(error <= 2)
        }
    }

    @Test("Halfway through a quarter turn the center stays, and the corners show the background")
    func half() throws {
        let canvas = try Canvas(40, 40)
        let white = TestPicture(PixelFormat(size: Self.size, layout: .rgb(.rgba))) { _, _, _ in 255 }
        try canvas.upload(white)
        let pixels = try draw(canvas, turn: 0.5)
        #expect(pixels[20, 20] == SIMD3(repeating: 255))
        #expect(pixels[8, 12] == SIMD3(repeating: 51), "where its upper left corner was")
        // Its reach along the diagonals is half its sides: 12 and 8.
        #expect(pixels[20 + 7, 20 + 7] == SIMD3(repeating: 255))
        #expect(pixels[20 + 10, 20 + 10] == SIMD3(repeating: 51))
        #expect(pixels[20 + 4, 20 - 4] == SIMD3(repeating: 255))
        #expect(pixels[20 + 7, 20 - 7] == SIMD3(repeating: 51))
    }

    @Test("Rotation, opacity and shade can be combined")
    func looks() throws {
        let canvas = try Canvas(40, 40)
        let white = TestPicture(PixelFormat(size: Self.size, layout: .rgb(.rgba))) { _, _, _ in 255 }
        try canvas.upload(white)
        let pixels = try canvas.draw([
            .surface(
                .init(
                    surface: .test, destination: place, clip: PixelRect(size: canvas.surface.pixelSize), opacity: 0.5,
                    shade: 0.4, quarterTurns: 0.3))
        ])
        // Half of 0.6, and half of the 0.2 beneath.
        #expect(abs(pixels[20, 20].x - 255 * (0.3 + 0.1)) <= 2)
    }
}
