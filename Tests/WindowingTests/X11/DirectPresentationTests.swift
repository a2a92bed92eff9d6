import GlissadeGeometry
import GlissadeLayers
import GlissadePicture
import GlissadePlatform
import GlissadeRendering
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadeWindowing

/// A film's pictures that the server copies into the window from where they were made.
@MainActor
@Suite("Presenting video directly", .serialized, .enabled(if: hasXvfb, "there is no Xvfb"))
struct DirectPresentationTests {
    private typealias Scene = XSoftwareOutputTests.Scene
    private static let window = PixelSize(width: 200, height: 120)
    private static let place = PixelRect(minX: 11, minY: 7, maxX: 171, maxY: 97)
    private static let background: UInt32 = 0x204060

    private static func color(_ value: UInt32) -> Color {
        Color(
            red: Double(value >> 16 & 0xFF) / 255, green: Double(value >> 8 & 0xFF) / 255,
            blue: Double(value & 0xFF) / 255)
    }

    /// A renderer that draws a background and a film in a window, and what makes the film's pictures.
    @MainActor private struct Cinema {
        let scene: Scene
        let renderer: SoftwareRenderer
        let target: any VideoTarget
        var list = DisplayList(viewport: DirectPresentationTests.window)

        init(_ kind: XSoftwareOutputTests.Kind = .usual) throws {
            scene = try Scene(kind, DirectPresentationTests.window)
            renderer = SoftwareRenderer(output: scene.output, images: ImageCache())
            target = renderer.makeVideoTarget(for: .film)
            list.items = [
                .fill(
                    PixelRect(size: DirectPresentationTests.window),
                    DirectPresentationTests.color(DirectPresentationTests.background)),
                .surface(
                    SurfacePlacement(
                        surface: SurfaceID(rawValue: 1), destination: DirectPresentationTests.place,
                        clip: DirectPresentationTests.place)),
            ]
        }

        /// Makes a picture of one color in allocated memory. Returns false if there is none.
        func make(_ color: UInt32) throws -> Bool {
            let size = DirectPresentationTests.place.size
            let allocator = try #require(target.allocator(for: size))
            guard let memory = allocator.take(size) else { return false }
            for index in 0..<size.width * size.height {
                memory.storeBytes(of: color | 0xFF00_0000, toByteOffset: index * 4, as: UInt32.self)
            }
            let format = PixelFormat(size: size, layout: .rgb(.bgra), range: .full)
            try target.upload(PixelView(format: format, .init(base: memory, stride: size.width * 4)))
            allocator.giveBack(memory)
            return true
        }

        func show() throws {
            try renderer.draw(list) { $0 == SurfaceID(rawValue: 1) ? target : nil }
            try renderer.present()
        }

        /// How many frames of the window's were shown.
        var frames: Int { scene.output.shownCount - pictures }
        /// How many pictures were shown as they are, by what no buffer was shown with.
        var pictures: Int { scene.output.shownCount - Int(scene.output.frames.map(\.serial).max() ?? 0) }

        func has(_ color: UInt32, in area: PixelRect) -> Bool {
            scene.window.has([UInt32](repeating: color, count: area.width * area.height), in: area)
        }
    }

    private static let strips = [
        PixelRect(minX: 0, minY: 0, maxX: 200, maxY: 7), PixelRect(minX: 0, minY: 97, maxX: 200, maxY: 120),
        PixelRect(minX: 0, minY: 0, maxX: 11, maxY: 120), PixelRect(minX: 171, minY: 0, maxX: 200, maxY: 120),
    ]

    @Test(
        "If only the video frame changes the window shows it without drawing",
        arguments: [XSoftwareOutputTests.Kind.usual, .display])
    func alone(_ kind: XSoftwareOutputTests.Kind) throws {
        let cinema = try Cinema(kind)
        #expect(try cinema.make(0x111111))
        try cinema.show()
        try cinema.scene.finish()
        for number in 1...20 {
            let color = UInt32(number) * 0x0A0B0C
            #expect(try cinema.make(color), "each picture is free again once it was shown")
            try cinema.show()
            try cinema.scene.finish()
            #expect(cinema.pictures == number && cinema.frames == 1)
            #expect(cinema.has(color, in: Self.place))
        }
        for strip in Self.strips { #expect(cinema.has(Self.background, in: strip)) }
    }

    @Test("The next draw includes the newest video frame in every buffer")
    func drawnOver() throws {
        var cinema = try Cinema()
        _ = try cinema.make(0x111111)
        try cinema.show()
        for color: UInt32 in [0x222222, 0x333333] {
            #expect(try cinema.make(color))
            try cinema.show()
        }
        let box = PixelRect(minX: 20, minY: 20, maxX: 60, maxY: 50)
        cinema.list.items.append(.fill(box, Self.color(0xFF8040)))
        for color: UInt32 in [0x333333, 0x444444, 0x555555] {
            #expect(try cinema.make(color))
            try cinema.show()
            try cinema.scene.finish()
            #expect(cinema.pictures == 0, "a layer over the picture must be drawn")
            #expect(cinema.has(0xFF8040, in: box))
            #expect(cinema.has(color, in: PixelRect(minX: 60, minY: 7, maxX: 171, maxY: 97)))
        }
        cinema.list.items.removeLast()
        try cinema.show()
        try cinema.scene.finish()
        #expect(cinema.pictures == 1, "the picture alone takes away what lay over it")
        #expect(cinema.has(0x555555, in: Self.place))
        #expect(try cinema.make(0x666666))
        try cinema.show()
        try cinema.scene.finish()
        #expect(cinema.pictures == 2)
        #expect(cinema.has(0x666666, in: Self.place))
        for strip in Self.strips { #expect(cinema.has(Self.background, in: strip)) }
    }

    @Test(
        "A scaled, shaded, rounded, turned, translucent, brighter or clipped video is drawn",
        arguments: 0..<7)
    func drawn(_ number: Int) throws {
        var cinema = try Cinema()
        guard case .surface(var placement) = cinema.list.items[1] else {
            Issue.record("the list has no surface")
            return
        }
        switch number {
        case 0: placement.destination.maxX += 1
        case 1: placement.shade = 0.5
        case 2: placement.cornerRadius = 9
        case 3: placement.rotation = .half
        case 4: placement.opacity = 0.5
        case 5: placement.quarterTurns = 0.1
        default: cinema.target.brightnessOffset = 0.1
        }
        cinema.list.items[1] = .surface(placement)
        for color: UInt32 in [0x111111, 0x222222, 0x333333] {
            #expect(try cinema.make(color))
            try cinema.show()
            try cinema.scene.finish()
            #expect(cinema.pictures == 0)
        }
    }

    @Test("A window that lost its content or was resized is drawn")
    func lost() throws {
        var cinema = try Cinema()
        _ = try cinema.make(0x111111)
        try cinema.show()
        cinema.renderer.invalidate()
        _ = try cinema.make(0x222222)
        try cinema.show()
        #expect(cinema.pictures == 0)
        try cinema.scene.finish()
        cinema.scene.window.remap()
        _ = try cinema.make(0x333333)
        try cinema.show()
        try cinema.scene.finish()
        #expect(cinema.has(0x333333, in: Self.place))
        for strip in Self.strips { #expect(cinema.has(Self.background, in: strip)) }
        let larger = PixelSize(width: 210, height: 130)
        cinema.scene.window.resize(larger)
        cinema.list.viewport = larger
        cinema.list.items[0] = .fill(PixelRect(size: larger), Self.color(Self.background))
        _ = try cinema.make(0x444444)
        try cinema.show()
        #expect(cinema.pictures == 0)
        try cinema.scene.finish()
        #expect(cinema.has(0x444444, in: Self.place))
        #expect(cinema.has(Self.background, in: PixelRect(minX: 171, minY: 0, maxX: 210, maxY: 130)))
    }

    @Test("Frames that will be read back are drawn")
    func read() throws {
        let cinema = try Cinema()
        cinema.renderer.keepsPixels = true
        for color: UInt32 in [0x111111, 0x222222] {
            _ = try cinema.make(color)
            try cinema.renderer.draw(cinema.list) { _ in cinema.target }
            let pixels = cinema.renderer.readPixels(Self.window)
            #expect(pixels.count == 200 * 120 * 4 && pixels[(50 * 200 + 50) * 4] == UInt8(color & 0xFF))
            try cinema.renderer.present()
        }
        #expect(cinema.pictures == 0)
    }

    @Test(
        "Without shared memory, or with another pixel format, video is drawn",
        arguments: [
            XSoftwareOutputTests.Kind.withoutSharedMemory, .withoutRegions, .sixteenBits,
        ])
    func otherWays(_ kind: XSoftwareOutputTests.Kind) throws {
        let cinema = try Cinema(kind)
        for color: UInt32 in [0x000000, 0xFFFFFF] {
            #expect(try cinema.make(color))
            try cinema.show()
            try cinema.scene.finish()
            #expect(cinema.pictures == 0)
            #expect(cinema.has(color, in: Self.place))
        }
    }

    @Test("When a window closes or the server dies, all buffers are returned")
    func gone() throws {
        let cinema = try Cinema()
        for color in 1...3 {
            _ = try cinema.make(UInt32(color))
            try cinema.show()
        }
        cinema.scene.window.destroy()
        for color in 1...20 {
            #expect(try cinema.make(UInt32(color)))
            try cinema.show()
        }
        try cinema.scene.finish()
        #expect(!cinema.scene.output.hasWindow && cinema.scene.output.shownPictures.isEmpty)
        let other = try Cinema()
        for color in 1...3 {
            _ = try other.make(UInt32(color))
            try other.show()
        }
        other.scene.server.kill()
        #expect(throws: RenderingError.presentation("the connection to the X server is lost")) {
            for color in 1...20 {
                _ = try other.make(UInt32(color))
                try other.show()
            }
        }
    }

    @Test("A frame in one window's memory can be shown in another window of the same connection")
    func shared() throws {
        let cinema = try Cinema()
        _ = try cinema.make(0x111111)
        let window = try ObservedWindow(cinema.scene.server.name, Self.window)
        let output = try XSoftwareOutput(window: window.id, on: cinema.scene.connection)
        let renderer = cinema.renderer.makeSibling(output: output)
        for color: UInt32 in [0x111111, 0x222222, 0x333333] {
            #expect(try cinema.make(color))
            try renderer.draw(cinema.list) { _ in cinema.target }
            try renderer.present()
            #expect(try output.finish(until: .now() + .seconds(20)))
            window.waitForServer()
            #expect(window.has([UInt32](repeating: color, count: 160 * 90), in: Self.place))
        }
        #expect(output.shownCount == 3 && output.frames.map(\.serial).max() == 1)
    }
}
