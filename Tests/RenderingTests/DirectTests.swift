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
            var lettings = 0
            init(_ size: PixelSize) {
                self.size = size
                bytes = .allocate(byteCount: size.width * size.height * 4, alignment: 64)
            }
            isolated deinit { bytes.deallocate() }
            func letGo() { lettings += 1 }
        }

        final class Lender: PictureMemory {
            func take(_ size: PixelSize) -> UnsafeMutableRawPointer? { nil }
            func giveBack(_ memory: UnsafeMutableRawPointer) {}
        }

        var isDirect = true
        var current: Memory?
        /// What pictures may lie in already.
        var lent: [Memory] = []

        func memory(for size: PixelSize) -> (any DirectMemory)? {
            if let current, current.size == size { return current }
            guard isDirect else { return nil }
            current = Memory(size)
            return current
        }
        func lender(for size: PixelSize) -> (any PictureMemory)? { size.isEmpty ? nil : Lender() }
        func claim(_ picture: PictureView) -> (any DirectMemory)? {
            lent.first { UnsafeRawPointer($0.bytes) == picture[plane: 0].base && $0.size == picture.format.size }
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
            #expect(texture.directMemory != nil)
            texture.lift = 0.2
            #expect(texture.directMemory == nil, "one that is to be brighter is drawn")
            texture.lift = 0
            output.isDirect = false
            let all = PixelRect(size: format.size)
            let id = SurfaceID(rawValue: 77)
            let pixels = try canvas.draw([.surface(.init(surface: id, destination: all, clip: all))], [id: texture])
            #expect(output.current?.lettings == 2, "the second took the place of the first, and went to a texture")
            #expect(pixels.bytes == (try canvas.draw(TestPicture.noise(format, padding: padding))).bytes)
        }
    }

    @Test("a picture that was made in what is lent is shown from there, and let go with the next one")
    func lent() throws {
        let canvas = try Canvas(12, 9)
        let format = PictureFormat(size: PixelSize(width: 12, height: 9), layout: .rgb(.rgba))
        let output = Output()
        let texture = SurfaceTexture(device: .direct, direct: output)
        #expect(texture.lender(for: format.size) != nil && texture.lender(for: PixelSize(width: 0, height: 3)) == nil)
        output.lent = (0..<3).map { _ in Output.Memory(format.size) }
        let pictures = (0..<3).map { TestPicture.noise(format, seed: UInt64($0) + 5) }
        func upload(_ room: Output.Memory, _ picture: TestPicture) throws {
            let samples = bgra(picture).planes[0].map { UInt8($0) }
            room.bytes.copyMemory(from: samples, byteCount: samples.count)
            var own = format
            own.layout = .rgb(.bgra)
            try texture.upload(PictureView(format: own, .init(base: UnsafeRawPointer(room.bytes), stride: 12 * 4)))
        }
        for index in [0, 1, 1] {
            try upload(output.lent[index], pictures[index])
            #expect(texture.directMemory === output.lent[index])
        }
        #expect(output.current == nil, "none was copied")
        #expect(output.lent.map(\.lettings) == [1, 1, 0], "claimed once more before it is let go")
        // One that lies elsewhere is copied.
        try bgra(pictures[2]).withView { view throws(RenderingError) in try texture.upload(view) }
        #expect(texture.directMemory === output.current && output.current != nil)
        #expect(output.lent.map(\.lettings) == [1, 2, 0])
        try upload(output.lent[2], pictures[2])
        output.isDirect = false
        let all = PixelRect(size: format.size)
        let id = SurfaceID(rawValue: 77)
        let pixels = try canvas.draw([.surface(.init(surface: id, destination: all, clip: all))], [id: texture])
        #expect(pixels.bytes == (try canvas.draw(pictures[2])).bytes)
        #expect(output.lent.map(\.lettings) == [1, 2, 1])
        #expect(texture.lender(for: format.size) == nil)
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
        #expect(texture.directMemory == nil)
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
        #expect(texture.directMemory == nil)
    }
}
