import GlissadeGeometry
import GlissadeLayers
import GlissadePicture
import GlissadePlatform
import GlissadeRendering
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadePresentation

@MainActor @Suite("Film thread", .serialized) struct FilmThreadTests {
    nonisolated private static let size = PixelSize(width: 8, height: 6)
    nonisolated private static let surface = SurfaceID(rawValue: 1)

    /// A film of gray frames, each a level brighter, that are due at the times that a test gives.
    private final class Film: FilmThreadSource, Sendable {
        struct State {
            var due: [HostTime] = []
            var isRunning = true
            var level: UInt8 = 100
            var shown: [HostTime] = []
        }

        let state = Monitor(State())
        let surface = FilmThreadTests.surface
        private struct Target: @unchecked Sendable { let surface: SoftwareSurface }
        private let target: Target

        init(_ surface: SoftwareSurface) { target = Target(surface: surface) }

        var nextDue: HostTime? { state.withLock { $0.due.first } }
        var isRunning: Bool { state.withLock { $0.isRunning } }

        func update(by time: HostTime) -> Bool {
            let level = state.withLock { state -> UInt8? in
                guard let due = state.due.first, due <= time else { return nil }
                state.due.removeFirst()
                state.level += 1
                return state.level
            }
            guard let level else { return false }
            TestPicture(PixelFormat(size: FilmThreadTests.size, layout: .rgb(.bgra))) { _, _, _ in Int(level) }
                .withView { try? target.surface.upload($0) }
            return true
        }

        func didShow(at time: HostTime?) { if let time { state.update { $0.shown.append(time) } } }

        /// Waits until so many frames were shown.
        func wait(for count: Int) -> Bool {
            state.wait(until: .now() + .seconds(20)) { $0.shown.count >= count ? true : nil } ?? false
        }
    }

    private let output = SoftwareMemoryOutput()
    private let renderer: SoftwareRenderer
    private let target = SoftwareSurface()
    private let thread = FilmThread()
    private let film: Film

    init() {
        renderer = SoftwareRenderer(output: output, images: ImageCache())
        film = Film(target)
    }

    private func show(hasFilm: Bool = true, in renderer: SoftwareRenderer? = nil) {
        var list = DisplayList(viewport: Self.size)
        let all = PixelRect(size: Self.size)
        if hasFilm { list.items = [.surface(SurfacePlacement(surface: Self.surface, destination: all, clip: all))] }
        let target = target
        thread.show(
            &list, renderer: renderer ?? self.renderer, film: film, start: FramePacer(refreshRate: 60).lateStart
        ) { $0 == Self.surface ? target : nil }
    }

    @Test("The film is drawn in the window that shows it, and no longer in one that it has left")
    func windows() {
        show()
        show(hasFilm: false, in: SoftwareRenderer(output: SoftwareMemoryOutput(), images: renderer.images))
        film.state.update { $0.due = [.now()] }
        #expect(film.wait(for: 1))
        show(hasFilm: false)
        film.state.update { $0.due = [.now()] }
        thread.end()
        #expect(film.state.withLock(\.shown.count) == 1)
        #expect(output.readPixels().first == 101)
    }

    @Test("Frames that the main thread does not take are drawn into the last list, each not before it is late")
    func late() {
        let begun = HostTime.now()
        let due = (1...4).map { begun + .milliseconds(20 * $0) }
        film.state.update { $0.due = due }
        show()
        #expect(film.wait(for: 4))
        thread.end()
        for (shown, due) in zip(film.state.withLock(\.shown), due) {
            #expect(shown - due >= LateStart.lateness)
        }
        #expect(output.readPixels().prefix(3) == [104, 104, 104])
    }

    @Test(
        "A frame that the main thread takes in time is left to it, and the one after it is drawn if that is not taken")
    func inTime() {
        film.state.update { $0.due = [.now() + .seconds(1000)] }
        show()
        film.state.update { $0.due = [.now()] }
        show()
        #expect(film.wait(for: 1))
        thread.end()
        #expect(film.state.withLock(\.shown.count) == 1)
        #expect(output.readPixels().first == 101)
    }

    @Test("Nothing is drawn after the main thread has taken over, and a thread at rest goes on with the next list")
    func resting() {
        film.state.update { $0.due = [.now()] }
        show()
        #expect(film.wait(for: 1))
        thread.rest()
        film.state.update { ($0.due, $0.isRunning) = ([.now()], false) }
        // Until the next list nothing wakes it.
        #expect(film.state.withLock(\.shown.count) == 1)
        show()
        #expect(film.wait(for: 2))
        thread.end()
        // The end is final.
        film.state.update { $0.due = [.now()] }
        show()
        #expect(film.state.withLock(\.shown.count) == 2)
    }

    @Test("A list that the main thread has drawn but not shown is drawn again if the film's thread was faster")
    func overtaken() throws {
        film.state.update { $0.due = [.now()] }
        show()
        #expect(film.wait(for: 1))
        var list = DisplayList(viewport: Self.size)
        list.items = [.fill(PixelRect(size: Self.size), Color(red: 0, green: 0, blue: 0))]
        try renderer.draw(list) { _ in nil }
        film.state.update { $0.due = [.now()] }
        #expect(film.wait(for: 2))
        #expect(renderer.isOvertaken)
        try renderer.draw(list) { _ in nil }
        #expect(!renderer.isOvertaken)
        try renderer.present()
        #expect(output.readPixels().prefix(3) == [0, 0, 0])
        thread.end()
    }
}
