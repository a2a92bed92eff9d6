import GlissadeCGLES
import GlissadeGeometry
import GlissadeLayers
import GlissadePicture
import GlissadeRendering
import Testing
import GlissadeTestSupport

/// A list drawn into a texture, and the texture drawn instead of the list.
@MainActor @Suite("Captures") struct CaptureTests {
    /// Fills that mix, pictures that are clipped, turned, scaled and shaded.
    static func items(_ size: PixelSize) -> [DisplayList.Item] {
        let all = PixelRect(size: size)
        let part = PixelRect(minX: 3, minY: 2, maxX: 20, maxY: 9)
        let picture = PixelRect(minX: 6, minY: 4, maxX: 30, maxY: 20)
        let small = PixelRect(minX: 30, minY: 1, maxX: 38, maxY: 13)
        return [
            .fill(all, Color(red: 0.1, green: 0.3, blue: 0.9)),
            .surface(.init(surface: .test, destination: picture, clip: all.intersection(picture))),
            .surface(.init(surface: .test, destination: small, clip: small, rotation: .quarter, shade: 0.3)),
            .fill(part, Color(red: 1, green: 0, blue: 0.5, alpha: 0.4)),
            .surface(.init(surface: .test, destination: picture, clip: part, opacity: 0.5)),
            .box(.init(destination: part, clip: part, gradient: Gradient(from: .shadow(0.1), to: .shadow(0.9)))),
        ]
    }

    @Test("A capture drawn 1:1 looks like its display list")
    func identical() throws {
        let canvas = try Canvas(40, 26)
        for (picture, order) in PlacementTests.sources(canvas.device) {
            try canvas.upload(picture, order: order)
            let drawn = try canvas.draw(Self.items(canvas.surface.pixelSize))
            let captured = try canvas.capture(Self.items(canvas.surface.pixelSize))
            let all = PixelRect(size: canvas.surface.pixelSize)
            let shown = try canvas.draw(
                [.surface(.init(surface: .below, destination: all, clip: all))], [.below: captured])
            #expect(shown.bytes == drawn.bytes)
            #expect(captured.readPixels() == drawn.bytes)
        }
    }

    @Test("A capture can be offset, clipped and dimmed like any surface")
    func placed() throws {
        let canvas = try Canvas(40, 26)
        try canvas.upload(PlacementTests.image)
        let drawn = try canvas.draw(Self.items(canvas.surface.pixelSize))
        let captured = try canvas.capture(Self.items(canvas.surface.pixelSize))
        let destination = PixelRect(minX: -7, minY: 3, maxX: 33, maxY: 29)
        let clip = PixelRect(minX: 1, minY: 5, maxX: 22, maxY: 19)
        let shown = try canvas.draw(
            [.surface(.init(surface: .below, destination: destination, clip: clip, shade: 0.25))], [.below: captured])
        let error = shown.largestError { x, y in
            clip.contains(PixelRect(minX: x, minY: y, maxX: x + 1, maxY: y + 1))
                ? drawn[x + 7, y - 3] * 0.75 : SIMD3(repeating: 51)
        }
        #expect(error <= 1.5)
    }

    @Test("Capturing leaves the framebuffer and its content unchanged")
    func restores() throws {
        let canvas = try Canvas(16, 16)
        _ = try canvas.draw([], over: .white)
        let captured = try canvas.capture([.fill(PixelRect(minX: 0, minY: 0, maxX: 9, maxY: 9), .gray)])
        #expect(captured.hasPicture)
        #expect(canvas.device.readPixels(canvas.surface.pixelSize).allSatisfy { $0 == 255 })
        captured.removePicture()
        #expect(!captured.hasPicture && captured.readPixels().isEmpty)
    }

    @Test("Areas that no item covers are black in a capture")
    func uncovered() throws {
        let canvas = try Canvas(16, 16)
        let captured = try canvas.capture([.fill(PixelRect(minX: 0, minY: 0, maxX: 16, maxY: 16), .white)])
        let left = PixelRect(minX: 0, minY: 0, maxX: 8, maxY: 16)
        var list = DisplayList(viewport: canvas.surface.pixelSize)
        let all = PixelRect(size: list.viewport)
        list.items = [.surface(.init(surface: .below, destination: all, clip: left))]
        try canvas.compositor.capture(list, into: captured) { _ in captured }
        let shown = try canvas.draw(
            [.surface(.init(surface: .below, destination: all, clip: all))], [.below: captured])
        #expect(shown.largestError { _, _ in .zero } == 0)
    }

    @Test("Captures of zero or excessive size are refused without side effects")
    func refusals() throws {
        let canvas = try Canvas(8, 8)
        let texture = VideoTexture(device: canvas.device)
        let empty = DisplayList(viewport: PixelSize(width: 0, height: 9))
        #expect(throws: RenderingError.emptyPicture) {
            try canvas.compositor.capture(empty, into: texture) { _ in nil }
        }
        let size = PixelSize(width: canvas.device.maxTextureSize + 1, height: 4)
        #expect(throws: RenderingError.tooLarge(size, limit: canvas.device.maxTextureSize)) {
            try canvas.compositor.capture(DisplayList(viewport: size), into: texture) { _ in nil }
        }
        #expect(!texture.hasPicture && glGetError() == GLenum(GL_NO_ERROR))
    }

    @Test("A capture of another size replaces the one before")
    func resized() throws {
        let canvas = try Canvas(20, 20)
        let texture = VideoTexture(device: canvas.device)
        for side in [20, 7, 13] {
            let size = PixelSize(width: side, height: side)
            var list = DisplayList(viewport: size)
            list.items = [.fill(PixelRect(size: size), .white)]
            try canvas.compositor.capture(list, into: texture) { _ in nil }
            let pixels = try canvas.draw(
                [.surface(.init(surface: .below, destination: PixelRect(size: size), clip: PixelRect(size: size)))],
                [.below: texture])
            #expect(pixels.largestError { x, y in SIMD3(repeating: x < side && y < side ? 255 : 51) } == 0)
        }
    }
}
