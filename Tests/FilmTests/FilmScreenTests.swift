import GlissadeGeometry
import GlissadeLayers
import GlissadePicture
import GlissadePlayback
import GlissadePresentation
import GlissadeRendering
import GlissadeTestSupport
import GlissadeTime
import Testing

@testable import GlissadeFilm

/// What is recorded of the frames that the loop and the film thread show in turn.
@MainActor @Suite("Film screen") final class FilmScreenTests {
    private let start = HostTime.now()
    private let log = FrameLog()
    private let player: Player
    private let screen: FilmScreen
    private let thread: any FilmThreadSource

    /// Plays a film of 25 frames a second, whose first frame is visible at `start`.
    init() throws {
        var options = PlayerOptions()
        options.audio = .none
        player = Player(location: try Clips.film(), options: options, wake: {}, report: { _ in })
        screen = FilmScreen(
            player: player, renderer: ThreadedRenderer(), surface: SurfaceID(rawValue: 1), log: log, after: nil)
        screen.place(destination: PixelSize(width: 120, height: 68))
        thread = try #require(screen.threadSource)
        #expect(takes(0))
        show(at: time(0))
        // Starts the clock.
        player.advance(to: time(0))
    }

    isolated deinit { player.retire() }

    /// When a frame is due.
    private func time(_ frame: Int) -> HostTime { start + .milliseconds(40) * frame }

    /// Whether the loop takes a frame once it is decoded, and fits it.
    private func takes(_ frame: Int) -> Bool {
        defer { screen.fit() }
        return eventually {
            player.advance(to: time(frame))
            return screen.take(by: time(frame)) != nil
        }
    }

    private func show(at time: HostTime) {
        screen.willPresent()
        screen.didPresent(at: time)
    }

    /// Whether the film thread uploads a frame once it is decoded, and shows it unless `isShown` is false.
    private func threadShows(_ frame: Int, isShown: Bool = true) -> Bool {
        let hasCome = eventually { thread.update(by: time(frame)) }
        thread.didShow(at: isShown ? time(frame) : nil)
        return hasCome
    }

    /// Whether each frame that was due was either shown or dropped.
    private func expect(shown: Int, dropped: Int, last: Int, sourceLocation: SourceLocation = #_sourceLocation) {
        player.advance(to: time(last))
        #expect(log.shownCount == shown, sourceLocation: sourceLocation)
        #expect(player.counts.dropped == dropped, sourceLocation: sourceLocation)
        // The first frame starts the clock, and is due by it.
        #expect(player.counts.due == shown + dropped, sourceLocation: sourceLocation)
        #expect(
            screen.shownTime.map { ($0.seconds * 25).rounded() } == Double(last), sourceLocation: sourceLocation)
    }

    @Test("A frame is recorded even if the film thread shows the next one before the loop has recorded it")
    func followed() {
        #expect(takes(1))
        screen.willPresent()
        #expect(threadShows(2))
        screen.didPresent(at: time(1))
        expect(shown: 3, dropped: 0, last: 2)
    }

    @Test("A frame of the loop that the film thread replaces before it is shown counts as dropped")
    func overtaken() {
        #expect(takes(1))
        #expect(threadShows(2))
        show(at: time(2))
        expect(shown: 2, dropped: 1, last: 2)
    }

    @Test("A frame that the film thread uploads but cannot show is recorded when the loop shows it")
    func unshown() {
        #expect(threadShows(1, isShown: false))
        show(at: time(1))
        expect(shown: 2, dropped: 0, last: 1)
    }

    @Test("A postponed frame is recorded when a later draw shows it")
    func postponed() {
        #expect(takes(1))
        screen.postpone()
        show(at: time(1))
        expect(shown: 2, dropped: 0, last: 1)
    }

    @Test("A postponed frame that the next one replaces counts as dropped")
    func postponedInVain() {
        #expect(takes(1))
        screen.postpone()
        #expect(takes(2))
        show(at: time(2))
        expect(shown: 2, dropped: 1, last: 2)
    }

    @Test("A frame that the display does not take counts as dropped, and one of a hidden film does not count")
    func leftOut() {
        #expect(takes(1))
        screen.leaveOut(isDropped: true)
        #expect(takes(2))
        screen.leaveOut(isDropped: false)
        #expect(takes(3))
        show(at: time(3))
        expect(shown: 2, dropped: 1, last: 3)
    }

    @Test("When the loop ends, frames that the film thread has shown are recorded, and others are dropped")
    func ended() {
        #expect(threadShows(1))
        #expect(threadShows(2, isShown: false))
        screen.end()
        expect(shown: 2, dropped: 1, last: 1)
    }

    @Test("The first frame, which starts the clock, counts as dropped if the next one replaces it before it is shown")
    func firstInVain() throws {
        var options = PlayerOptions()
        options.audio = .none
        let (player, log) = (
            Player(location: try Clips.film(), options: options, wake: {}, report: { _ in }), FrameLog()
        )
        defer { player.retire() }
        let screen = FilmScreen(
            player: player, renderer: ThreadedRenderer(), surface: SurfaceID(rawValue: 1), log: log, after: nil)
        screen.place(destination: PixelSize(width: 120, height: 68))
        for frame in 0...1 {
            #expect(
                eventually {
                    player.advance(to: time(frame))
                    return screen.take(by: time(frame)) != nil
                })
            screen.fit()
            if frame == 0 { screen.postpone() }
            player.advance(to: time(frame))
        }
        screen.willPresent()
        screen.didPresent(at: time(1))
        #expect(log.shownCount == 1 && player.counts.dropped == 1 && player.counts.due == 2)
    }

    @Test("A frame that the film thread cannot upload counts as dropped, and the film goes on")
    func refused() throws {
        let target = try #require(screen.target as? RefusingTarget)
        target.refuses = true
        #expect(
            eventually {
                _ = thread.update(by: time(1))
                return target.refused > 0
            })
        target.refuses = false
        #expect(threadShows(2))
        screen.fit()
        expect(shown: 2, dropped: 1, last: 2)
        #expect(screen.failure != nil)
    }
}

/// A target that refuses frames when it is told to.
private final class RefusingTarget: VideoTarget {
    private let target = SoftwareSurface()
    var refuses = false
    private(set) var refused = 0

    func upload(_ view: PixelView, capacity: PixelSize?) throws(RenderingError) {
        guard !refuses else {
            refused += 1
            throw .allocation(PixelSize(width: 120, height: 68), code: 0)
        }
        try target.upload(view, capacity: capacity)
    }
    var backing: VideoBacking { target.backing }
    var hasPicture: Bool { target.hasPicture }
    var brightnessOffset: Double {
        get { target.brightnessOffset }
        set { target.brightnessOffset = newValue }
    }
    func removePicture(keepsMemory: Bool) { target.removePicture(keepsMemory: keepsMemory) }
    func allocator(for size: PixelSize) -> (any FrameAllocator)? { target.allocator(for: size) }
    func overwritingAllocator(for size: PixelSize, capacity: PixelSize) -> (any FrameAllocator)? {
        target.overwritingAllocator(for: size, capacity: capacity)
    }
    var hasMemory: Bool { target.hasMemory }
    func readPixels() -> [UInt8] { target.readPixels() }
}

/// A renderer whose frames the film thread may show. It draws nothing.
private final class ThreadedRenderer: Renderer {
    let images = ImageCache()
    var traits: RendererTraits {
        RendererTraits(name: "none", largestPicture: 4096, acceptsDeepSamples: false, wantsConvertedFrames: true)
    }
    var drawsOnAnyThread: Bool { true }
    var lacksImages: Bool { false }
    func draw(_ list: DisplayList, surfaces: (SurfaceID) -> (any VideoTarget)?) -> Bool { true }
    func flush() {}
    func invalidate() {}
    func present() {}
    func makeSibling(output: (any SoftwareOutput)?) -> any Renderer { self }
    var prewarmSteps: Int { 0 }
    func prewarm(step: Int) {}
    var keepsPixels = false
    func readPixels(_ size: PixelSize) -> [UInt8] { [] }
    func makeVideoTarget(for use: VideoUse) -> any VideoTarget { RefusingTarget() }
    func capture(_ list: DisplayList, into target: any VideoTarget, surfaces: (SurfaceID) -> (any VideoTarget)?) {}
}
