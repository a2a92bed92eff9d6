import GlissadeCGLES
import GlissadeGeometry
import GlissadeLayers
import GlissadePicture
import Testing
import GlissadeTestSupport
import GlissadeWindowing

@testable import GlissadeRendering

/// Two contexts with the same textures, as two windows have them.
@MainActor @Suite("Shared OpenGL context") struct SharedContextTests {
    static let size = PixelSize(width: 32, height: 24)

    /// Two surfaces that share, with a compositor each.
    @MainActor final class Pair {
        let first: OffscreenSurface
        let second: OffscreenSurface
        let compositors: [Compositor]
        var surfaces: [OffscreenSurface] { [first, second] }
        let device: GLDevice

        init(images: (@MainActor (GLDevice) -> ImageCache)? = nil) throws {
            first = try OffscreenSurface(size: SharedContextTests.size)
            device = try GLDevice()
            let compositor = Compositor(device: self.device, images: images?(self.device))
            second = try OffscreenSurface(size: SharedContextTests.size, sharing: first)
            compositors = [compositor, Compositor(sharing: compositor)]
        }

        isolated deinit { first.makeCurrent() }  // What is released next belongs to these contexts.

        func draw(_ items: [DisplayList.Item], on index: Int, _ texture: VideoTexture? = nil) throws -> Pixels {
            surfaces[index].makeCurrent()
            var list = DisplayList(viewport: SharedContextTests.size)
            list.items = [.fill(PixelRect(size: list.viewport), .gray)] + items
            try compositors[index].draw(list) { _ in texture }
            surfaces[index].swap()
            #expect(glGetError() == GLenum(GL_NO_ERROR))
            return Pixels(size: list.viewport, bytes: device.readPixels(list.viewport))
        }
    }

    private func picture(seed: Int) -> TestPicture {
        var picture = TestPicture.noise(PixelFormat(size: Self.size, layout: .rgb(.rgba)))
        for index in picture.planes[0].indices where index % 4 != 3 { picture.planes[0][index] ^= seed & 255 }
        return picture
    }

    private func upload(_ picture: TestPicture, to texture: VideoTexture) throws {
        try picture.withView { view throws(RenderingError) in try texture.upload(view) }
    }

    private static let whole = PixelRect(size: size)

    private static func surface(shade: Double = 0, radius: Double = 0) -> DisplayList.Item {
        var placement = SurfacePlacement(surface: .test, destination: whole, clip: whole)
        placement.shade = shade
        placement.cornerRadius = radius
        return .surface(placement)
    }

    @Test(
        "A frame uploaded in either context looks the same in both")
    func once() throws {
        let pair = try Pair()
        let texture = VideoTexture(device: pair.device)
        for seed in 0..<6 {
            let picture = picture(seed: seed * 37)
            pair.surfaces[seed % 2].makeCurrent()
            try upload(picture, to: texture)
            for index in [0, 1, 0] {
                let pixels = try pair.draw([Self.surface()], on: index, texture)
                #expect(
                    pixels.largestError(ReferenceColors(picture: picture).color) == 0,
                    "upload \(seed), context \(index)")
            }
        }
    }

    @Test("A dimmed frame has its own shade in each window")
    func shaded() throws {
        let pair = try Pair()
        let alone = try Pair()
        let (texture, other) = (VideoTexture(device: pair.device), VideoTexture(device: alone.device))
        let picture = picture(seed: 11)
        alone.first.makeCurrent()
        try upload(picture, to: other)
        pair.first.makeCurrent()
        try upload(picture, to: texture)
        for (index, shade) in [(0, 0.5), (1, 0.25), (0, 0.5), (1, 0.75), (1, 0.5), (0, 0.25)] {
            let expected = try alone.draw([Self.surface(shade: shade)], on: 0, other)
            let pixels = try pair.draw([Self.surface(shade: shade)], on: index, texture)
            #expect(pixels.bytes == expected.bytes, "shade \(shade) in context \(index)")
        }
        alone.first.makeCurrent()
        other.removePicture()
    }

    @Test("Contexts share programs and use their own uniform values")
    func uniforms() throws {
        let pair = try Pair()
        let alone = try Pair()
        func box(_ radius: Double, _ color: Color) -> DisplayList.Item {
            .box(
                BoxPlacement(
                    destination: PixelRect(minX: 2, minY: 3, maxX: 28, maxY: 20), clip: Self.whole,
                    cornerRadius: radius,
                    gradient: Gradient(from: color, to: .gray)))
        }
        let red = Color(red: 1, green: 0, blue: 0)
        let blue = Color(red: 0, green: 0, blue: 1)
        // What one sets between two draws of the other must not be taken for what that has.
        let steps = [(0, 4.0, red), (1, 8.0, blue), (1, 4.0, red), (0, 4.0, red), (0, 8.0, blue), (1, 8.0, blue)]
        for (index, radius, color) in steps {
            let expected = try alone.draw([box(radius, color)], on: 0)
            #expect(try pair.draw([box(radius, color)], on: index).bytes == expected.bytes)
        }
    }

    @Test("A capture made in one context can be drawn in the other")
    func capture() throws {
        let pair = try Pair()
        let captured = VideoTexture(device: pair.device)
        var list = DisplayList(viewport: Self.size)
        let red = Color(red: 1, green: 0, blue: 0)
        list.items = [.fill(PixelRect(minX: 4, minY: 2, maxX: 9, maxY: 5), red)]
        for (maker, viewer) in [(0, 1), (1, 0), (1, 1)] {
            pair.surfaces[maker].makeCurrent()
            try pair.compositors[maker].capture(list, into: captured) { _ in nil }
            let pixels = try pair.draw([Self.surface()], on: viewer, captured)
            let error = pixels.largestError { x, y in
                (4..<9).contains(x) && (2..<5).contains(y) ? SIMD3(255, 0, 0) : SIMD3(0, 0, 0)
            }
            #expect(error == 0, "made in \(maker), seen in \(viewer)")
        }
    }

    @Test("Framebuffers and vertex arrays are freed in the context that made them, and textures in any")
    func freed() throws {
        let pair = try Pair()
        let texture = VideoTexture(device: pair.device)
        pair.first.makeCurrent()
        try upload(picture(seed: 3), to: texture)
        for index in [0, 1] { _ = try pair.draw([Self.surface()], on: index, texture) }
        func alive(_ isName: (GLuint) -> GLboolean) -> Int { (1..<64).count { isName($0) != 0 } }
        pair.first.makeCurrent()
        let mine = alive(glIsFramebuffer)
        pair.second.makeCurrent()
        let theirs = alive(glIsFramebuffer)
        let textures = alive(glIsTexture)
        #expect(textures >= 1)
        #expect(mine == theirs)
        texture.removePicture()
        #expect(alive(glIsTexture) < textures)
        #expect(alive(glIsFramebuffer) < theirs || theirs == 0, "the one whose context is current goes at once")
        pair.first.makeCurrent()
        #expect(alive(glIsFramebuffer) < mine || mine == 0, "the other with its context's next turn")
        #expect(glGetError() == GLenum(GL_NO_ERROR))
    }

    @Test("A second context may be released first without affecting the first one")
    func ending() throws {
        let first = try OffscreenSurface(size: Self.size)
        let device = try GLDevice()
        let compositor = Compositor(device: device)
        let texture = VideoTexture(device: device)
        let picture = picture(seed: 9)
        try upload(picture, to: texture)
        for _ in 0..<3 {
            let second = try OffscreenSurface(size: Self.size, sharing: first)
            let other = Compositor(sharing: compositor)
            var list = DisplayList(viewport: Self.size)
            list.items = [Self.surface()]
            try other.draw(list) { _ in texture }
            second.swap()
            let pixels = Pixels(size: Self.size, bytes: device.readPixels(Self.size))
            #expect(pixels.largestError(ReferenceColors(picture: picture).color) == 0)
            withExtendedLifetime((second, other)) { first.makeCurrent() }
        }
        var list = DisplayList(viewport: Self.size)
        list.items = [Self.surface()]
        try compositor.draw(list) { _ in texture }
        #expect(glGetError() == GLenum(GL_NO_ERROR))
        let pixels = Pixels(size: Self.size, bytes: device.readPixels(Self.size))
        #expect(pixels.largestError(ReferenceColors(picture: picture).color) == 0)
    }

    @Test("An image shown in one window is not dropped for another, and is dropped when no window shows it")
    func eviction() throws {
        // Room for two images of 16 by 16 with their smaller copies, not three.
        let pair = try Pair { ImageCache(device: $0, byteLimit: 3000) }
        let images = pair.compositors[0].images
        let bitmap = Bitmap(size: PixelSize(width: 16, height: 16), pixels: [UInt8](repeating: 200, count: 1024))
        func give(_ id: Int) throws { try images.set(ImageID(rawValue: id), bitmap) }
        func has(_ id: Int) -> Bool { images.has(ImageID(rawValue: id)) }
        let place = PixelRect(minX: 0, minY: 0, maxX: 16, maxY: 16)
        try give(1)
        _ = try pair.draw([ImageTests.image(1, place)], on: 0)
        for id in 2..<8 {
            pair.second.makeCurrent()
            try give(id)
            _ = try pair.draw([ImageTests.image(id, place)], on: 1)
            #expect(has(1) && has(id), "the first window's, \(id) draws of the other later")
            #expect(images.byteCount <= 3000)
        }
        _ = try pair.draw([ImageTests.image(7, place)], on: 0)
        for id in 8..<10 {
            pair.second.makeCurrent()
            try give(id)
            _ = try pair.draw([ImageTests.image(id, place)], on: 1)
        }
        #expect(!has(1) && has(7) && has(9))
    }
}
