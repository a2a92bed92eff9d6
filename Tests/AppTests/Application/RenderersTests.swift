import Foundation
import GlissadeGeometry
import GlissadeLayers
import GlissadePicture
import GlissadePlatform
import Testing
import GlissadeTestSupport
import GlissadeTime
import GlissadeWindowing

@testable import GlissadeApp
@testable import GlissadeRendering
import GlissadeText

/// The program's own pages, drawn by both renderers.
@MainActor @Suite("Comparison of both renderers on the program's pages") struct RenderersTests {
    /// 640 × 480 points, so that all controls are as they are at one pixel a point.
    private static func size(_ scale: Double) -> PixelSize {
        PixelSize(width: Int(640 * scale), height: Int(480 * scale))
    }

    /// Draws lists by OpenGL, with the pictures and images that the program has.
    @MainActor private final class OpenGL {
        private let size: PixelSize
        private let surface: OffscreenSurface
        private let device: GLDevice
        private let compositor: Compositor
        private let signal = WakeSignal()

        init(_ size: PixelSize) throws {
            self.size = size
            surface = try OffscreenSurface(size: size)
            device = try GLDevice()
            let signal = signal
            compositor = Compositor(
                device: device,
                images: ImageCache(device: device, makeRasterizer: TextRasterizer.init, wake: { signal.raise() }))
        }

        isolated deinit { surface.makeCurrent() }  // What is released next belongs to this context.

        func draw(_ list: DisplayList, by program: SteppedProgram) throws -> [UInt8] {
            surface.makeCurrent()
            for case .image(let placement) in list.items {
                guard case .image(let id) = placement.source, !compositor.images.has(id) else { continue }
                try compositor.images.set(id, try #require(Self.bitmap(placement, of: program)))
            }
            var textures: [SurfaceID: VideoTexture] = [:]
            for case .surface(let placement) in list.items where textures[placement.surface] == nil {
                guard let target = program.application.videoTarget(for: placement.surface) as? SoftwareSurface,
                    let raster = target.raster
                else { continue }
                let texture = VideoTexture(device: device)
                let pixels = Bitmap(size: raster.size, pixels: raster.readPixels())
                let format = PixelFormat(size: raster.size, layout: .rgb(.rgba), range: .full)
                try pixels.pixels.withUnsafeBytes { bytes throws in
                    let base = try #require(bytes.baseAddress)
                    try texture.upload(PixelView(format: format, .init(base: base, stride: raster.size.width * 4)))
                }
                texture.brightnessOffset = target.brightnessOffset
                textures[placement.surface] = texture
            }
            let isComplete = try signal.wait(atMost: .seconds(60)) {
                try compositor.draw(list) { textures[$0] }
                return !compositor.lacksImages
            }
            #expect(isComplete)
            return device.readPixels(size)
        }

        /// An image that the program was given.
        private static func bitmap(_ placement: ImagePlacement, of program: SteppedProgram) -> Bitmap? {
            let images = program.application.renderer.images
            let viewer = images.addViewer()
            defer { images.remove(viewer) }
            guard let still = images.image(for: placement, scale: 1, viewer: viewer)?.0 as? ImageRaster else {
                return nil
            }
            let size = still.size
            guard case .one(let raster) = still.level(for: size) else { return nil }
            var pixels: [UInt8] = []
            for y in 0..<size.height {
                for x in 0..<size.width { withUnsafeBytes(of: raster.value(x, y).littleEndian) { pixels += $0 } }
            }
            return Bitmap(size: size, pixels: pixels)
        }
    }

    private func compare(_ program: SteppedProgram, by openGL: OpenGL, _ what: String) throws {
        let (renderer, list) = (program.application.renderer, program.list)
        try #require(!list.items.isEmpty)
        let isComplete = try eventually(within: .seconds(60)) {
            try renderer.draw(list) { program.application.videoTarget(for: $0) }
            return !renderer.lacksImages
        }
        #expect(isComplete)
        let drawn = renderer.readPixels(list.viewport)
        let expected = try openGL.draw(list, by: program)
        try #require(drawn.count == expected.count && !drawn.isEmpty)
        var squares = 0.0
        // Alpha is 255 in both.
        for index in drawn.indices where index % 4 != 3 {
            let difference = Double(drawn[index]) - Double(expected[index])
            squares += difference * difference
        }
        let mean = squares / Double(drawn.count / 4 * 3)
        let decibels = mean == 0 ? .infinity : 10 * log10(255 * 255 / mean)
        #expect(decibels >= 40, "\(what): \(decibels) dB")
    }

    private static func showsPoster(_ list: DisplayList) -> Bool {
        list.items.contains { item in
            guard case .image(let placement) = item, case .image = placement.source else { return false }
            return true
        }
    }

    @Test(
        "The player at rest, dragged half aside over the library, and the library with posters look the same",
        arguments: [1, 1.25, 2])
    func pages(scale: Double) throws {
        let size = Self.size(scale)
        let program = try SteppedProgram(size: size, scale: scale, playing: SteppedProgram.sample, isPaused: true)
        let openGL = try OpenGL(size)
        try program.run("the first frame") { $0.application.playing?.film.shownTime != nil }
        program.move(to: Point(x: 300, y: 200))
        program.move(to: Point(x: 301, y: 200))
        try program.run("the controls") { !$0.icons.isEmpty && !$0.texts.isEmpty }
        try compare(program, by: openGL, "the player")
        program.drag(from: Point(x: 10, y: 240), to: Point(x: 320, y: 240))
        program.draw()
        try #require(program.application.stack.isTransitioning)
        try compare(program, by: openGL, "half aside")
        program.release(at: Point(x: 600, y: 240))
        try program.settle()
        try program.run("a poster") { Self.showsPoster($0.list) }
        try compare(program, by: openGL, "the library")
    }

    @Test("Every drawn step of the fullscreen transition looks the same", arguments: [1, 1.25, 2])
    func fullscreen(scale: Double) throws {
        let size = Self.size(scale)
        let program = try SteppedProgram(size: size, scale: scale, playing: SteppedProgram.sample, isPaused: true)
        let openGL = try OpenGL(size)
        try program.run("the first frame") { $0.application.playing?.film.shownTime != nil }
        program.type("f")
        for step in 0..<8 {
            program.pass(.milliseconds(40))
            try compare(program, by: openGL, "step \(step)")
        }
    }
}
