import GlissadeCGLES
import GlissadeGeometry
import GlissadePicture
import GlissadeRendering
import Testing
import GlissadeTestSupport
import GlissadeWindowing

/// From memory to textures.
@MainActor @Suite("Texture upload") struct UploadTests {
    typealias Kind = DrawnPictureTests.Kind

    @Test("Rows may have padding of any number of bytes", arguments: [1, 2, 3, 4, 13, 64])
    func strides(padding: Int) throws { try drawPadded(padding, Kind.plain) }

    @Test(
        "Rows of more than 8 bits may be further apart than they are long",
        .enabled(DrawnPictureTests.deepIsMissing, DrawnPictureTests.hasDeep), arguments: [1, 2, 3, 4, 13, 64])
    func deepStrides(padding: Int) throws { try drawPadded(padding, Kind.deep) }

    private func drawPadded(_ padding: Int, _ kinds: [Kind]) throws {
        for kind in kinds {
            let format = kind.format(35, 9)
            let canvas = try Canvas(35, 9)
            let tight = try canvas.draw(.noise(format))
            let padded = try canvas.draw(.noise(format, padding: padding))
            #expect(tight.bytes == padded.bytes, "\(kind)")
        }
    }

    @Test(
        "A frame in a part of a texture ends with its own color, whatever was there before",
        arguments: [0, 3])
    func parts(padding: Int) throws {
        let capacity = PixelSize(width: 40, height: 30)
        func plain(_ width: Int, _ height: Int, _ level: Int) -> TestPicture {
            let format = PixelFormat(size: PixelSize(width: width, height: height), layout: .rgb(.rgba))
            return TestPicture(format, padding: padding) { _, _, _ in level }
        }
        for size in [
            PixelSize(width: 17, height: 11), PixelSize(width: 40, height: 11), PixelSize(width: 17, height: 30),
        ] {
            // Not 1:1, so that it is filtered.
            let canvas = try Canvas(size.width * 3, size.height * 3)
            canvas.surface.makeCurrent()
            for picture in [plain(40, 30, 250), plain(size.width, size.height, 40)] {
                try picture.withView { view throws(RenderingError) in
                    try canvas.texture.upload(view, capacity: capacity)
                }
            }
            let all = PixelRect(size: canvas.surface.pixelSize)
            let pixels = try canvas.draw([.surface(.init(surface: .test, destination: all, clip: all))])
            #expect(pixels.largestError { _, _ in SIMD3(40, 40, 40) } <= 1, "\(size)")
        }
    }

    @Test("The newest of several frames is drawn")
    func turns() throws {
        let canvas = try Canvas(16, 16)
        let format = Kind.yuv420.format(16, 16)
        for seed in UInt64(1)...5 {
            let picture = TestPicture.noise(format, seed: seed)
            let next = TestPicture.noise(format, seed: seed + 100)
            try canvas.upload(picture)
            let pixels = try canvas.draw(next)
            #expect(pixels.largestError(ReferenceColors(picture: next).color) <= 4)
        }
    }

    @Test("A frame of another format, size or color space replaces the former one")
    func reallocation() throws {
        for (first, second) in [
            (Kind.yuv420.format(16, 16), Kind.yuv420.format(31, 16)),
            (Kind.yuv420.format(16, 16), Kind.nv12.format(16, 16)),
            (Kind.nv12.format(16, 16), Kind.gray.format(16, 16)),
            (Kind.yuv444.format(16, 16, .bt601), Kind.yuv444.format(16, 16, .bt2020, .full)),
            (Kind.gray.format(16, 16), PixelFormat(size: PixelSize(width: 16, height: 16), layout: .rgb(.rgba))),
        ] {
            try replace(first, by: second)
        }
    }

    @Test(
        "A picture of more than 8 bits replaces one of 8 bits",
        .enabled(DrawnPictureTests.deepIsMissing, DrawnPictureTests.hasDeep))
    func deepReallocation() throws { try replace(Kind.yuv420.format(16, 16), by: Kind.yuv420p10.format(16, 16)) }

    private func replace(_ first: PixelFormat, by second: PixelFormat) throws {
        let canvas = try Canvas(second.size.width, second.size.height)
        for format in [first, second, first, second] { _ = try canvas.draw(.slopes(format)) }
        let picture = TestPicture.slopes(second)
        let reference = ReferenceColors(picture: picture)
        #expect(try canvas.draw(picture).largestError(reference.color) <= DrawnPictureTests.tolerance)
    }

    @Test("A frame that cannot be uploaded is refused, and the former one stays")
    func refusals() throws {
        let canvas = try Canvas(16, 16)
        let picture = TestPicture.slopes(Kind.yuv444.format(16, 16))
        let before = try canvas.draw(picture)

        let limit = canvas.device.maxTextureSize
        let wide = Kind.gray.format(limit + 1, 1)
        #expect(!canvas.device.canUpload(wide))
        #expect(throws: RenderingError.tooLarge(wide.size, limit: limit)) { try canvas.upload(.slopes(wide)) }
        #expect(throws: RenderingError.emptyPicture) { try canvas.upload(.slopes(Kind.gray.format(0, 4))) }
        let deep = PixelFormat(size: PixelSize(width: 2, height: 2), layout: .rgb(.rgba), bitDepth: 10)
        #expect(throws: RenderingError.unsupportedFormat(deep)) { try canvas.upload(.slopes(deep)) }

        let all = PixelRect(size: picture.format.size)
        let after = try canvas.draw([.surface(.init(surface: .test, destination: all, clip: all))])
        #expect(before.bytes == after.bytes)
    }

    @Test("The widest possible frame is drawn to its last column")
    func widest() throws {
        let canvas = try Canvas(64, 1)
        let width = canvas.device.maxTextureSize
        let picture = TestPicture(Kind.gray.format(width, 1, .bt709, .full)) { _, x, _ in x == width - 1 ? 200 : 30 }
        try canvas.upload(picture)
        let destination = PixelRect(minX: 64 - width, minY: 0, maxX: 64, maxY: 1)
        let pixels = try canvas.draw([.surface(.init(surface: .test, destination: destination, clip: destination))])
        #expect(pixels.largestError { x, _ in SIMD3(repeating: x == 63 ? 200 : 30) } <= 1)
    }

    @Test("A removed frame is black")
    func removal() throws {
        let canvas = try Canvas(8, 8)
        _ = try canvas.draw(.slopes(Kind.yuv444.format(8, 8)))
        #expect(canvas.texture.hasPicture)
        canvas.texture.removePicture()
        #expect(!canvas.texture.hasPicture)
        let all = PixelRect(size: PixelSize(width: 8, height: 8))
        let pixels = try canvas.draw([.surface(.init(surface: .test, destination: all, clip: all))])
        #expect(pixels.largestError { _, _ in .zero } == 0)
    }

    @Test("Two surfaces keep their own content, and a new size starts empty")
    func surfaces() throws {
        let (one, two) = (try Canvas(4, 4), try Canvas(4, 4))
        _ = try one.draw([], over: .white)
        _ = try two.draw([], over: .black)
        one.surface.makeCurrent()
        #expect(one.device.readPixels(one.surface.pixelSize).allSatisfy { $0 == 255 })
        try one.surface.resize(to: PixelSize(width: 9, height: 5))
        #expect(one.surface.pixelSize == PixelSize(width: 9, height: 5))
        let pixels = try one.draw([], over: .white)
        #expect(pixels.bytes.count == 9 * 5 * 4 && pixels.bytes.allSatisfy { $0 == 255 })
    }
}
