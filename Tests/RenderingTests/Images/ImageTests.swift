import GlissadeCGLES
import Foundation
import GlissadeGeometry
import GlissadeLayers
import GlissadePicture
import GlissadePlatform
import GlissadeRendering
import Testing

/// Still images, text and icons: how they look, and what is kept of them.
@MainActor @Suite("Images and text") struct ImageTests {
    static let orange = Color(red: 1, green: 0.6, blue: 0, alpha: 0.4)

    /// A canvas whose text is paint, made by setters that tell of it.
    @MainActor struct Sheet {
        let canvas: Canvas
        let asked = Monitor(PaintingRasterizer.Asked())
        let woken = Monitor(0)
        var images: ImageCache { canvas.compositor.images }

        init(byteLimit: Int = 48 << 20, uploadLimit: Int = 4 << 20, isSlowAtFirst: Bool = false) throws {
            let (asked, woken, own) = (asked, woken, pthread_self())
            canvas = try Canvas(32, 24) { device in
                ImageCache(
                    device: device, byteLimit: byteLimit, uploadLimit: uploadLimit, isSlowAtFirst: isSlowAtFirst,
                    makeRasterizer: { PaintingRasterizer(asked, isMain: pthread_equal(own, pthread_self()) != 0) },
                    wake: { woken.update { $0 += 1 } })
            }
        }

        /// Waits until so many wake-ups have come.
        func wait(for count: Int) { _ = woken.wait { $0 >= count ? true : nil } as Bool? }
    }

    static func text(
        _ string: String, at rect: PixelRect = PixelRect(minX: 4, minY: 3, maxX: 20, maxY: 11), color: Color = orange,
        opacity: Double = 1, shade: Double = 0
    ) -> DisplayList.Item {
        .image(
            .init(
                source: .text(TextContent(string, style: TextStyle(size: 12, color: color))), destination: rect,
                clip: rect, opacity: opacity, shade: shade))
    }

    static func image(
        _ id: Int, _ rect: PixelRect, clip: PixelRect? = nil, opacity: Double = 1, shade: Double = 0, radius: Double = 0
    ) -> DisplayList.Item {
        .image(
            .init(
                source: .image(ImageID(rawValue: id)), destination: rect, clip: clip ?? rect, opacity: opacity,
                shade: shade, cornerRadius: radius))
    }

    static let long = String(repeating: "word ", count: 40)

    @Test("An image is blended by its alpha, shade and opacity")
    func blending() throws {
        let canvas = try Canvas(16, 16)
        let size = PixelSize(width: 10, height: 6)
        // Rows and columns differ, so that none is exchanged; alpha runs across.
        var pixels: [UInt8] = []
        for y in 0..<6 {
            for x in 0..<10 { pixels += [UInt8(x * 8), UInt8(y * 10), UInt8(x * 5 + y), UInt8(x * 25 + 30)] }
        }
        try canvas.compositor.images.set(ImageID(rawValue: 7), Bitmap(size: size, pixels: pixels))
        let rect = PixelRect(minX: 2, minY: 5, maxX: 12, maxY: 11)
        for (opacity, shade) in [(1.0, 0.0), (0.5, 0), (1, 0.4), (0.3, 0.9)] {
            let drawn = try canvas.draw([Self.image(7, rect, opacity: opacity, shade: shade)])
            let error = drawn.largestError { x, y in
                guard (2..<12).contains(x), (5..<11).contains(y) else { return SIMD3(repeating: 51) }
                let at = ((y - 5) * 10 + x - 2) * 4
                let color = SIMD3(Double(pixels[at + 2]), Double(pixels[at + 1]), Double(pixels[at]))
                let alpha = Double(pixels[at + 3]) / 255 * opacity
                return color * opacity * (1 - shade) + SIMD3(repeating: 51) * (1 - alpha)
            }
            #expect(error <= 1)
        }
    }

    @Test("A strongly reduced image is the average of its pixels")
    func shrinking() throws {
        let canvas = try Canvas(16, 16)
        let size = PixelSize(width: 256, height: 256)
        var pixels: [UInt8] = []
        for y in 0..<256 { for x in 0..<256 { pixels += (x + y) % 8 == 0 ? [255, 255, 255, 255] : [0, 0, 0, 255] } }
        try canvas.compositor.images.set(ImageID(rawValue: 1), Bitmap(size: size, pixels: pixels))
        let drawn = try canvas.draw([Self.image(1, PixelRect(minX: 0, minY: 0, maxX: 16, maxY: 16))])
        #expect(drawn.largestError { _, _ in SIMD3(repeating: 255 / 8.0) } <= 3)
    }

    @Test("An image is clipped and has rounded corners")
    func corners() throws {
        let canvas = try Canvas(24, 16)
        try canvas.compositor.images.set(ImageID(rawValue: 1), .painted(PixelSize(width: 5, height: 5), .white))
        let rect = PixelRect(minX: 0, minY: 0, maxX: 24, maxY: 16)
        let clip = PixelRect(minX: 0, minY: 0, maxX: 11, maxY: 16)
        let box = try canvas.draw([BoxTests.box(rect, clip: clip, radius: 6, Gradient(.white))])
        #expect(try canvas.draw([Self.image(1, rect, clip: clip, radius: 6)]).bytes == box.bytes)
    }

    @Test("Missing images are reported once and draw nothing")
    func missing() throws {
        let canvas = try Canvas(8, 8)
        let images = canvas.compositor.images
        let all = PixelRect(minX: 0, minY: 0, maxX: 8, maxY: 8)
        #expect(try canvas.draw([Self.image(3, all)]).largestError { _, _ in SIMD3(repeating: 51) } == 0)
        #expect(images.takeMissing() == [ImageID(rawValue: 3)])
        #expect(images.takeMissing().isEmpty)
        try images.set(ImageID(rawValue: 3), .painted(PixelSize(width: 2, height: 2), .white))
        #expect(images.has(ImageID(rawValue: 3)))
        #expect(try canvas.draw([Self.image(3, all)]).largestError { _, _ in SIMD3(repeating: 255) } == 0)
        images.remove(ImageID(rawValue: 3))
        #expect(images.byteCount == 0 && !images.has(ImageID(rawValue: 3)))
        #expect(try canvas.draw([Self.image(3, all)]).largestError { _, _ in SIMD3(repeating: 51) } == 0)
    }

    @Test("Invalid bitmaps are refused, and the image stays")
    func refusals() throws {
        let canvas = try Canvas(8, 8)
        let (images, id) = (canvas.compositor.images, ImageID(rawValue: 1))
        let limit = canvas.device.maxTextureSize
        try images.set(id, .painted(PixelSize(width: 2, height: 2), .white))
        let (nothing, wide) = (PixelSize(width: 0, height: 4), PixelSize(width: limit + 1, height: 1))
        for bitmap in [
            Bitmap(size: nothing, pixels: []), Bitmap(size: PixelSize(width: 2, height: 2), pixels: [1, 2, 3]),
            Bitmap(size: PixelSize(width: -2, height: -2), pixels: [UInt8](repeating: 0, count: 16)),
            Bitmap(size: PixelSize(width: .max, height: .max), pixels: []),
        ] {
            #expect(throws: RenderingError.emptyPicture) { try images.set(id, bitmap) }
        }
        #expect(throws: RenderingError.tooLarge(wide, limit: limit)) {
            try images.set(id, Bitmap(size: wide, pixels: [UInt8](repeating: 0, count: (limit + 1) * 4)))
        }
        let all = PixelRect(minX: 0, minY: 0, maxX: 8, maxY: 8)
        #expect(try canvas.draw([Self.image(1, all)]).largestError { _, _ in SIMD3(repeating: 255) } == 0)
    }

    @Test("Short text and icons are in the first frame, rasterized once for each size and scale")
    func inline() throws {
        let sheet = try Sheet()
        let rect = PixelRect(minX: 4, minY: 3, maxX: 20, maxY: 11)
        let icon = DisplayList.Item.image(.init(source: .icon(.play, .white), destination: rect, clip: rect))
        for _ in 0..<3 {
            let pixels = try sheet.canvas.draw([Self.text("0:12", shade: 0.5)])
            let error = pixels.largestError { x, y in
                guard (4..<20).contains(x), (3..<11).contains(y) else { return SIMD3(repeating: 51) }
                return SIMD3(255, 153, 0) * 0.4 * 0.5 + SIMD3(repeating: 51) * 0.6
            }
            #expect(error <= 1)
        }
        _ = try sheet.canvas.draw([icon, Self.text("0:13")])
        _ = try sheet.canvas.draw([Self.text("0:13", at: PixelRect(minX: 0, minY: 0, maxX: 9, maxY: 9))])
        #expect(sheet.asked.withLock(\.main) == ["0:12", "icon", "0:13", "0:13"])
        #expect(sheet.asked.withLock(\.other).isEmpty && sheet.images.byteCount == 4 * (3 * 16 * 8 + 81))
    }

    @Test("A line of text is rasterized once for boxes of all sizes that it fits in")
    func lines() throws {
        let sheet = try Sheet()
        for (width, height) in [(8, 6), (9, 6), (20, 12), (6, 4), (7, 20)] {
            let rect = PixelRect(minX: 2, minY: 1, maxX: 2 + width, maxY: 1 + height)
            let pixels = try sheet.canvas.draw([Self.text("line", at: rect, color: .white)])
            let top = 1 + (height - 4) / 2
            let error = pixels.largestError { x, y in
                SIMD3(repeating: (2..<8).contains(x) && (top..<top + 4).contains(y) ? 255 : 51)
            }
            #expect(error == 0, "\(width)×\(height)")
        }
        #expect(sheet.asked.withLock(\.main) == ["line"] && sheet.images.byteCount == 6 * 4 * 4)
        // One that it does not fit in has another picture.
        _ = try sheet.canvas.draw([Self.text("line", at: PixelRect(minX: 0, minY: 0, maxX: 5, maxY: 5))])
        #expect(sheet.asked.withLock(\.main) == ["line", "line"] && sheet.images.byteCount == (6 * 4 + 25) * 4)
    }

    @Test("Long text is rasterized once on another thread and drawn when it is ready")
    func background() throws {
        let sheet = try Sheet()
        sheet.asked.update { $0.isOpen = false }
        for _ in 0..<3 {
            let pixels = try sheet.canvas.draw([Self.text(Self.long, color: .white)])
            #expect(pixels.largestError { _, _ in SIMD3(repeating: 51) } == 0)
        }
        #expect(!sheet.images.hasFinished)
        sheet.asked.update { $0.isOpen = true }
        sheet.wait(for: 1)
        #expect(sheet.images.hasFinished)
        #expect(try sheet.canvas.draw([Self.text(Self.long, color: .white)])[4, 3].x == 255)
        #expect(!sheet.images.hasFinished)
        #expect(sheet.asked.withLock(\.other) == [Self.long] && sheet.asked.withLock(\.main).isEmpty)
    }

    @Test("A frame takes a limited amount of inline and finished text, and the rest follows in later frames")
    func bounded() throws {
        let sheet = try Sheet(uploadLimit: 16 * 8 * 4)
        let items = (0..<ImageCache.inlineCount + 3).map { Self.text("\($0)") }
        _ = try sheet.canvas.draw(items)
        #expect(sheet.asked.withLock(\.main).count == ImageCache.inlineCount)
        sheet.wait(for: 3)
        for count in 1...3 {
            _ = try sheet.canvas.draw([])
            #expect(sheet.images.byteCount == (ImageCache.inlineCount + count) * 16 * 8 * 4)
        }
        #expect(sheet.asked.withLock(\.other) == ["24", "25", "26"])
    }

    @Test("Beyond the limit the least recently drawn image is dropped, and never one just drawn")
    func limit() throws {
        let sheet = try Sheet(byteLimit: 2 * 16 * 8 * 4)
        _ = try sheet.canvas.draw([Self.text("a"), Self.text("b"), Self.text("c")])
        #expect(sheet.images.byteCount == 3 * 16 * 8 * 4)
        _ = try sheet.canvas.draw([Self.text("c"), Self.text("a")])
        #expect(sheet.images.byteCount == 2 * 16 * 8 * 4)
        _ = try sheet.canvas.draw([Self.text("a")])
        _ = try sheet.canvas.draw([Self.text("d")])
        _ = try sheet.canvas.draw([Self.text("a"), Self.text("d"), Self.text("c"), Self.text("b")])
        #expect(sheet.asked.withLock(\.main) == ["a", "b", "c", "d", "c", "b"])
    }

    @Test("Text that cannot be rasterized draws nothing and is not requested again")
    func unsettable() throws {
        let sheet = try Sheet()
        let size = sheet.canvas.device.maxTextureSize
        let items = [
            Self.text("empty"), Self.text("broken"),
            Self.text("zero", at: PixelRect(minX: 3, minY: 3, maxX: 3, maxY: 9)),
            Self.text("faded", opacity: 0), Self.text("nan", opacity: .nan),
            Self.text("away", at: PixelRect(minX: 90, minY: 90, maxX: 99, maxY: 99)),
            Self.text("wide", at: PixelRect(minX: 0, minY: 0, maxX: size + 1, maxY: 4)),
        ]
        for _ in 0..<2 {
            #expect(try sheet.canvas.draw(items).largestError { _, _ in SIMD3(repeating: 51) } == 0)
        }
        #expect(sheet.asked.withLock(\.main) == ["empty", "broken"] && sheet.images.byteCount == 0)
    }

}
