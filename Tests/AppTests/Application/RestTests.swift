import GlissadeGeometry
import GlissadeGestures
import GlissadePlatform
import Testing
import GlissadeTime

@testable import GlissadeApp

/// A program that shows nothing new does nothing, whatever was done before.
@Suite("Leaving pages")
@MainActor struct RestTests {
    /// Whether nothing asks to be drawn or looked at, now and long after.
    private func isAtRest(_ program: SteppedProgram) -> Bool {
        let application = program.application
        let later = program.now + .seconds(60)
        return !application.demand.window.needsRedraw && !application.isAnimating
            && application.film?.nextFrameDue == nil
            && application.nextWake(now: program.now) == nil && application.nextWake(now: later) == nil
    }

    /// Waits until the program is at rest. More input is expected for 10 s after the last, which pass at once.
    private func rest(_ program: SteppedProgram) throws {
        program.pass(.seconds(10))
        try program.run("rest") { isAtRest($0) }
    }

    private func pausedFilm() throws -> SteppedProgram {
        let program = try SteppedProgram(playing: SteppedProgram.sample, isPaused: true)
        try program.run("the first picture") {
            $0.application.videoTarget(for: PlaybackSession.surface)?.hasPicture == true
        }
        return program
    }

    @Test("A player page that was left with its progress bar visible leaves no wake-up behind")
    func barOfAPageThatWasLeft() throws {
        let program = try pausedFilm()
        program.move(to: Point(x: 100, y: 200))
        program.move(to: Point(x: 120, y: 210))
        #expect(program.application.playerPage?.areControlsShown == true)
        program.press(.escape)
        try program.settle()
        #expect(program.application.playerPage?.areControlsShown == false)
        try rest(program)
    }

    @Test("Going back as the very first action leaves no wake-up behind")
    func backAtOnce() throws {
        let program = try pausedFilm()
        program.press(.escape)
        try program.settle()
        try rest(program)
    }

    @Test("A click shows the controls of a paused video, and another click hides them")
    func clickOnStandingFilm() throws {
        let program = try pausedFilm()
        program.click(Point(x: 300, y: 240))
        try program.run("the bar") { $0.icons.contains(.back) }
        program.click(Point(x: 300, y: 240))
        try program.run("no bar") { !$0.icons.contains(.back) }
    }

    @Test("Closing the playing video leaves no page to return to")
    func closed() throws {
        let program = try pausedFilm()
        program.press(.escape)
        try program.settle()
        try program.run("the small bar") { $0.icons.contains(.close) && !$0.application.isAnimating }
        let close = try program.place(of: .close)
        program.click(close)
        try program.run("the small bar is gone") { !$0.icons.contains(.close) }
        #expect(program.application.stack.pages.count == 1)
        #expect(program.application.playing == nil)
        try rest(program)
    }

    @Test("A folder's page is released when it is left")
    func folder() throws {
        let scene = try Scene()
        try scene.addFolder("inner")
        let program = try SteppedProgram(folder: scene.path)
        try program.run("the folder's row") { $0.texts.contains("inner") }
        try program.click("inner")
        try program.run("the folder's page") { $0.application.stack.pages.count == 2 && !$0.application.isAnimating }
        weak let page = program.application.stack.top
        #expect(page != nil)
        program.press(.escape)
        try program.settle()
        program.draw()
        #expect(page == nil)
    }
}
