import GlissadeGeometry
import GlissadeLayers
import GlissadePlatform
import GlissadeRendering
import Testing
import GlissadeTime

@testable import GlissadePresentation
@testable import GlissadeWindowing

/// Frames for which no buffer is free: the window is not visible, or the display keeps all of them.
@MainActor @Suite("Skipped frames") struct SkippedFrameTests {
    private static let size = PixelSize(width: 32, height: 20)

    /// An output in memory that lends no buffer for some frames.
    private final class Output: SoftwareOutput {
        let memory = SoftwareMemoryOutput()
        var refusals = 0
        var methodName: String { memory.methodName }
        func takeBuffer(_ size: PixelSize) throws(RenderingError) -> FrameBuffer? {
            refusals -= 1
            return refusals >= 0 ? nil : try memory.takeBuffer(size)
        }
        func show(_ buffer: FrameBuffer, changed: PixelRect?) { memory.show(buffer, changed: changed) }
    }

    /// A film whose only frame was taken before.
    private final class Film: FrameLoopFilm {
        let surface = SurfaceID(rawValue: 1)
        var (drops, presents, ends) = (0, 0, 0)
        var nextFrameDue: HostTime? { nil }
        func take(by time: HostTime) -> TakenFrame? { nil }
        func fit(isLaidOut: Bool) {}
        func willPresent() {}
        func leaveOut(isDropped: Bool) { drops += 1 }
        func end() { ends += 1 }
        func postpone() { drops += 1 }
        func didPresent(at time: HostTime) { presents += 1 }
        var threadSource: (any FilmThreadSource)? { nil }
    }

    /// Asks for one frame, and ends when that was seen.
    private final class Client: FrameLoopClient {
        let shown = Film()
        var film: (any FrameLoopFilm)? { shown }
        private var needsRedraw = true
        var (composed, presented) = (0, 0)
        private let end = HostTime.now() + .seconds(20)
        var demand: LoopDemand {
            LoopDemand(
                window: WindowDemand(needsRedraw: needsRedraw, showsFilm: true),
                isFinished: presented > 0 || HostTime.now() > end)
        }
        func handle(_ event: WindowEvent, now: HostTime) {}
        func advance(to now: HostTime) {}
        func nextWake(now: HostTime) -> HostTime? { end }
        func compose(_ list: inout DisplayList, scale: Double, visibleAt time: HostTime) {
            needsRedraw = false
            composed += 1
            list.items = [.fill(PixelRect(size: list.viewport), Color(red: 1, green: 0, blue: 0))]
        }
        func videoTarget(for surface: SurfaceID) -> (any VideoTarget)? { nil }
        func didPresent(at time: HostTime) { presented += 1 }
    }

    @Test("The last frame of an animation is drawn again until it is presented, and counted only then")
    func retried() throws {
        let output = Output()
        output.refusals = 3
        let renderer = SoftwareRenderer(output: output, images: ImageCache())
        let signal = WakeSignal()
        let surface = OffscreenLoopSurface(MemorySurface(size: Self.size), signal: signal)
        let client = Client()
        try FrameLoop(surface: surface, renderer: renderer, client: client, log: FrameLog()).run()
        #expect(client.shown.drops == 3)
        #expect(client.composed == 4)
        #expect(client.presented == 1 && client.shown.presents == 1 && client.shown.ends == 1)
        #expect(output.memory.changed == nil, "all of the window is out of date")
        #expect(Array(output.memory.readPixels().prefix(4)) == [255, 0, 0, 255])
    }

    @Test("A window wider than the largest possible picture is drawn up to its limit")
    func wide() throws {
        let output = SoftwareMemoryOutput()
        let renderer = SoftwareRenderer(output: output, images: ImageCache())
        var list = DisplayList(viewport: PixelSize(width: 20_000, height: 2))
        list.items = [.fill(PixelRect(size: list.viewport), Color(red: 0, green: 0, blue: 1))]
        #expect(try renderer.draw(list) { _ in nil })
        try renderer.present()
        #expect(output.readPixels().count == renderer.traits.largestPicture * 2 * 4)
        list.viewport = PixelSize(width: 0, height: 2)
        #expect(try !renderer.draw(list) { _ in nil })
    }
}
