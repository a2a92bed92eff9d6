import GlissadeGeometry
import GlissadeLayers
import GlissadePicture
import GlissadePlatform
import GlissadeRendering
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadePresentation
@testable import GlissadeWindowing

/// The film thread with an OpenGL context that moves between threads.
@MainActor @Suite("Film thread with OpenGL") struct GLFilmThreadTests {
    nonisolated private static let size = PixelSize(width: 8, height: 6)
    nonisolated private static let surface = SurfaceID(rawValue: 1)

    /// A film of gray frames, each a level brighter.
    private final class Film: FilmThreadSource, Sendable {
        struct State {
            var due: [HostTime] = []
            var level = 100
            var shownCount = 0
        }

        let state = Monitor(State())
        let surface = GLFilmThreadTests.surface
        private struct Target: @unchecked Sendable { let texture: any VideoTarget }
        private let target: Target

        init(_ texture: any VideoTarget) { target = Target(texture: texture) }

        var nextDue: HostTime? { state.withLock { $0.due.first } }
        var isRunning: Bool { true }

        func update(by time: HostTime) -> Bool {
            let level = state.withLock { state -> Int? in
                guard let due = state.due.first, due <= time else { return nil }
                state.due.removeFirst()
                state.level += 1
                return state.level
            }
            guard let level else { return false }
            // In another size each time, so that textures are freed and made on this thread.
            let size = PixelSize(width: 8 + level % 3, height: 6)
            TestPicture(PixelFormat(size: size, layout: .rgb(.rgba))) { _, _, _ in level }
                .withView { try? target.texture.upload($0) }
            return true
        }

        func didShow(at time: HostTime?) { if time != nil { state.update { $0.shownCount += 1 } } }

        func add(_ count: Int) {
            let now = HostTime.now()
            state.update { $0.due += (0..<count).map { now + .milliseconds(5 * $0) } }
        }

        /// Waits until so many frames were shown.
        func wait(for count: Int) -> Bool {
            state.wait(until: .now() + .seconds(20)) { $0.shownCount >= count ? true : nil } ?? false
        }
    }

    private let screen: OffscreenSurface
    private let renderer: GLRenderer
    private let target: any VideoTarget
    private let thread = FilmThread()
    private let film: Film

    init() throws {
        screen = try OffscreenSurface(size: Self.size)
        renderer = GLRenderer(Compositor(device: try GLDevice()), context: screen.context)
        target = renderer.makeVideoTarget(for: .film)
        film = Film(target)
        // Releases the context: what is left of the test may run on another thread, though both belong to the main actor.
        RenderLock.isShared = true
    }

    private func show() {
        var list = DisplayList(viewport: Self.size)
        let all = PixelRect(size: Self.size)
        list.items = [.surface(SurfacePlacement(surface: Self.surface, destination: all, clip: all))]
        let target = target
        thread.show(&list, renderer: renderer, film: film, start: FramePacer(refreshRate: 60).lateStart) {
            $0 == Self.surface ? target : nil
        }
    }

    private var pixel: [UInt8] { Array(renderer.readPixels(Self.size).prefix(4)) }

    @Test("Frames that the main thread does not take are drawn with its context, and it can draw again afterwards")
    func late() throws {
        film.add(4)
        show()
        #expect(film.wait(for: 4))
        // Meanwhile the context is free.
        #expect(pixel == [104, 104, 104, 255])
        var list = DisplayList(viewport: Self.size)
        list.items = [.fill(PixelRect(size: Self.size), Color(red: 1, green: 0, blue: 0))]
        try renderer.draw(list) { _ in nil }
        #expect(pixel == [255, 0, 0, 255])
        film.add(1)
        #expect(film.wait(for: 5))
        #expect(renderer.isOvertaken)
        #expect(pixel == [105, 105, 105, 255])
        thread.end()
        try renderer.draw(list) { _ in nil }
        #expect(!renderer.isOvertaken)
        #expect(pixel == [255, 0, 0, 255])
    }

    @Test("Both threads can draw by turns, with images made and released on either")
    func turns() throws {
        show()
        var list = DisplayList(viewport: Self.size)
        let all = PixelRect(size: Self.size)
        for turn in 1...50 {
            film.add(1)
            let image = renderer.images.newID()
            let bitmap = Bitmap(size: Self.size, pixels: (0..<48).flatMap { _ in [200, 200, 200, 255] })
            try renderer.images.set(image, bitmap)
            list.items = [.image(ImagePlacement(source: .image(image), destination: all, clip: all))]
            try RenderLock.withLock {
                try renderer.draw(list) { _ in nil }
                #expect(pixel == [200, 200, 200, 255])
                try renderer.present()
            }
            renderer.images.remove(image)
            #expect(film.wait(for: turn))
        }
        thread.end()
    }

    @Test("Nothing is drawn once the window is gone")
    func gone() throws {
        show()
        screen.context.end()
        film.add(1)
        var list = DisplayList(viewport: Self.size)
        list.items = [.fill(PixelRect(size: Self.size), .gray)]
        #expect(try !renderer.draw(list) { _ in nil })
        thread.end()
        #expect(film.state.withLock(\.shownCount) == 0)
    }
}
