import Controls
import Foundation
import Geometry
import Gestures
import Subtitles
import Testing
import Time

@testable import App

/// What goes on by itself while the controls are seen, and what is held where the hand lets go.
@Suite("Resuming playback")
@MainActor struct GoingOnTests {
    @Test("After a seek in the middle of playing the bar continues with the film, and so do the times")
    func barAfterSeek() throws {
        let program = try SteppedProgram.film(isPaused: false)
        try program.showControls()
        try program.run("it plays") { try $0.player.isRunning && $0.controls.progress.shownValue > 0 }
        program.press(.right)
        try program.run("it plays again") { try $0.player.isRunning && !$0.controls.progress.isPaused }
        let seen = try program.controls.progress.shownValue
        try program.run("the bar goes on") { try $0.controls.progress.shownValue > seen }
    }

    @Test("Let go of at the right end, the film stands on its last picture, and the next one does not begin")
    func endOfBar() throws {
        let film = try Films.everything()
        let program = try SteppedProgram.film(film, isPaused: false, list: [film, SteppedProgram.sample])
        try program.showControls()
        let bar = try program.place(onBar: 0.5)
        program.drag(from: bar, to: Point(x: bar.x + 2000, y: bar.y))
        program.release(at: Point(x: bar.x + 2000, y: bar.y))
        let length = try #require(try program.player.info?.duration)
        try program.run("the last picture") { program in
            guard let shown = program.shown else { return false }
            return length - shown < .milliseconds(400)
        }
        #expect(try program.player.isPaused)
        #expect(program.application.playing?.location == film)
    }

    @Test("A key that seeks while the user holds the bar does not take the film out of it")
    func keyDuringScrub() throws {
        let program = try SteppedProgram.film(isPaused: true)
        try program.showControls()
        let (start, end) = (try program.place(onBar: 0.3), try program.place(onBar: 0.6))
        program.drag(from: start, to: end)
        program.press(.home)
        program.move(to: try program.place(onBar: 0.7))
        #expect(try program.player.isScrubbing)
        program.release(at: try program.place(onBar: 0.7))
        let length = try #require(try program.player.info?.duration)
        #expect(try abs(program.position.inSeconds - 0.7 * length.inSeconds) < 0.2)
    }

    @Test("Home on the bar that has the keyboard goes to the very beginning")
    func homeOnBar() throws {
        let program = try SteppedProgram.film(isPaused: true)
        try program.showControls()
        try program.player.seek(to: .seconds(1), now: .now())
        try program.run("there") { try $0.isAt(1) }
        program.press(.tab)
        program.press(.home)
        #expect(try program.position == .zero)
    }

    @Test("What nobody sees of the film's page is not brought up to date")
    func unseen() throws {
        let program = try SteppedProgram.film(isPaused: true)
        try program.page.statistics.isShown = true
        program.application.screens.navigator.goBack(now: .now())
        try program.settle()
        #expect(program.application.player.subtitles.advance(to: .now()) == false)
        #expect(!program.application.state.pages.visible.contains { $0 is PlayerPage })
    }
}
