import GlissadeGeometry
import Testing
import GlissadeTime

@testable import GlissadeApp
@testable import GlissadePlayback

/// That sound and picture stay together while pages move. Sound plays in real time, and so do these tests.
@Suite("Sound and picture during transitions") @MainActor struct SyncInTransitionsTests {
    /// How far sound and picture may be apart.
    private static let tolerance = Duration.milliseconds(20)

    private func point(_ x: Double) -> Point { Point(x: x, y: 200) }

    /// Compares sound and picture as they were drawn last. Returns whether they could be compared: the decoders have delivered
    /// what was due by then.
    private func compare(_ program: SteppedProgram, sourceLocation: SourceLocation) throws -> Bool {
        let (player, time) = (try program.player, program.drawnFor)
        guard let next = program.application.film?.nextFrameDue, next > time,
            let shown = program.application.playing?.film.shownTime, let due = player.dueTime(of: shown),
            let heard = player.pipeline.audio?.position(at: time)
        else { return false }
        #expect(due <= time, "no frame is early", sourceLocation: sourceLocation)
        // The frame on the screen is the newest that is due, and has been shown for so long.
        let picture = shown + (time - due) * player.speed
        let apart = (picture - heard.mediaTime).inMilliseconds
        #expect(abs(apart) <= Self.tolerance.inMilliseconds, sourceLocation: sourceLocation)
        return true
    }

    /// Lets the program go on until `isDone`, and compares sound and picture at least `count` times.
    private func run(
        _ program: SteppedProgram, _ what: String, count: Int = 0, sourceLocation: SourceLocation = #_sourceLocation,
        step: (Int) -> Void = { _ in }, until isDone: () -> Bool = { true }
    ) throws {
        var (compared, last) = (0, program.drawnFor)
        try program.run(what) { program in
            // Once for each refresh of a display.
            if program.drawnFor - last >= .milliseconds(16) {
                last = program.drawnFor
                if try compare(program, sourceLocation: sourceLocation) {
                    compared += 1
                    step(compared)
                }
            }
            return compared >= count && isDone()
        }
    }

    @Test("Sound and picture stay within 20 ms while a page is dragged, returns, leaves, and comes back")
    func pop() throws {
        let program = try SteppedProgram.film(isPaused: false)
        let stack = program.application.stack
        try run(program, "it plays", count: 20)
        let player = try program.player
        program.press(at: point(100))
        // There and back.
        let position = { (step: Int) in point(100 + Double(30 - abs(step - 30)) * 10) }
        try run(program, "the page is dragged", count: 60, step: { program.move(to: position($0)) })
        #expect(stack.isHeld)
        program.move(to: point(180))
        try run(program, "the page is held", count: 20)
        program.release(at: point(180))
        try run(program, "the page returns", until: { !stack.isTransitioning })
        #expect(stack.top === program.application.playerPage)
        program.press(at: point(100))
        try run(program, "it is dragged away", count: 40, step: { program.move(to: point(100 + Double($0) * 10)) })
        program.release(at: point(500))
        try run(program, "the page leaves", until: { !stack.isTransitioning })
        #expect(stack.top is LibraryPage)
        try run(program, "the film plays in the mini player", count: 20)
        program.click(Point(x: 320, y: 480 - Theme.miniBarHeight / 2))
        try run(program, "the page comes back", until: { !stack.isTransitioning })
        #expect(stack.top === program.application.playerPage)
        try run(program, "it plays on", count: 20)
        #expect(try program.player === player && player.counts.due > 0)
    }

    @Test("Sound and picture stay within 20 ms on the way to fullscreen, back midway, and back at last")
    func fullscreen() throws {
        let program = try SteppedProgram.film(isPaused: false)
        let fullscreen = program.application.fullscreen
        try run(program, "it plays", count: 20)
        program.type("f")
        try run(program, "it is under way", count: 5)
        program.type("f")
        try run(program, "it is back", until: { fullscreen.state == .inline })
        for state in [true, false] {
            program.type("f")
            try run(program, "it has arrived", until: { fullscreen.state == (state ? .fullscreen : .inline) })
            try run(program, "it plays on", count: 20)
        }
    }
}
