import GlissadeCGLES
import GlissadeGeometry
import GlissadeLayers
import GlissadePicture
import GlissadeRendering
import Testing
import GlissadeTestSupport

/// Boxes: gradients and round corners.
@MainActor @Suite("Boxes") struct BoxTests {
    static let blue = Color(red: 0.1, green: 0.3, blue: 0.9, alpha: 0.8)
    static let orange = Color(red: 1, green: 0.6, blue: 0, alpha: 0.2)

    static func box(
        _ rect: PixelRect, clip: PixelRect? = nil, radius: Double = 0, _ gradient: Gradient
    ) -> DisplayList.Item {
        .box(.init(destination: rect, clip: clip ?? rect, cornerRadius: radius, gradient: gradient))
    }

    @Test(
        "A gradient interpolates premultiplied colors across the box",
        arguments: [Gradient.Axis.horizontal, .vertical])
    func gradient(axis: Gradient.Axis) throws {
        let canvas = try Canvas(30, 20)
        let rect = PixelRect(minX: -3, minY: 2, maxX: 27, maxY: 18)
        let clip = PixelRect(minX: 0, minY: 4, maxX: 25, maxY: 17)
        let pixels = try canvas.draw([
            Self.box(rect, clip: clip, Gradient(from: Self.blue, to: Self.orange, axis: axis))
        ])
        let error = pixels.largestError { x, y in
            guard (0..<25).contains(x), (4..<17).contains(y) else { return SIMD3(repeating: 51) }
            let t = axis == .horizontal ? (Double(x + 3) + 0.5) / 30 : (Double(y - 2) + 0.5) / 16
            let color = SIMD3(0.1, 0.3, 0.9) * 0.8 * (1 - t) + SIMD3(1, 0.6, 0) * 0.2 * t
            return color * 255 + SIMD3(repeating: 51) * (1 - (0.8 * (1 - t) + 0.2 * t))
        }
        #expect(error <= 1)
    }

    @Test("An opaque gradient hides what is below, and equal colors make a solid fill")
    func opaque() throws {
        let canvas = try Canvas(8, 8)
        let all = PixelRect(minX: 0, minY: 0, maxX: 8, maxY: 8)
        var pixels = try canvas.draw([Self.box(all, Gradient(from: .white, to: .black))])
        #expect(pixels.largestError { _, y in SIMD3(repeating: 255 * (1 - (Double(y) + 0.5) / 8)) } <= 1)
        pixels = try canvas.draw([Self.box(all, Gradient(Color(red: 0.4, green: 0.4, blue: 0.4)))])
        #expect(pixels.largestError { _, _ in SIMD3(repeating: 102) } == 0)
    }

    /// How much of a pixel a rectangle with round corners covers, by looking at 256 places in it.
    static func coverage(_ rect: PixelRect, _ radius: Double, _ x: Int, _ y: Int) -> Double {
        var inside = 0
        for step in 0..<256 {
            let px = Double(x) + (Double(step % 16) + 0.5) / 16
            let py = Double(y) + (Double(step / 16) + 0.5) / 16
            let cx = min(max(px, Double(rect.minX) + radius), Double(rect.maxX) - radius)
            let cy = min(max(py, Double(rect.minY) + radius), Double(rect.maxY) - radius)
            let isIn =
                px >= Double(rect.minX) && px <= Double(rect.maxX) && py >= Double(rect.minY) && py <= Double(rect.maxY)
            if isIn, (px - cx) * (px - cx) + (py - cy) * (py - cy) <= radius * radius { inside += 1 }
        }
        return Double(inside) / 256
    }

    @Test(
        "Rounded corners cover pixels by the area of the circle, and straight edges stay sharp",
        arguments: [4, 7.5, 10])
    func corners(radius: Double) throws {
        let canvas = try Canvas(40, 28)
        let rect = PixelRect(minX: 4, minY: 3, maxX: 37, maxY: 25)
        let pixels = try canvas.draw([Self.box(rect, radius: radius, Gradient(.white))])
        // A distance says a little less than an area: up to a tenth of a pixel where the circle runs at 45 degrees.
        #expect(pixels.largestError { x, y in SIMD3(repeating: 51 + 204 * Self.coverage(rect, radius, x, y)) } <= 26)
        for y in 0..<28 {
            for x in 0..<40 where !(Self.coverage(rect, radius, x, y) > 0 && Self.coverage(rect, radius, x, y) < 1) {
                let expected = Self.coverage(rect, radius, x, y) == 1 ? 255.0 : 51
                #expect(abs(pixels[x, y].x - expected) <= 14, "\(x) \(y)")
            }
            #expect(pixels[20, y].x == ((3..<25).contains(y) ? 255 : 51))
        }
        // The same in every corner.
        for y in 3..<25 { for x in 4..<37 { #expect(pixels[x, y] == pixels[40 - x, 27 - y]) } }
    }

    @Test("Surfaces of every pixel format have the same rounded corners")
    func pictures() throws {
        let canvas = try Canvas(24, 16)
        let all = PixelRect(minX: 0, minY: 0, maxX: 24, maxY: 16)
        let mask = try canvas.draw([Self.box(all, radius: 6, Gradient(.white))], over: .black)
        for (picture, order) in PlacementTests.sources(canvas.device) {
            try canvas.upload(picture, order: order)
            let pixels = try canvas.draw([
                .surface(
                    .init(surface: .test, destination: all, clip: all, opacity: 0.5, shade: 0.2, cornerRadius: 6))
            ])
            let reference = ReferenceColors(picture: picture)
            let error = pixels.largestError { x, y in
                let part = mask[x, y].x / 255 * 0.5
                return reference.color(x, y) * 0.8 * part + SIMD3(repeating: 51) * (1 - part)
            }
            #expect(error <= 1.6)
        }
    }

    @Test("A clip cuts a box without moving its corners")
    func clipped() throws {
        let canvas = try Canvas(30, 30)
        let rect = PixelRect(minX: 2, minY: 2, maxX: 28, maxY: 28)
        let clip = PixelRect(minX: 0, minY: 0, maxX: 9, maxY: 30)
        let whole = try canvas.draw([Self.box(rect, radius: 9, Gradient(.white))])
        let part = try canvas.draw([Self.box(rect, clip: clip, radius: 9, Gradient(.white))])
        #expect(part.largestError { x, y in x < 9 ? whole[x, y] : SIMD3(repeating: 51) } == 0)
    }

    @Test("A radius beyond half the box gives the roundest possible box")
    func huge() throws {
        let canvas = try Canvas(20, 12)
        let rect = PixelRect(minX: 0, minY: 0, maxX: 20, maxY: 12)
        let round = try canvas.draw([Self.box(rect, radius: 6, Gradient(.white))])
        for radius in [6.5, 1e9, .infinity] {
            #expect(try canvas.draw([Self.box(rect, radius: radius, Gradient(.white))]).bytes == round.bytes)
        }
    }

    @Test("Invalid boxes draw nothing, or their valid part")
    func hostile() throws {
        let canvas = try Canvas(8, 8)
        let all = PixelRect(minX: 0, minY: 0, maxX: 8, maxY: 8)
        let nothing = PixelRect(minX: 5, minY: 5, maxX: 5, maxY: 9)
        let away = PixelRect(minX: 100, minY: -50, maxX: 120, maxY: -20)
        let vast = PixelRect(minX: -1_000_000_000, minY: -1_000_000_000, maxX: 1_000_000_000, maxY: 1_000_000_000)
        let ramp = Gradient(from: .white, to: .black)
        let none = try canvas.draw([
            Self.box(nothing, radius: 3, ramp), Self.box(all, clip: nothing, ramp), Self.box(all, clip: away, ramp),
            Self.box(away, radius: 2, ramp), Self.box(all, Gradient(.shadow(.nan))),
            Self.box(all, Gradient(.shadow(-1))),
            Self.box(PixelRect(minX: 7, minY: 7, maxX: 1, maxY: 1), radius: 4, ramp),
        ])
        #expect(none.largestError { _, _ in SIMD3(repeating: 51) } == 0)
        let broken = Color(red: .nan, green: -7, blue: .infinity, alpha: 5)
        let blue = SIMD3<Double>(0, 0, 255)
        #expect(
            try canvas.draw([Self.box(all, radius: .nan, Gradient(broken))]).largestError { _, _ in blue } == 0)
        let white = try canvas.draw([Self.box(vast, radius: 30, Gradient(.white))])
        #expect(white.largestError { _, _ in SIMD3(repeating: 255) } == 0)
        // Surfaces go through the same numbers.
        let surfaces = try canvas.draw([
            .surface(.init(surface: .test, destination: all, clip: away, shade: .nan)),
            .surface(.init(surface: .test, destination: nothing, clip: nothing, cornerRadius: 9)),
            .surface(.init(surface: .test, destination: all, clip: all, opacity: .nan, shade: -3)),
        ])
        #expect(surfaces.largestError { _, _ in SIMD3(repeating: 51) } == 0)
    }
}
