import GlissadeGeometry
import GlissadeNavigation
import Testing
import GlissadeTime

@testable import GlissadeApp

/// That nothing that moves pages takes, doubles or hides a frame of the film.
@Suite("Frames of the film during transitions") @MainActor struct FramesInTransitionsTests {
    private func film() throws -> SteppedProgram {
        try SteppedProgram.film(Films.grays(), isPaused: false, audio: .none)
    }

    private func point(_ x: Double) -> Point { Point(x: x, y: 200) }

    @Test("A page that is dragged, held and released early shows every frame of the film as often as at rest")
    func cancelled() throws {
        let program = try film()
        let frames = try ShownFrames(program)
        try frames.refresh(12)
        program.press(at: point(100))
        try frames.move(from: point(100), to: point(460), steps: 15)
        #expect(program.application.stack.isHeld)
        try frames.refresh(15)
        try frames.move(from: point(460), to: point(200), steps: 15)
        try frames.refresh(10)
        program.release(at: point(200))
        try frames.refresh(until: "the page returns") { !program.application.stack.isTransitioning }
        #expect(program.application.stack.top === program.application.playerPage)
        // Thrown away, and caught on its way.
        program.press(at: point(100))
        try frames.move(from: point(100), to: point(300), steps: 5)
        program.release(at: point(300))
        try frames.refresh(6)
        #expect(program.application.stack.isTransitioning)
        program.press(.escape)
        try frames.refresh(until: "the page returns") { !program.application.stack.isTransitioning }
        #expect(program.application.stack.top === program.application.playerPage)
        try frames.expectUnbroken()
    }

    @Test("A page that is dragged away, and comes back from the mini player, shows every frame as often as at rest")
    func committed() throws {
        let program = try film()
        let frames = try ShownFrames(program)
        for _ in 1...2 {
            try frames.refresh(12)
            program.press(at: point(100))
            try frames.move(from: point(100), to: point(500), steps: 15)
            program.release(at: point(500))
            try frames.refresh(until: "the page is gone") { !program.application.stack.isTransitioning }
            #expect(program.application.stack.top is LibraryPage && program.application.miniPlayers.count == 1)
            program.click(Point(x: 320, y: 480 - Theme.miniBarHeight / 2))
            try frames.refresh(until: "the page is back") { !program.application.stack.isTransitioning }
            #expect(program.application.stack.top === program.application.playerPage)
        }
        // Without the pointer.
        program.press(.escape)
        try frames.refresh(until: "the page is gone") { !program.application.stack.isTransitioning }
        #expect(program.application.stack.top is LibraryPage)
        try frames.expectUnbroken()
    }

    @Test("The details pulled in over the film, and sent back, leave every frame of it as often as at rest")
    func details() throws {
        let program = try film()
        let frames = try ShownFrames(program)
        program.press(at: point(500))
        try frames.move(from: point(500), to: point(200), steps: 15)
        program.release(at: point(200))
        // The film shows in a mini player of that page.
        try frames.refresh(until: "the details") { !program.application.stack.isTransitioning }
        #expect(program.application.stack.top is InfoPage)
        program.press(.escape)
        try frames.refresh(until: "the page is back") { !program.application.stack.isTransitioning }
        try frames.expectUnbroken()
    }

    /// Goes to fullscreen, turns back midway, goes there again, and leaves.
    private func goThereAndBack(_ program: SteppedProgram, _ frames: ShownFrames) throws {
        let fullscreen = program.application.fullscreen
        try frames.refresh(12)
        program.type("f")
        try frames.refresh(15)
        #expect(fullscreen.state == .moving && fullscreen.isEntered)
        program.type("f")
        try frames.refresh(until: "it is back") { fullscreen.state == .inline }
        program.type("f")
        try frames.refresh(until: "it is fullscreen") { fullscreen.state == .fullscreen }
        program.type("f")
        try frames.refresh(until: "it has left") { fullscreen.state == .inline }
        try frames.expectUnbroken()
    }

    @Test("The way to fullscreen and back to the page, also turned midway, shows every frame as often as at rest")
    func fullscreenPage() throws {
        let program = try film()
        try goThereAndBack(program, ShownFrames(program))
    }

    @Test(
        "The way to fullscreen and back to a card or row, also turned midway, shows every frame as often as at rest",
        arguments: ["cards", "list"])
    func fullscreenRow(view: String) throws {
        let cards = try CardScene(
            ["a.mp4", "b.mp4"], film: Films.grays(), view: view, settings: "play-in-rows = true\n", audio: .none)
        try cards.awaitPlaying("a.mp4")
        try goThereAndBack(cards.program, ShownFrames(cards.program))
        #expect(cards.plays("a.mp4") && cards.application.stack.top === cards.page)
    }

    @Test("A fullscreen video that is dragged down, released early and then late shows every frame as often as at rest")
    func fullscreenDrag() throws {
        let cards = try CardScene(["a.mp4"], film: Films.grays(), audio: .none)
        try cards.awaitPlaying("a.mp4")
        let (program, fullscreen) = (cards.program, cards.application.fullscreen)
        let frames = try ShownFrames(program)
        program.type("f")
        try frames.refresh(until: "it is fullscreen") { fullscreen.state == .fullscreen }
        for (distance, end) in [(40.0, FullscreenController.State.fullscreen), (300, .inline)] {
            let (start, last) = (Point(x: 320, y: 100), Point(x: 320, y: 100 + distance))
            program.press(at: start)
            try frames.move(from: start, to: last, steps: 20)
            #expect(fullscreen.isHeld)
            try frames.refresh(15)
            program.release(at: last)
            try frames.refresh(until: "\(end)") { fullscreen.state == end && !fullscreen.isHeld }
        }
        try frames.expectUnbroken()
    }
}
