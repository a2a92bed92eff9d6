import GlissadeControls
import Foundation
import GlissadeGeometry
import GlissadeInput
import GlissadeLayers
import Testing
import GlissadeTime

@testable import GlissadeApp

/// Gestures on the video in the whole program. The window is 640×480.
@Suite("Gestures on the player page")
@MainActor struct VideoGesturesOnPageTests {
    private let middle = Point(x: 320, y: 200)
    private let left = Point(x: 60, y: 200)
    private let right = Point(x: 580, y: 200)

    private func doubleClick(_ place: Point, _ program: SteppedProgram) {
        program.click(place)
        program.click(place)
    }

    /// Time in which a click would have become more.
    private func wait(_ program: SteppedProgram) { program.pass(.milliseconds(400)) }

    @Test("A click shows or hides the controls")
    func click() throws {
        let program = try SteppedProgram.film()
        program.click(middle)
        wait(program)
        #expect(try program.page.areControlsShown)
        #expect(program.icons.contains(.back) && program.icons.contains(.fullscreen))
        program.click(middle)
        wait(program)
        #expect(try !program.page.areControlsShown)
        #expect(try program.player.isPaused, "and nothing else")
    }

    @Test("A double click in the middle enters and leaves fullscreen, and leaves the controls as they are")
    func doubleClick() throws {
        let program = try SteppedProgram.film()
        let fullscreen = program.application.fullscreen
        doubleClick(middle, program)
        #expect(fullscreen.isEntered)
        try program.run("fullscreen") { _ in fullscreen.state == .fullscreen }
        #expect(try !program.page.areControlsShown)
        doubleClick(middle, program)
        #expect(!fullscreen.isEntered)
        try program.run("the page") { _ in fullscreen.state == .inline }
        wait(program)
        #expect(try !program.page.areControlsShown)
        #expect(try program.isAt(0) && program.player.isPaused)
    }

    @Test("A double click on the left or right quarter skips 10 s, and each further click adds 10 s")
    func skips() throws {
        let program = try SteppedProgram.film()
        doubleClick(right, program)
        #expect(program.told == "10 s forward")
        #expect(try program.isAt(10))
        program.click(right)
        #expect(try program.isAt(20))
        program.pass(.seconds(1))
        doubleClick(left, program)
        #expect(program.told == "10 s back")
        #expect(try program.isAt(10))
        #expect(try !program.page.areControlsShown, "and the controls stay where they are")
    }

    @Test("The wheel changes the volume, between 0 and 130 %")
    func wheel() throws {
        let program = try SteppedProgram.film()
        program.scroll(at: middle, y: 1)
        #expect(try program.player.volume == 1.02)
        #expect(program.told == "102 %")
        program.scroll(at: middle, y: 100)
        #expect(try program.player.volume == 1.3)
        program.scroll(at: middle, y: -200)
        #expect(try program.player.volume == 0)
        #expect(program.told == "0 %")
    }

    @Test("A horizontal wheel with Shift seeks and stops at the ends")
    func wheelSeek() throws {
        let program = try SteppedProgram.film()
        program.application.handle(
            .input(.scroll(ScrollEvent(deltaX: 0, deltaY: 3, position: middle, modifiers: .shift, time: program.now))),
            now: program.now)
        #expect(try program.player.isScrubbing)
        let position = try program.position
        #expect(position > .zero)
        program.application.handle(
            .input(
                .scroll(ScrollEvent(deltaX: 0, deltaY: -500, position: middle, modifiers: .shift, time: program.now))),
            now: program.now)
        #expect(try program.isAt(0))
        program.pass(.seconds(2))
        #expect(try !program.player.isScrubbing)
    }

    @Test("A vertical drag in the left half changes the brightness and shows its level")
    func brightness() throws {
        let program = try SteppedProgram.film()
        program.drag(from: Point(x: 160, y: 300), to: Point(x: 160, y: 200))
        let brightness = try #require(program.application.playing?.film.adjustments.brightness.value)
        #expect(brightness > 0.3 && brightness < 0.6)
        #expect(program.told == "+\(Int((brightness * 100).rounded())) %")
        program.release(at: Point(x: 160, y: 200))
        #expect(program.application.playing?.film.adjustments.brightness.value == brightness)
        #expect(try program.player.volume == 1)
    }

    @Test("A vertical drag in the right half changes the volume and shows its level")
    func volume() throws {
        let program = try SteppedProgram.film()
        program.drag(from: Point(x: 480, y: 200), to: Point(x: 480, y: 300))
        let volume = try program.player.volume
        #expect(volume > 0.6 && volume < 0.8)
        #expect(program.told == "\(Int((volume * 100).rounded())) %")
        #expect(program.application.playing?.film.adjustments.brightness.value == 0)
        program.press(.escape)
        #expect(try program.player.volume == 1, "Escape takes it back")
        #expect(program.application.stack.top === (try program.page))
    }

    @Test("A cancelled volume drag leaves a muted video muted, at its volume")
    func mutedVolume() throws {
        let program = try SteppedProgram.film()
        program.type("m")
        program.drag(from: Point(x: 480, y: 300), to: Point(x: 480, y: 200))
        #expect(try !program.player.isMuted)
        program.press(.escape)
        #expect(try program.player.isMuted)
        #expect(try program.player.volume == 1)
    }

    @Test("A long press plays at double speed until the button is released", arguments: [1, 0.5, 1.5])
    func longPress(speed: Double) throws {
        let program = try SteppedProgram.film(isPaused: false)
        program.application.playbackControllers.transport.setSpeed(speed, now: program.now)
        program.press(at: middle)
        program.pass(.milliseconds(600))
        #expect(try program.player.speed == speed * 2)
        #expect(program.told == PlayerControls.speedText(speed * 2))
        program.pass(.seconds(20))
        #expect(try program.player.speed == speed * 2)
        program.release(at: middle)
        #expect(try program.player.speed == speed)
        wait(program)
        #expect(try !program.page.areControlsShown, "it was no click")
    }

    @Test("A long press that is cancelled ends like one that is released")
    func lostPress() throws {
        let program = try SteppedProgram.film(isPaused: false)
        program.press(at: middle)
        program.pass(.milliseconds(600))
        program.application.handle(.focusChanged(false), now: program.now)
        #expect(try program.player.speed == 1)
    }

    @Test("A drag to the right pops the page, and a drag to the left shows the file's details")
    func drags() throws {
        let program = try SteppedProgram.film()
        program.drag(from: Point(x: 500, y: 200), to: Point(x: 100, y: 200))
        #expect(program.application.stack.isHeld)
        program.release(at: Point(x: 100, y: 200))
        try program.settle()
        #expect(program.application.stack.top is InfoPage)
        program.drag(from: Point(x: 100, y: 200), to: Point(x: 600, y: 200))
        program.release(at: Point(x: 600, y: 200))
        try program.settle()
        #expect(program.application.stack.top === (try program.page))
        program.drag(from: Point(x: 100, y: 200), to: Point(x: 600, y: 200))
        program.release(at: Point(x: 600, y: 200))
        try program.settle()
        #expect(program.application.stack.top is LibraryPage)
    }

    @Test("The lock disables all gestures but its own button until it is clicked again")
    func lock() throws {
        let program = try SteppedProgram.film()
        try program.showControls()
        let lock = program.place(of: try program.controls.lock.layer)
        program.click(lock)
        wait(program)
        #expect(program.told == "Locked")
        #expect(program.icons.filter { $0 != .lock }.isEmpty, "nothing but the lock and the message")
        program.drag(from: Point(x: 100, y: 200), to: Point(x: 600, y: 200))
        #expect(!program.application.stack.isTransitioning)
        program.release(at: Point(x: 600, y: 200))
        program.drag(from: Point(x: 480, y: 200), to: Point(x: 480, y: 300))
        program.release(at: Point(x: 480, y: 300))
        program.scroll(at: middle, y: -3)
        doubleClick(right, program)
        program.press(at: middle)
        program.pass(.seconds(1))
        #expect(try program.player.speed == 1)
        program.release(at: middle)
        program.click(try program.place(onBar: 0.8))
        wait(program)
        #expect(try program.player.volume == 1 && program.isAt(0))
        #expect(program.application.playing?.film.adjustments.brightness.value == 0)
        program.pass(.seconds(10))
        try program.run("it goes as the controls do") { $0.icons.isEmpty }
        program.click(middle)
        wait(program)
        #expect(program.icons == [.lock, .lock], "a click shows the way out")
        program.click(lock)
        wait(program)
        #expect(program.told == "Unlocked")
        program.scroll(at: middle, y: -1)
        #expect(try program.player.volume == 0.98)
        #expect(program.icons.contains(.back))
    }

    @Test("Gestures that are turned off in the settings do nothing")
    func disabled() throws {
        let scene = try Scene()
        let settings = try scene.write(
            "[gestures]\nclick = false\nwheel = false\nvolume-drag = false\nlong-press = false\npop-drag = false\n"
                + "bound-drag = false\ndouble-click-left = false\n", to: "config.toml")
        let program = try SteppedProgram.film(settings: settings)
        try program.run("the settings") { try !$0.page.gestures.disabled.isEmpty }
        program.click(middle)
        program.pass(.seconds(1))
        #expect(try !program.page.areControlsShown)
        program.scroll(at: middle, y: 3)
        program.drag(from: Point(x: 480, y: 200), to: Point(x: 480, y: 300))
        program.release(at: Point(x: 480, y: 300))
        for end in [Point(x: 600, y: 200), Point(x: 20, y: 200)] {
            program.drag(from: middle, to: end)
            #expect(!program.application.stack.isTransitioning)
            program.release(at: end)
        }
        program.press(at: middle)
        program.pass(.seconds(1))
        program.release(at: middle)
        program.pass(.seconds(1))
        doubleClick(left, program)
        #expect(try program.player.volume == 1 && program.player.speed == 1 && program.isAt(0))
        doubleClick(right, program)
        #expect(try program.isAt(10), "what is not turned off goes on")
    }
}
