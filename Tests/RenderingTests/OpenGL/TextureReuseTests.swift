import GlissadeCGLES
import GlissadeGeometry
import GlissadeLayers
import GlissadePicture
import Testing
import GlissadeTestSupport

@testable import GlissadeRendering

/// Which textures are kept, and for how long, where sizes come and go.
@MainActor @Suite("Reuse of textures") struct TextureReuseTests {
    private static func plain(_ size: PixelSize, _ level: Int) -> TestPicture {
        TestPicture(PixelFormat(size: size, layout: .rgb(.rgba))) { _, _, _ in level }
    }

    @Test("A smaller frame uses a part of the larger texture for 300 frames, and looks the same")
    func smaller() throws {
        let (large, small) = (PixelSize(width: 40, height: 30), PixelSize(width: 17, height: 11))
        // Not 1:1, so that it is filtered.
        let canvas = try Canvas(small.width * 3, small.height * 3)
        try canvas.upload(Self.plain(large, 250))
        #expect(canvas.texture.storageSize == large)
        let all = PixelRect(size: canvas.surface.pixelSize)
        for index in 1...300 {
            try canvas.upload(Self.plain(small, 40))
            #expect(canvas.texture.storageSize == (index < 300 ? large : small))
            guard [1, 299, 300].contains(index) else { continue }
            let pixels = try canvas.draw([.surface(.init(surface: .test, destination: all, clip: all))])
            #expect(pixels.largestError { _, _ in SIMD3(40, 40, 40) } <= 1)
        }
    }

    @Test("A large frame restarts the count of 300, and a larger one gets a new texture")
    func again() throws {
        let (large, small) = (PixelSize(width: 40, height: 30), PixelSize(width: 17, height: 11))
        let canvas = try Canvas(8, 8)
        try canvas.upload(Self.plain(large, 250))
        for _ in 0..<299 { try canvas.upload(Self.plain(small, 40)) }
        try canvas.upload(Self.plain(large, 250))
        for _ in 0..<299 { try canvas.upload(Self.plain(small, 40)) }
        #expect(canvas.texture.storageSize == large)
        let wide = PixelSize(width: 41, height: 3)
        try canvas.upload(Self.plain(wide, 40))
        #expect(canvas.texture.storageSize == wide)
    }

    @Test("YUV planes never use a part of a larger texture")
    func planes() throws {
        let canvas = try Canvas(8, 8)
        for width in [40, 16] {
            try canvas.upload(.slopes(DrawnPictureTests.Kind.yuv420.format(width, 16)))
            #expect(canvas.texture.storageSize.width == width)
        }
    }

    @Test("A frame in a part of its texture is dimmed like any other")
    func dimmed() throws {
        let (large, small) = (PixelSize(width: 40, height: 30), PixelSize(width: 17, height: 11))
        let canvas = try Canvas(small.width, small.height)
        let order = PixelOrder.rgba
        let picture = TestPicture.noise(PixelFormat(size: small, layout: .rgb(.rgba)), seed: 7)
        let all = PixelRect(size: small)
        func shown() throws -> Pixels {
            try canvas.upload(picture, order: order)
            return try canvas.draw([.surface(.init(surface: .test, destination: all, clip: all, shade: 0.5))])
        }
        let own = try shown()
        try canvas.upload(Self.plain(large, 250), order: order)
        // The second time what dims it is there from the first.
        for _ in 0..<2 { #expect(try shown().bytes == own.bytes) }
        #expect(canvas.texture.storageSize == large)
    }

    private func name(_ texture: VideoTexture) -> GLint {
        var name: GLint = 0
        texture.bindPlanes()
        glActiveTexture(GLenum(GL_TEXTURE0))
        glGetIntegerv(GLenum(GL_TEXTURE_BINDING_2D), &name)
        return name
    }

    @Test("A capture reuses its own textures until they are released")
    func captures() throws {
        let size = PixelSize(width: 40, height: 26)
        let canvas = try Canvas(size.width, size.height)
        let texture = VideoTexture(device: canvas.device)
        var list = DisplayList(viewport: size)
        let (all, left) = (PixelRect(size: size), PixelRect(minX: 0, minY: 0, maxX: 13, maxY: 26))
        list.items = [.fill(all, .white), .fill(left, Color(red: 0.1, green: 0.3, blue: 0.9))]
        func shown() throws -> Pixels {
            try canvas.compositor.capture(list, into: texture) { _ in nil }
            return try canvas.draw(
                [.surface(.init(surface: .below, destination: all, clip: all, shade: 0.25))], [.below: texture])
        }
        let fresh = try shown()
        texture.removePicture()
        #expect(!texture.hasPicture && texture.storageSize == PixelSize(width: 1, height: 1))
        let again = try shown()
        #expect(again.largestError { fresh[$0, $1] } <= 1)
        let made = name(texture)
        texture.removePicture(keepsTextures: true)
        #expect(!texture.hasPicture)
        list.items.removeLast()
        let white = try shown()
        #expect(name(texture) == made)
        #expect(white.largestError { _, _ in SIMD3(repeating: 191.25) } <= 1.5, "nothing of the one before is left")
        #expect(glGetError() == GLenum(GL_NO_ERROR))
    }
}
