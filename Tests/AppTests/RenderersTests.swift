import Foundation
import Host
import Motion
import Picture
import Stage
import Testing
import Windowing

@testable import App
@testable import Rendering

/// The program's own pages, drawn by both renderers.
@MainActor @Suite("Both renderers draw the program's pages alike") struct RenderersTests {
    private static let size = PixelSize(width: 640, height: 480)

    /// Draws lists by OpenGL, with the pictures that the program's surfaces have.
    @MainActor private final class OpenGL {
        private let surface: OffscreenSurface
        private let device: GLDevice
        private let compositor: Compositor
        private let signal = WakeSignal()

        init() throws {
            surface = try OffscreenSurface(size: RenderersTests.size)
            device = try GLDevice()
            let signal = signal
            compositor = Compositor(
                device: device,
                images: ImageTextures(device: device, makeSetter: StillMaker.init, wake: { signal.raise() }))
        }

        isolated deinit { surface.makeCurrent() }  // What is released next belongs to this context.

        func draw(_ list: DisplayList, _ targets: (SurfaceID) -> (any VideoTarget)?) throws -> [UInt8] {
            surface.makeCurrent()
            var textures: [SurfaceID: SurfaceTexture] = [:]
            for case .surface(let placement) in list.items where textures[placement.surface] == nil {
                guard let target = targets(placement.surface) as? SoftwareSurface, let raster = target.raster else {
                    continue
                }
                let texture = SurfaceTexture(device: device)
                let pixels = Bitmap(size: raster.size, pixels: raster.readPixels())
                let format = PictureFormat(size: raster.size, layout: .rgb(.rgba), range: .full)
                try pixels.pixels.withUnsafeBytes { bytes throws in
                    let base = try #require(bytes.baseAddress)
                    try texture.upload(PictureView(format: format, .init(base: base, stride: raster.size.width * 4)))
                }
                texture.lift = target.lift
                textures[placement.surface] = texture
            }
            let deadline = HostTime.now() + .seconds(60)
            repeat {
                try compositor.draw(list) { textures[$0] }
                if compositor.lacksStills { signal.wait(until: deadline) }
            } while compositor.lacksStills && HostTime.now() < deadline
            return device.readPixels(RenderersTests.size)
        }
    }

    /// The list that the program has drawn, without images that only its own renderer was given.
    private func list(of program: SteppedProgram) -> DisplayList {
        var list = program.list
        list.items.removeAll { item in
            guard case .image(let placement) = item, case .image = placement.source else { return false }
            return true
        }
        return list
    }

    private func compare(_ program: SteppedProgram, by openGL: OpenGL, _ what: String) throws {
        let renderer = program.application.renderer
        let list = list(of: program)
        try #require(!list.items.isEmpty)
        func targets(_ surface: SurfaceID) -> (any VideoTarget)? { program.application.videoTarget(for: surface) }
        try renderer.draw(list, surfaces: targets)
        let drawn = renderer.readPixels(Self.size)
        let expected = try openGL.draw(list, targets)
        try #require(drawn.count == expected.count && !drawn.isEmpty)
        var squares = 0.0
        for index in drawn.indices {
            let difference = Double(drawn[index]) - Double(expected[index])
            squares += difference * difference
        }
        let mean = squares / Double(drawn.count)
        let decibels = mean == 0 ? .infinity : 10 * log10(255 * 255 / mean)
        #expect(decibels >= 40, "\(what): \(decibels) dB")
    }

    @Test("The player at rest, half drawn aside, and after the drag")
    func pages() throws {
        let program = try SteppedProgram(size: Self.size, playing: SteppedProgram.sample, isPaused: true)
        let openGL = try OpenGL()
        try program.run("the first frame") { $0.application.playing?.video.shownTime != nil }
        program.move(to: Point(x: 300, y: 200))
        try program.run("the texts") { !$0.application.renderer.lacksStills }
        try compare(program, by: openGL, "the player")
        program.drag(from: Point(x: 10, y: 240), to: Point(x: 320, y: 240))
        program.draw()
        try #require(program.application.stack.isTransitioning)
        try compare(program, by: openGL, "half aside")
        program.release(at: Point(x: 600, y: 240))
        try program.settle()
        try compare(program, by: openGL, "after the drag")
    }

    @Test("Every step of the way to fullscreen that is drawn, and fullscreen")
    func fullscreen() throws {
        let program = try SteppedProgram(size: Self.size, playing: SteppedProgram.sample, isPaused: true)
        let openGL = try OpenGL()
        try program.run("the first frame") { $0.application.playing?.video.shownTime != nil }
        program.type("f")
        for step in 0..<8 {
            program.pass(.milliseconds(40))
            try compare(program, by: openGL, "step \(step)")
        }
    }
}
