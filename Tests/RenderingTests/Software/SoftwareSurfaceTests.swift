import GlissadeGeometry
import GlissadeLayers
import GlissadePicture
import GlissadeRendering
import Testing
import GlissadeTestSupport

/// The pictures of surfaces in memory: whose they are, and how it is told that they are others.
@MainActor @Suite("Software surface") struct SoftwareSurfaceTests {
    private static func picture(_ size: PixelSize, _ level: Int) -> TestPicture {
        TestPicture(PixelFormat(size: size, layout: .rgb(.bgra))) { _, _, _ in level }
    }

    @Test("Every frame and brightness has a content id of its own, different from other surfaces'")
    func generations() throws {
        let (first, second) = (SoftwareSurface(), SoftwareSurface())
        var seen: Set<Int> = [first.generation, second.generation]
        func changed(_ surface: SoftwareSurface) -> Bool { seen.insert(surface.generation).inserted }
        let size = PixelSize(width: 4, height: 3)
        for surface in [first, second] {
            try Self.picture(size, 7).withView { view throws(RenderingError) in try surface.upload(view) }
            #expect(changed(surface))
            surface.brightnessOffset = 0.2
            #expect(changed(surface))
            surface.brightnessOffset = 0.2
            #expect(!changed(surface))
            surface.removePicture()
            #expect(changed(surface) && !surface.hasPicture)
        }
    }

    @Test("Frames of changing size are each kept unchanged")
    func sizes() throws {
        let canvas = SoftwareCanvas(30, 30)
        for (index, side) in [20, 9, 30, 30, 3].enumerated() {
            let size = PixelSize(width: side, height: side)
            let capacity = index == 1 ? PixelSize(width: 64, height: 2) : nil
            try Self.picture(size, 40 * index).withView { view throws(RenderingError) in
                try canvas.surface.upload(view, capacity: capacity)
            }
            let rect = PixelRect(size: size)
            let pixels = try canvas.draw([SoftwareCompositorTests.surface(rect)])
            let error = pixels.largestError { x, y in
                SIMD3(repeating: x < side && y < side ? Double(40 * index) : 51)
            }
            #expect(error == 0)
        }
    }

    @Test("Frames made over one another are drawn from where they were made, and their memory is freed at last")
    func overwriting() throws {
        let canvas = SoftwareCanvas(12, 9)
        weak var memory: (any FrameAllocator)?
        for (index, side) in [3, 5, 9, 4].enumerated() {
            let size = PixelSize(width: side, height: side)
            let allocator = try #require(
                canvas.surface.overwritingAllocator(for: size, capacity: PixelSize(width: 9, height: 9)))
            #expect(memory == nil || memory === allocator)
            memory = allocator
            #expect(allocator.take(PixelSize(width: 20, height: 20)) == nil)
            let address = try #require(allocator.take(size))
            address.initializeMemory(as: UInt8.self, repeating: UInt8(60 + index), count: side * side * 4)
            try canvas.surface.upload(
                PixelView(
                    format: PixelFormat(size: size, layout: .rgb(.bgra), range: .full),
                    .init(base: UnsafeRawPointer(address), stride: side * 4)))
            let pixels = try canvas.draw([SoftwareCompositorTests.surface(PixelRect(size: size))])
            let error = pixels.largestError { x, y in
                SIMD3(repeating: x < side && y < side ? Double(60 + index) : 51)
            }
            #expect(error == 0)
        }
        canvas.surface.removePicture()
        #expect(memory == nil)
        for width in [0, 1 << 20] {
            let size = PixelSize(width: width, height: 4)
            #expect(canvas.surface.overwritingAllocator(for: size, capacity: PixelSize(width: 9, height: 9)) == nil)
        }
    }

    @Test(
        "Memory for changing sizes is kept while frames are as large, and freed after 300 smaller ones",
        arguments: [9, 8])
    func overwrittenMemoryIsKept(side: Int) throws {
        let surface = SoftwareSurface()
        let largest = PixelSize(width: 9, height: 9)
        weak let memory = surface.overwritingAllocator(for: largest, capacity: largest)
        try #require(memory != nil)
        let size = PixelSize(width: side, height: side)
        let allocator = try #require(surface.allocator(for: size))
        for index in 1...1000 {
            let address = try #require(allocator.take(size))
            let view = PixelView(
                format: PixelFormat(size: size, layout: .rgb(.bgra), range: .full),
                .init(base: UnsafeRawPointer(address), stride: side * 4))
            try surface.upload(view)
            allocator.giveBack(address)
            #expect((memory != nil) == (side == 9 || index < 300), "frame \(index)")
        }
    }

    @Test("Adopted memory is kept until the next frame and returned once")
    func adoption() throws {
        let canvas = SoftwareCanvas(6, 4)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 32 * 4, alignment: 64)
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: 90, count: 32 * 4)
        var released = 0
        let size = PixelSize(width: 6, height: 4)
        let all = PixelRect(size: size)
        try canvas.surface.adopt(memory: memory, stride: 32, size: size) { released += 1 }
        #expect(
            try canvas.draw([SoftwareCompositorTests.surface(all)]).largestError { _, _ in SIMD3(repeating: 90) } == 0)
        let generation = canvas.surface.generation
        memory.initializeMemory(as: UInt8.self, repeating: 91, count: 32 * 4)
        try canvas.surface.adopt(memory: memory, stride: 32, size: size) { released += 10 }
        #expect(released == 1 && canvas.surface.generation != generation)
        #expect(
            try canvas.draw([SoftwareCompositorTests.surface(all)]).largestError { _, _ in SIMD3(repeating: 91) } == 0)
        try canvas.upload(Self.picture(size, 12))
        #expect(released == 11)
        #expect(memory.load(as: UInt8.self) == 91, "what was adopted is not written")
        #expect(
            try canvas.draw([SoftwareCompositorTests.surface(all)]).largestError { _, _ in SIMD3(repeating: 12) } == 0)
        for (stride, offset) in [(20, 0), (26, 0), (32, 1)] {
            #expect(throws: RenderingError.self) {
                try canvas.surface.adopt(memory: memory + offset, stride: stride, size: size) { released += 100 }
            }
        }
        var surface: SoftwareSurface? = SoftwareSurface()
        try surface?.adopt(memory: memory, stride: 32, size: size) { released += 1000 }
        surface = nil
        #expect(released == 1011 && canvas.surface.hasPicture)
    }
}
