import GlissadeCGLFlush
import GlissadeGeometry
import GlissadeLayers
import GlissadePlatform
import GlissadeRendering
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadePresentation
@testable import GlissadeWindowing

/// What is done with a frame that is drawn before it is due.
@MainActor @Suite("Holding a frame") struct HeldFrameTests {
    @Test(
        "OpenGL gets a frame's commands flushed before the frame is held, and no flush if it is shown at once")
    func flushed() throws {
        let surface = SecondaryWindowTests.Surface(
            try OffscreenSurface(size: PixelSize(width: 32, height: 24)), WakeSignal())
        let device = try GLDevice()
        let seat = WindowPresenter(content: nil, surface: surface, renderer: GLRenderer(Compositor(device: device)))
        var flushes: Int32?
        func present(presentTime: HostTime?) throws -> Int32 {
            flushes = nil
            let before = glissade_flush_count()
            surface.onHold = { flushes = glissade_flush_count() - before }
            let times = try seat.present(
                presentTime: presentTime, compose: { $0.items = [.fill(PixelRect(size: $0.viewport), .gray)] },
                targets: { _ in nil }, willPresent: { _ in }, catchUp: { true })
            #expect(times != nil)
            return glissade_flush_count() - before
        }
        // Far more than a draw takes.
        _ = try present(presentTime: .now() + .milliseconds(500))
        #expect(flushes == 1)
        #expect(try present(presentTime: nil) == 0)
        #expect(flushes == nil, "it was not held")
    }

    @Test("A frame is shown even if another thread is faster after every draw")
    func overtaken() throws {
        let surface = SecondaryWindowTests.Surface(
            try OffscreenSurface(size: PixelSize(width: 32, height: 24)), WakeSignal())
        let output = SoftwareMemoryOutput()
        let renderer = SoftwareRenderer(output: output, images: ImageCache())
        let presenter = WindowPresenter(content: nil, surface: surface, renderer: renderer)
        var drawn = 0
        // Shows what is drawn, as the film thread would, and leaves nothing to show.
        surface.onCheck = { try? renderer.present() }
        let times = try presenter.present(
            compose: {
                drawn += 1
                $0.items = [.fill(PixelRect(size: $0.viewport), .gray)]
            },
            targets: { _ in nil }, willPresent: { _ in }, catchUp: { true })
        #expect(times != nil)
        #expect(surface.swaps == 1)
        #expect(drawn == 3, "it is not given up at once")
    }
}
