import GlissadeGeometry
import GlissadeLayers
import GlissadePicture
import GlissadePlatform
import GlissadeRendering
import Testing
import GlissadeTestSupport
import GlissadeTime

/// Drawing no more than has changed.
@MainActor @Suite("Software rendering of damage") struct SoftwareDamageTests {
    private static let size = PixelSize(width: 60, height: 44)
    private static let film = PixelRect(minX: 10, minY: 8, maxX: 34, maxY: 24)

    private static func upload(_ seed: UInt64, to surface: SoftwareSurface) throws {
        let picture = TestPicture.noise(
            PixelFormat(size: SoftwareCompositorTests.size, layout: .rgb(.bgra)), seed: seed)
        try picture.withView { view throws(RenderingError) in try surface.upload(view) }
    }

    @Test("After any sequence of lists and frames each frame equals a full redraw", arguments: 0..<6)
    func sequence(seed: Int) throws {
        let (canvas, whole) = (SoftwareCanvas(60, 44), SoftwareCanvas(60, 44))
        let surfaces = [SoftwareSurface(), SoftwareSurface()]
        let images = [PixelSize(width: 12, height: 9)]
        let image = ImageID(rawValue: 1)
        try canvas.renderer.images.set(image, .painted(images[0], BoxTests.blue))
        var lists = RandomLists(
            seed: 900 + seed, viewport: Self.size,
            surfaces: [SoftwareCompositorTests.size, SoftwareCompositorTests.size],
            images: images)
        var list = lists.list(RandomLists.Kind.allCases.filter { $0 != .text }, count: 5)
        var shown: Pixels?
        for frame in 0..<60 {
            switch lists.int(0...6) {
            case 0: list = lists.list(RandomLists.Kind.allCases.filter { $0 != .text }, count: 5)
            case 1: try Self.upload(UInt64(frame), to: lists.pick(surfaces))
            case 2: lists.pick(surfaces).brightnessOffset = lists.fraction() - 0.5
            case 3:
                let more = lists.list([.fill, .box, .surface], count: 2).items
                list.items.replaceSubrange(2...3, with: more[1...])
            case 4: if lists.chance(0.3) { lists.pick(surfaces).removePicture() }
            case 5: try canvas.renderer.images.set(image, .painted(images[0], lists.chance(0.5) ? .white : .gray))
            default: break
            }
            let of: (SurfaceID) -> SoftwareSurface? = {
                (1...2).contains($0.rawValue) ? surfaces[$0.rawValue - 1] : nil
            }
            let (pixels, changed) = try canvas.drawChanges(list, surfaces: of)
            let other = SoftwareCompositor(images: canvas.renderer.images)
            let buffer = try #require(try whole.output.takeBuffer(Self.size))
            try other.draw(list, into: buffer, surfaces: of)
            whole.output.show(buffer, changed: nil)
            #expect(pixels.bytes == whole.output.readPixels(), "frame \(frame)")
            if let shown, let changed {
                // Nothing looks otherwise outside of what is said to.
                let error = pixels.largestError { x, y in
                    let pixel = PixelRect(minX: x, minY: y, maxX: x + 1, maxY: y + 1)
                    return changed.contains(pixel) ? pixels[x, y] : shown[x, y]
                }
                #expect(error == 0, "frame \(frame)")
            }
            shown = pixels
        }
    }

    @Test("On a page at rest only new video frames are drawn, and nothing while paused")
    func film() throws {
        let canvas = SoftwareCanvas(60, 44)
        let rest = canvas.list([SoftwareCompositorTests.surface(Self.film)])
        try Self.upload(1, to: canvas.surface)
        var parts: [PixelRect?] = []
        for frame in 0..<6 {
            if frame == 2 || frame == 5 { try Self.upload(UInt64(frame), to: canvas.surface) }
            parts.append(try canvas.drawChanges(rest) { _ in canvas.surface }.changed)
        }
        #expect(parts[0] == nil)
        #expect(parts[1]?.isEmpty == true && parts[3]?.isEmpty == true && parts[4]?.isEmpty == true)
        #expect(parts[2] == Self.film && parts[5] == Self.film)
        let next = canvas.renderer.changes(of: rest) { _ in canvas.surface }
        #expect(next?.isEmpty == true)
    }

    @Test("Text that appeared and disappeared during partial draws leaves nothing, and visible text stays")
    func stills() throws {
        let asked = Monitor(PaintingRasterizer.Asked())
        let images = ImageCache(byteLimit: 20 * 8 * 8 * 4, makeRasterizer: { PaintingRasterizer(asked, isMain: true) })
        let canvas = SoftwareCanvas(60, 44, images: images)
        let clock = PixelRect(minX: 0, minY: 0, maxX: 8, maxY: 8)
        let title = ImageTests.text("title", at: PixelRect(minX: 40, minY: 30, maxX: 48, maxY: 38))
        for frame in 0..<600 {
            try Self.upload(UInt64(frame % 3), to: canvas.surface)
            let list = canvas.list([
                SoftwareCompositorTests.surface(Self.film), ImageTests.text("\(frame)", at: clock), title,
            ])
            _ = try canvas.drawChanges(list) { _ in canvas.surface }
        }
        // Those of the last 64 frames, at most.
        #expect(images.byteCount <= (64 + 22) * 8 * 8 * 4)
        #expect(asked.withLock(\.main).count { $0 == "title" } == 1)
    }

    @Test("Undamaged pixels are not touched, and an unknown buffer is drawn completely")
    func untouched() throws {
        let canvas = SoftwareCanvas(60, 44)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 60 * 44 * 4, alignment: 64)
        defer { memory.deallocate() }
        func draw(_ list: DisplayList, id: Int) throws {
            let buffer = FrameBuffer(memory: memory, stride: 240, size: Self.size, id: id)
            _ = try canvas.renderer.drawChanges(of: list, into: buffer) { _ in canvas.surface }
        }
        func pixel(_ x: Int, _ y: Int) -> UInt32 {
            memory.load(fromByteOffset: y * 240 + x * 4, as: UInt32.self) & 0xFF_FFFF
        }
        let rest = canvas.list([SoftwareCompositorTests.surface(Self.film)])
        try draw(rest, id: 1)
        memory.storeBytes(of: 0x12_3456, as: UInt32.self)
        try Self.upload(1, to: canvas.surface)
        try draw(rest, id: 1)
        #expect(pixel(0, 0) == 0x12_3456 && pixel(12, 9) != 0)
        try draw(rest, id: 2)
        #expect(pixel(0, 0) == 0x33_3333)
    }
}
