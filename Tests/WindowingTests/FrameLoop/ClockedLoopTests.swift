import GlissadeGeometry
import GlissadePlatform
import GlissadeRendering
import Testing
import GlissadeTime

@testable import GlissadePresentation
@testable import GlissadeWindowing

/// The frame loop in a window of an X server whose refreshes the Present extension reports.
@MainActor @Suite("Frame loop with a display clock", .serialized)
struct ClockedLoopTests {
    @Test(
        "The frame loop learns the refresh rate from the server's reports and follows it", arguments: [true, false])
    func learnsRate(isDrawnByCPU: Bool) throws {
        let connection = try XConnection.shared()
        let hadDisplay = connection.hasDisplay
        // The refreshes that a virtual server makes up stand for a display's.
        connection.hasDisplay = true
        defer { connection.hasDisplay = hadDisplay }
        var options = WindowOptions(size: Size(width: 64, height: 48), position: Point(x: 40, y: 30))
        options.isDrawnByCPU = isDrawnByCPU
        let window = try Window(options)
        window.show()
        #expect(SecondWindowTests.wait(window) { window.x11.isViewable })
        let renderer: any Renderer =
            if let output = window.output {
                SoftwareRenderer(output: output, images: ImageCache())
            } else {
                GLRenderer(Compositor(device: try GLDevice()))
            }
        let client = SecondaryWindowTests.Client()
        client.isAnimating = true
        let loop = FrameLoop(surface: window, renderer: renderer, client: client, log: FrameLog())
        #expect(loop.pacer.clock.period == nil)
        // Sixtieths of a second, as Xvfb makes them up; late ones, on a busy machine, at first mislead.
        func isRight() -> Bool { loop.pacer.clock.refreshRate.map { abs($0 - 60) < 1 } ?? false }
        client.isDone = { client in client.presents >= 60 && isRight() || client.presents >= 3000 }
        try loop.run()
        #expect(isRight())
        #expect(client.presents >= 60)
    }

    @Test("A window tells the server's driver whether it may vary the refresh rate")
    func variableRefresh() throws {
        let window = try Window(WindowOptions(size: Size(width: 64, height: 48)))
        let x11 = window.x11
        #expect(!x11.hasVariableRefresh)
        window.setVariableRefresh(true)
        #expect(x11.hasVariableRefresh)
        window.setVariableRefresh(false)
        #expect(!x11.hasVariableRefresh)
    }

    @Test(
        "A virtual display, whose refreshes are made up, is paced by a timer",
        .enabled("the server has a display") { try await MainActor.run { try !XConnection.shared().hasDisplay } })
    func virtualDisplay() throws {
        var options = WindowOptions(size: Size(width: 64, height: 48))
        options.isDrawnByCPU = true
        let window = try Window(options)
        window.show()
        let output = try #require(window.output)
        let client = SecondaryWindowTests.Client()
        client.isAnimating = true
        let log = FrameLog()
        let loop = FrameLoop(
            surface: window, renderer: SoftwareRenderer(output: output, images: ImageCache()), client: client, log: log)
        client.isDone = { $0.presents >= 30 }
        try loop.run()
        #expect(loop.pacer.clock.period == nil && client.presents >= 30)
        // That it is virtual does not keep it from reporting frames.
        #expect(log.presentedCount > 0)
    }
}
