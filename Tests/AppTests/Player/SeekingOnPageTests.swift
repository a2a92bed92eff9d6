import GlissadeControls
import Foundation
import GlissadeGeometry
import GlissadeGestures
import GlissadeSubtitles
import Testing
import GlissadeTime

@testable import GlissadeApp

/// Seeking while the controls are visible, and where a drag leaves the video.
@Suite("Seeking on the player page")
@MainActor struct SeekingOnPageTests {
    @Test("After a seek during playback, the progress bar and the times continue with the video")
    func barAfterSeek() throws {
        let program = try SteppedProgram.film(isPaused: false)
        try program.showControls()
        try program.run("it plays") { try $0.player.isRunning && $0.controls.progress.shownValue > 0 }
        program.press(.right)
        try program.run("it plays again") { try $0.player.isRunning && !$0.controls.progress.isPaused }
        let seen = try program.controls.progress.shownValue
        try program.run("the bar goes on") { try $0.controls.progress.shownValue > seen }
    }

    @Test("Released at the right end, the video stays at its last frame and the next file does not start")
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

    @Test("A key that seeks during a drag does not end the drag")
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

    @Test("Home on the focused progress bar seeks to the very beginning")
    func homeOnBar() throws {
        let program = try SteppedProgram.film(isPaused: true)
        try program.showControls()
        try program.player.seek(to: .seconds(1), now: .now())
        try program.run("there") { try $0.isAt(1) }
        program.press(.tab)
        program.press(.home)
        #expect(try program.position == .zero)
    }

    @Test("A hidden player page is not updated")
    func unseen() throws {
        let program = try SteppedProgram.film(isPaused: true)
        try program.page.statistics.isShown = true
        program.application.pageControllers.navigator.goBack(now: .now())
        try program.settle()
        #expect(program.application.playbackControllers.subtitles.advance(to: .now()) == false)
        #expect(!program.application.state.pages.visible.contains { $0 is PlayerPage })
    }
}
