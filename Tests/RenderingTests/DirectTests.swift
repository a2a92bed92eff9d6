import CGLES
import Motion
import Picture
import Rendering
import Stage
import Testing

/// Pictures that come before there is an OpenGL context.
@MainActor @Suite struct DirectTests {
    /// A window's part of it, in plain memory.
    final class Output: DirectOutput {
        final class Memory: DirectMemory {
            let bytes: UnsafeMutableRawPointer
            let size: PixelSize
            init(_ size: PixelSize) {
                self.size = size
                bytes = .allocate(byteCount: size.width * size.height * 4, alignment: 64)
            }
            isolated deinit { bytes.deallocate() }
        }

        var isDirect = true
        var current: Memory?
        var forgotten = 0

        func memory(for size: PixelSize) -> (any DirectMemory)? {
            if let current, current.size == size { return current }
            guard isDirect else { return nil }
            current = Memory(size)
            return current
        }
        func forgetMemory() {
            forgotten += 1
            current = nil
        }
    }

    private func bgra(_ picture: TestPicture) -> TestPicture {
        var picture = picture
        picture.format.layout = .rgb(.bgra)
        for red in stride(from: 0, to: picture.planes[0].count, by: 4) { picture.planes[0].swapAt(red, red + 2) }
        return picture
    }

    @Test("a picture in a window's own order is shown from shared memory, then drawn as it would have been")
    func shown() throws {
        let canvas = try Canvas(31, 17)
        let format = PictureFormat(size: PixelSize(width: 31, height: 17), layout: .rgb(.rgba))
        for padding in [0, 12] {
            let output = Output()
            let texture = SurfaceTexture(device: .direct, direct: output)
            #expect(!texture.hasPicture)
            let picture = TestPicture.noise(format, padding: padding)
            for other in [TestPicture.noise(format, seed: 9), picture] {
                try bgra(other).withView { view throws(RenderingError) in try texture.upload(view) }
            }
            #expect(texture.hasPicture)
            #expect(texture.isShownDirectly)
            texture.lift = 0.2
            #expect(!texture.isShownDirectly, "one that is to be brighter is drawn")
            texture.lift = 0
            output.isDirect = false
            let all = PixelRect(size: format.size)
            let id = SurfaceID(rawValue: 77)
            let pixels = try canvas.draw([.surface(.init(surface: id, destination: all, clip: all))], [id: texture])
            #expect(output.forgotten == 1)
            #expect(pixels.bytes == (try canvas.draw(TestPicture.noise(format, padding: padding))).bytes)
        }
    }

    @Test("a picture in planes waits, and is drawn when there is a context", arguments: [0, 5])
    func planes(padding: Int) throws {
        let canvas = try Canvas(30, 22)
        let format = DrawnPictureTests.Kind.yuv420.format(30, 22)
        let output = Output()
        let texture = SurfaceTexture(device: .direct, direct: output)
        let picture = TestPicture.noise(format, padding: padding)
        try picture.withView { view throws(RenderingError) in try texture.upload(view) }
        #expect(texture.hasPicture)
        #expect(!texture.isShownDirectly)
        output.isDirect = false
        let all = PixelRect(size: format.size)
        let id = SurfaceID(rawValue: 77)
        let pixels = try canvas.draw([.surface(.init(surface: id, destination: all, clip: all))], [id: texture])
        #expect(pixels.bytes == (try canvas.draw(picture)).bytes)
    }

    @Test("one that no driver would take is refused at once, and the picture before stays")
    func refused() throws {
        let output = Output()
        let texture = SurfaceTexture(device: .direct, direct: output)
        let format = PictureFormat(size: PixelSize(width: 8, height: 8), layout: .rgb(.bgra))
        try TestPicture.noise(format).withView { view throws(RenderingError) in try texture.upload(view) }
        let empty = PictureFormat(size: PixelSize(width: 0, height: 8), layout: .rgb(.bgra))
        #expect(throws: RenderingError.emptyPicture) {
            try TestPicture.noise(format).withView { view throws(RenderingError) in
                try texture.upload(PictureView(format: empty, view[plane: 0]))
            }
        }
        #expect(texture.format == format)
        texture.removePicture()
        #expect(!texture.hasPicture)
        #expect(!texture.isShownDirectly)
    }
}
