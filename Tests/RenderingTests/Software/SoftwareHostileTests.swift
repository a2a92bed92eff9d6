import GlissadeGeometry
import GlissadeLayers
import GlissadePicture
import GlissadeRendering
import Testing
import GlissadeTestSupport

/// Lists that make no sense: nothing traps, and nothing takes memory or time without bound.
@MainActor @Suite("Hostile display lists in software") struct SoftwareHostileTests {
    static let rects: [PixelRect] = [
        PixelRect(minX: 0, minY: 0, maxX: 8, maxY: 8), PixelRect(minX: 5, minY: 5, maxX: 5, maxY: 9),
        PixelRect(minX: 7, minY: 7, maxX: 1, maxY: 1), PixelRect(minX: 100, minY: -50, maxX: 120, maxY: -20),
        PixelRect(minX: -1_000_000_000, minY: -1_000_000_000, maxX: 1_000_000_000, maxY: 1_000_000_000),
        PixelRect(minX: .min, minY: .min, maxX: .max, maxY: .max), PixelRect(minX: .min, minY: 0, maxX: .max, maxY: 3),
        PixelRect(minX: .max, minY: .max, maxX: .min, maxY: .min), PixelRect(minX: 3, minY: .min, maxX: 4, maxY: .max),
        PixelRect(minX: -3, minY: -1_000_000, maxX: -2, maxY: 1_000_000),
    ]
    static let numbers: [Double] = [
        .nan, .infinity, -.infinity, -1, 0, 1e-300, 0.3, 1, 7.5, 1e9, 1e300, .greatestFiniteMagnitude,
    ]

    private static func canvas() throws -> SoftwareCanvas {
        let canvas = SoftwareCanvas(40, 30)
        try canvas.upload(SoftwareCompositorTests.picture)
        try canvas.renderer.images.set(ImageID(rawValue: 1), .painted(PixelSize(width: 9, height: 5), .white))
        return canvas
    }

    @Test("Items at absurd positions do not trap")
    func places() throws {
        let canvas = try Self.canvas()
        let ramp = Gradient(from: BoxTests.blue, to: BoxTests.orange, axis: .horizontal)
        for rect in Self.rects {
            for clip in Self.rects {
                for radius in [0.0, 6] {
                    let items = [
                        .fill(rect, BoxTests.blue), BoxTests.box(rect, clip: clip, radius: radius, ramp),
                        SoftwareCompositorTests.surface(rect, clip: clip, radius: radius),
                        SoftwareCompositorTests.surface(rect, clip: clip, rotation: .quarter, opacity: 0.5),
                        SoftwareCompositorTests.surface(rect, clip: clip, shade: 0.5, radius: radius, turn: 0.3),
                        ImageTests.image(1, rect, clip: clip, shade: 0.5, radius: radius),
                        ShadowTests.shadow(blur: 9, radius: radius, caster: rect, clip: clip),
                    ]
                    _ = try canvas.draw(items)
                }
            }
        }
    }

    @Test("Non-finite and negative numbers do not trap")
    func numbers() throws {
        let canvas = try Self.canvas()
        let rect = PixelRect(minX: 3, minY: 2, maxX: 30, maxY: 21)
        for number in Self.numbers {
            canvas.surface.brightnessOffset = number
            let broken = Color(red: number, green: -number, blue: number, alpha: 1 - number)
            _ = try canvas.draw([
                .fill(rect, broken), BoxTests.box(rect, radius: number, Gradient(from: broken, to: .white)),
                SoftwareCompositorTests.surface(rect, opacity: number),
                SoftwareCompositorTests.surface(rect, shade: number, radius: number),
                SoftwareCompositorTests.surface(rect, turn: number),
                ImageTests.image(1, rect, opacity: number), ImageTests.image(1, rect, shade: number, radius: number),
                ShadowTests.shadow(blur: number), ShadowTests.shadow(blur: 8, radius: number),
                ShadowTests.shadow(blur: number, radius: number, color: broken),
            ])
        }
    }

    @Test("Invisible items draw nothing")
    func nothing() throws {
        let canvas = try Self.canvas()
        let rect = PixelRect(minX: 3, minY: 2, maxX: 30, maxY: 21)
        let pixels = try canvas.draw([
            .fill(rect, .shadow(.nan)), .fill(rect, .shadow(0)), BoxTests.box(rect, Gradient(.shadow(-1))),
            SoftwareCompositorTests.surface(rect, opacity: .nan), SoftwareCompositorTests.surface(rect, opacity: -1),
            ImageTests.image(1, rect, opacity: 0), ImageTests.image(9, rect),
            ShadowTests.shadow(blur: 0), ShadowTests.shadow(blur: -4), ShadowTests.shadow(blur: .nan),
            ShadowTests.shadow(blur: 8, color: .shadow(.nan)), ShadowTests.shadow(blur: 1e300),
        ])
        #expect(pixels.largestError { _, _ in SIMD3(repeating: 51) } == 0)
        #expect(canvas.renderer.images.takeMissing() == [ImageID(rawValue: 9)])
    }

    @Test("A thousand different huge shadows are drawn without caching their masks")
    func shadows() throws {
        let canvas = SoftwareCanvas(12, 9)
        let vast = PixelRect(minX: -70_000, minY: -70_000, maxX: 6, maxY: 5)
        for index in 0..<1000 {
            _ = try canvas.draw([
                ShadowTests.shadow(blur: 200 + Double(index) * 1e6, radius: Double(index * 50), caster: vast)
            ])
        }
    }

    @Test("Impossible buffers and frames are refused, and the former frame stays")
    func refusals() throws {
        let canvas = try Self.canvas()
        #expect(throws: RenderingError.emptyPicture) { try canvas.output.takeBuffer(PixelSize(width: 0, height: 1)) }
        let wide = PixelSize(width: 16385, height: 1)
        #expect(throws: RenderingError.tooLarge(wide, limit: 16384)) { try canvas.output.takeBuffer(wide) }
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 64)
        defer { memory.deallocate() }
        for (offset, stride) in [(0, 4), (0, 9), (2, 8)] {
            let buffer = FrameBuffer(
                memory: memory + offset, stride: stride, size: PixelSize(width: 2, height: 2), id: 1)
            #expect(throws: RenderingError.self) {
                try canvas.renderer.draw(canvas.list([]), into: buffer) { _ in nil }
            }
        }
        let generation = canvas.surface.generation
        let planar = PixelFormat(size: PixelSize(width: 4, height: 4), layout: .planar(.quarter))
        #expect(throws: RenderingError.unsupportedFormat(planar)) { try canvas.upload(.noise(planar)) }
        let narrow = PixelFormat(size: PixelSize(width: 0, height: 4), layout: .rgb(.bgra))
        #expect(throws: RenderingError.emptyPicture) { try canvas.upload(TestPicture(narrow) { _, _, _ in 0 }) }
        #expect(canvas.surface.hasPicture && canvas.surface.generation == generation)
        #expect(throws: RenderingError.emptyPicture) {
            try canvas.renderer.images.set(ImageID(rawValue: 1), Bitmap(size: wide, pixels: [1, 2, 3]))
        }
        #expect(throws: RenderingError.tooLarge(wide, limit: 16384)) {
            try canvas.renderer.images.set(
                ImageID(rawValue: 1), Bitmap(size: wide, pixels: [UInt8](repeating: 0, count: 16385 * 4)))
        }
        #expect(canvas.renderer.images.has(ImageID(rawValue: 1)))
    }
}
