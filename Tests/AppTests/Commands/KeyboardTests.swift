import GlissadeControls
import GlissadeGeometry
import GlissadeGestures
import GlissadeLayers
import Testing
import GlissadeTime

@testable import GlissadeApp

/// The page by the keyboard alone, and its menus by keyboard and pointer.
@Suite("Keyboard")
@MainActor struct KeyboardTests {
    /// Tab, until the keyboard is on `control`.
    private func tab(to control: any Focusable, _ program: SteppedProgram) throws {
        for _ in 0..<20 {
            program.press(.tab)
            if try program.page.focused === control { return }
        }
        throw SteppedProgram.Failure(description: "Tab does not come to it")
    }

    @Test("Tab cycles through all controls in order, and Shift+Tab goes backwards")
    func order() throws {
        let program = try SteppedProgram.film()
        let controls = try program.controls
        let all: [any Focusable] = [
            controls.progress, controls.play, controls.previous, controls.next, controls.mute, controls.volume,
            controls.remaining, controls.speed, controls.tracks, controls.lock, controls.fullscreen,
        ]
        program.press(.tab)
        #expect(try program.page.areControlsShown)
        for control in all {
            #expect(try program.page.focused === control)
            program.press(.tab)
        }
        #expect(try program.page.focused === all[0])
        program.press(.tab, .shift)
        #expect(try program.page.focused === all[10])
    }

    @Test("A video can be opened, and its audio track and subtitles changed, by the keyboard alone")
    func tracks() throws {
        let program = try SteppedProgram.film()
        let player = try program.player
        let first = try #require(player.selectedAudioTrack)
        try tab(to: try program.controls.tracks, program)
        program.press(.enter)
        try program.run("the menu") { $0.texts.contains("Audio") && $0.texts.contains("Subtitles") }
        #expect(program.texts.contains("English") && program.texts.contains("Finnish"))
        program.press(.down)
        program.press(.enter)
        #expect(player.selectedAudioTrack == first + 1)
        try program.run("the menu is gone") { !$0.texts.contains("Finnish") }
        program.press(.enter)
        try program.run("the menu") { $0.texts.contains("Finnish") }
        // Finnish, off, English.
        program.press(.down)
        program.press(.down)
        program.press(.enter)
        #expect(player.selectedSubtitleTrack == player.subtitleTracks.first?.index)
        #expect(player.selectedAudioTrack == first + 1)
    }

    @Test("Escape first closes a menu, then removes the keyboard focus, then goes back")
    func escape() throws {
        let program = try SteppedProgram.film()
        try tab(to: try program.controls.speed, program)
        program.press(.enter)
        try program.run("the menu") { $0.texts.contains("Normal") }
        program.press(.escape)
        try program.run("the menu is gone") { !$0.texts.contains("Normal") }
        #expect(!program.application.stack.isTransitioning)
        #expect(try program.page.focused === program.controls.speed)
        program.press(.escape)
        #expect(try program.page.focused == nil)
        #expect(!program.application.stack.isTransitioning)
        program.press(.escape)
        #expect(program.application.stack.isTransitioning)
    }

    @Test("Enter and Space press the focused button, and other keys keep their meaning")
    func buttons() throws {
        let program = try SteppedProgram.film()
        try tab(to: try program.controls.mute, program)
        program.press(.enter)
        #expect(try program.player.isMuted)
        program.press(.space)
        #expect(try !program.player.isMuted && program.player.isPaused)
        program.type("p")
        #expect(try !program.player.isPaused)
    }

    @Test("Arrow keys move the focused progress bar or volume slider by one step")
    func sliders() throws {
        let program = try SteppedProgram.film()
        program.press(.tab)
        #expect(try program.page.focused === program.controls.progress)
        program.press(.right)
        #expect(try program.isAt(0.6))
        program.press(.end)
        #expect(try program.position > .seconds(59))
        program.press(.home)
        #expect(try program.isAt(0))
        try tab(to: try program.controls.volume, program)
        program.press(.down)
        #expect(try program.player.volume < 1)
        #expect(try program.isAt(0))
    }

    @Test("Home on the focused progress bar of a playing video seeks to its very beginning")
    func home() throws {
        let program = try SteppedProgram.film(isPaused: false)
        program.press(.tab)
        #expect(try program.page.focused === program.controls.progress)
        program.pass(.milliseconds(1200))
        program.press(.home)
        #expect(try program.position < .milliseconds(20))
    }

    @Test("The focus outline disappears with a click and with the controls")
    func outline() throws {
        let program = try SteppedProgram.film()
        program.press(.tab)
        #expect(try program.page.focused != nil)
        program.click(Point(x: 320, y: 200))
        #expect(try program.page.focused == nil)
        program.press(.tab)
        #expect(try program.page.focused != nil)
        program.pass(.seconds(4))
        #expect(try program.page.focused == nil)
    }

    @Test("While the player is locked, only the lock button takes the focus, and it unlocks")
    func locked() throws {
        let program = try SteppedProgram.film()
        try program.showControls()
        program.click(program.place(of: try program.controls.lock.layer))
        #expect(try program.page.gestures.isLocked)
        for _ in 0..<2 {
            program.press(.tab)
            #expect(try program.page.focused === program.controls.lock)
        }
        program.press(.enter)
        #expect(try !program.page.gestures.isLocked)
    }

    // MARK: - Menus

    private func openSpeeds() throws -> SteppedProgram {
        let program = try SteppedProgram.film()
        try program.showControls()
        program.click(program.place(of: try program.controls.speed.layer))
        try program.run("the menu") { try $0.texts.contains("Normal") && !$0.page.isAnimating }
        return program
    }

    @Test("Choosing an entry of the speed menu sets the speed and closes the menu")
    func speed() throws {
        let program = try openSpeeds()
        try program.click("1.5×")
        #expect(try program.player.speed == 1.5)
        try program.run("the menu is gone") { !$0.texts.contains("Normal") }
        #expect(program.texts.contains("1.5×"), "the button says so")
    }

    @Test("A click beside a menu closes it and does nothing else")
    func beside() throws {
        let program = try openSpeeds()
        program.click(program.place(of: try program.controls.play.layer))
        #expect(try program.player.isPaused)
        try program.run("the menu is gone") { !$0.texts.contains("Normal") }
        program.click(program.place(of: try program.controls.speed.layer))
        try program.run("the menu") { $0.texts.contains("Normal") }
        program.drag(from: Point(x: 100, y: 200), to: Point(x: 500, y: 200))
        #expect(!program.application.stack.isTransitioning)
        program.release(at: Point(x: 500, y: 200))
        program.pass(.milliseconds(500))
        #expect(try program.page.areControlsShown, "it was no click on the picture either")
    }

    @Test("An open menu takes all keys and the wheel")
    func own() throws {
        let program = try openSpeeds()
        program.press(.space)
        program.type("m")
        program.scroll(at: Point(x: 100, y: 100), y: 3)
        #expect(try program.player.isPaused && !program.player.isMuted && program.player.volume == 1)
    }

    @Test("The next video closes the menu of the one before")
    func anotherFilm() throws {
        let program = try openSpeeds()
        program.press(.escape)
        program.click(program.place(of: try program.controls.tracks.layer))
        try program.run("the menu") { $0.texts.contains("Finnish") }
        program.drop([try Films.plain()])
        try program.run("the other film") { try $0.application.playing?.location == Films.plain() && $0.showsPicture }
        try program.run("no menu") { !$0.texts.contains("Finnish") }
        #expect(try program.player.subtitleTracks.isEmpty)
    }
}
