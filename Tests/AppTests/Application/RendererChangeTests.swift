import GlissadeControls
import GlissadeGeometry
import GlissadeLayers
import GlissadeLibrary
import GlissadePicture
import GlissadePlatform
import GlissadeRendering
import GlissadeSubtitles
import Testing
import GlissadeTime
import GlissadeWindowing

@testable import GlissadeApp

/// A renderer fails, and another takes over.
@MainActor @Suite("Switching the renderer") struct RendererChangeTests {
    @Test("A paused video shows its frame again, with playlist, volume, brightness and speed unchanged")
    func paused() throws {
        let film = try Films.everything()
        let former = try SteppedProgram.film(film, list: [film, film])
        let player = try former.player
        player.seek(to: .seconds(45), now: former.now)
        try former.run("the frame at 45 s") { $0.shown.map { $0 > .seconds(44) } ?? false }
        let frame = former.shown
        player.volume = 0.5
        player.setSpeed(1.5, now: former.now)
        former.application.playbackControllers.transport.setBrightness(0.25, now: former.now)
        let playlist = former.application.playing?.playlist

        let program = try SteppedProgram(continuing: former)
        #expect(try program.player === player)
        #expect(!program.showsPicture)
        try program.run("the frame again") { $0.showsPicture }
        #expect(program.shown == frame && player.isPaused)
        #expect(try program.isAt(45))
        #expect(player.volume == 0.5 && player.speed == 1.5)
        #expect(program.application.playing?.film.adjustments.brightness.value == 0.25)
        #expect(program.application.playing?.playlist == playlist)
        #expect(program.application.stack.top === program.application.playerPage)
    }

    @Test("A playing video is not interrupted, and its next frame is shown")
    func playing() throws {
        let former = try SteppedProgram.film(isPaused: false)
        try former.run("it plays") { try $0.position > .milliseconds(200) }
        let before = try former.position
        let program = try SteppedProgram(continuing: former)
        #expect(try program.player.isRunning)
        try program.run("a frame") { $0.showsPicture }
        #expect(try program.position >= before && program.position < before + .seconds(20))
    }

    @Test("A video that has ended shows its last frame again")
    func ended() throws {
        let former = try SteppedProgram.film(try Films.short(), isPaused: false)
        try former.run("its end") { try $0.player.state == .ended }
        let frame = former.shown
        let program = try SteppedProgram(continuing: former)
        try program.run("the frame again") { try $0.showsPicture && $0.player.state == .ended }
        #expect(program.shown == frame)
    }

    @Test("A drag on the progress bar is released")
    func scrubbing() throws {
        let former = try SteppedProgram.film()
        try former.showControls()
        former.press(at: try former.place(onBar: 0.5))
        #expect(try former.player.isScrubbing)
        let program = try SteppedProgram(continuing: former)
        #expect(try !program.player.isScrubbing)
        try program.run("the first frame again") { try $0.showsPicture && $0.isAt(0) }
    }

    @Test("The open pages stay open")
    func pages() throws {
        let scene = try Scene()
        try scene.addFolder("inner")
        let former = try SteppedProgram(folder: scene.path)
        try former.run("the folder") { $0.texts.contains("inner") }
        try former.click("inner")
        try former.settle()
        let folders = former.application.stack.pages.compactMap { ($0 as? LibraryPage)?.folder }
        #expect(folders.count == 2)
        let program = try SteppedProgram(continuing: former)
        #expect(program.application.stack.pages.compactMap { ($0 as? LibraryPage)?.folder } == folders)
        #expect(program.application.playerPage == nil)
    }

    @Test("Running out of memory for the renderer is a failure only where another renderer can take over")
    func memory() throws {
        let program = try SteppedProgram.film()
        let application = program.application
        let playing = try #require(application.playing)
        playing.change(to: FullRenderer(application.renderer), now: program.now)
        try program.run("the frame again") { $0.application.playing?.film.failure != nil }
        #expect(application.demand.failure == nil)
        application.mayChangeRenderer = true
        #expect(application.demand.failure == FullRenderer.error)
    }
}

/// A renderer that has no memory for any picture of a film.
private final class FullRenderer: Renderer {
    static let error = RenderingError.allocation(PixelSize(width: 320, height: 240), code: 0x0505)

    private final class Target: VideoTarget {
        var backing: VideoBacking { .none }
        var hasPicture: Bool { false }
        var hasMemory: Bool { false }
        var brightnessOffset = 0.0
        func upload(_ view: PixelView, capacity: PixelSize?) throws(RenderingError) { throw FullRenderer.error }
        func removePicture(keepsMemory: Bool) {}
        func readPixels() -> [UInt8] { [] }
    }

    private let inner: any Renderer
    init(_ inner: any Renderer) { self.inner = inner }

    var traits: RendererTraits { inner.traits }
    var images: ImageCache { inner.images }
    var lacksImages: Bool { inner.lacksImages }
    func draw(_ list: DisplayList, surfaces: (SurfaceID) -> (any VideoTarget)?) throws(RenderingError) -> Bool {
        try inner.draw(list, surfaces: surfaces)
    }
    func flush() { inner.flush() }
    func invalidate() { inner.invalidate() }
    func present() throws(RenderingError) { try inner.present() }
    func makeSibling(output: (any SoftwareOutput)?) -> any Renderer { inner.makeSibling(output: output) }
    var prewarmSteps: Int { inner.prewarmSteps }
    func prewarm(step: Int) throws(RenderingError) { try inner.prewarm(step: step) }
    var keepsPixels: Bool {
        get { inner.keepsPixels }
        set { inner.keepsPixels = newValue }
    }
    func readPixels(_ size: PixelSize) -> [UInt8] { inner.readPixels(size) }
    func makeVideoTarget(for use: VideoUse) -> any VideoTarget { Target() }
    func capture(
        _ list: DisplayList, into target: any VideoTarget, surfaces: (SurfaceID) -> (any VideoTarget)?
    ) throws(RenderingError) {
        try inner.capture(list, into: target, surfaces: surfaces)
    }
}
