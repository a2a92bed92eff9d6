import GlissadeControls
import GlissadeGeometry
import GlissadeGestures
import GlissadeLayers
import Testing
import GlissadeTime

@testable import GlissadeApp

/// Dragging the progress bar in the whole program, with a video of 60 s: 40 s of black and
/// 20 s of white.
@Suite("Scrubbing on the player page")
@MainActor struct ScrubbingOnPageTests {
    private func drag(_ program: SteppedProgram, from start: Double, to end: Double) throws {
        program.drag(from: try program.place(onBar: start), to: try program.place(onBar: end))
    }

    private func isNear(_ position: Duration?, _ seconds: Double) -> Bool {
        position.map { abs($0.inSeconds - seconds) < 0.3 } ?? false
    }

    @Test(
        "While dragging, the video follows the thumb and stops exactly where it is released", arguments: [true, false])
    func follows(isPaused: Bool) throws {
        let program = try SteppedProgram.film(isPaused: isPaused)
        try program.showControls()
        try drag(program, from: 0.1, to: 0.5)
        #expect(try program.player.isScrubbing)
        #expect(try program.controls.scrubbing.map { abs($0 - 0.5) < 0.001 } == true)
        #expect(try isNear(program.position, 30))
        program.draw()
        #expect(program.texts.contains("0:30"), "the time goes with the thumb")
        try program.run("the picture there") { isNear($0.shown, 30) }
        program.move(to: try program.place(onBar: 0.9))
        try program.run("the next picture") { isNear($0.shown, 54) }
        program.release(at: try program.place(onBar: 0.9))
        #expect(try !program.player.isScrubbing)
        #expect(try isNear(program.position, 54))
        #expect(try program.player.isPaused == isPaused, "playing goes on if it was playing, and not if it was paused")
        try program.run("playing, or not") { try isPaused || $0.position > .seconds(54.5) }
        if isPaused {
            let released = try program.controls.figures.position(at: program.controls.progress.value)
            try program.run("the exact frame") { $0.shown.map { ($0 - released).inSeconds.magnitude < 0.051 } == true }
        }
    }

    @Test("A drag along the progress bar does not drag the page")
    func blindArea() throws {
        let program = try SteppedProgram.film()
        try program.showControls()
        try drag(program, from: 0.1, to: 0.9)
        #expect(!program.application.stack.isTransitioning)
        program.release(at: try program.place(onBar: 0.9))
        try drag(program, from: 0.9, to: 0.1)
        #expect(!program.application.stack.isTransitioning)
        program.release(at: try program.place(onBar: 0.1))
        #expect(program.application.stack.pages.count == 2)
    }

    @Test("The first movement of the pointer onto the progress bar shows the controls and the preview")
    func firstMovement() throws {
        let program = try SteppedProgram.film()
        program.move(to: Point(x: 300, y: 100))
        #expect(try !program.page.areControlsShown)
        program.move(to: try program.place(onBar: 0.5))
        #expect(try program.page.areControlsShown && program.page.preview.isShown)
        // Also after another page.
        program.move(to: Point(x: 300, y: 100))
        program.press(.right, .alt)
        try program.settle()
        program.press(.escape)
        try program.settle()
        program.pass(.seconds(4))
        #expect(try !program.page.areControlsShown)
        program.move(to: try program.place(onBar: 0.5))
        #expect(try program.page.areControlsShown && program.page.preview.isShown)
    }

    @Test("A drag beyond the ends stays at the end, and does not run on into the next file")
    func ends() throws {
        let film = try Films.everything()
        let program = try SteppedProgram.film(film, list: [film, try Films.plain()])
        try program.showControls()
        let start = try program.place(onBar: 0.5)
        program.drag(from: start, to: Point(x: 5000, y: start.y))
        #expect(try program.controls.scrubbing == 1)
        #expect(program.application.playing?.location == film)
        program.move(to: Point(x: -5000, y: start.y))
        #expect(try program.position == .zero)
        program.release(at: Point(x: -5000, y: start.y))
        #expect(try program.controls.progress.shownValue == 0)
        #expect(program.application.playing?.location == film)
    }

    @Test("A drag released at the end pauses there, and the next file does not start", arguments: [false, true])
    func releasedAtEnd(isAudio: Bool) throws {
        let scene = try Scene()
        let file = isAudio ? try scene.addAudio("song.wav", seconds: 60) : try Films.everything()
        let program =
            isAudio
            ? try SteppedProgram(playing: file, list: [file, try Films.plain()])
            : try SteppedProgram.film(file, isPaused: false, list: [file, try Films.plain()])
        try program.run("it is open") { $0.application.playing?.player.info != nil }
        try program.showControls()
        let start = try program.place(onBar: 0.5)
        program.drag(from: start, to: Point(x: 5000, y: start.y))
        program.release(at: Point(x: 5000, y: start.y))
        #expect(try program.player.isPaused)
        for _ in 1...5 { program.pass(.seconds(1)) }
        try program.run("the end is found") { try !$0.player.isSeeking }
        #expect(program.application.playing?.location == file)
        #expect(try program.player.state == .paused)
        #expect(try program.position > .seconds(59.5))
    }

    @Test("Escape during a drag returns to the position at its start")
    func cancelled() throws {
        let program = try SteppedProgram.film()
        program.press(.right, .shift)
        try program.showControls()
        let before = try program.position
        try drag(program, from: 0.1, to: 0.7)
        program.press(.escape)
        #expect(try !program.player.isScrubbing && program.position == before)
        #expect(try program.controls.scrubbing == nil)
        #expect(program.application.stack.top === (try program.page), "and does nothing else")
        program.release(at: try program.place(onBar: 0.7))
        #expect(try program.position == before)
    }

    @Test("Position reports do not move the thumb during a drag")
    func reports() throws {
        let program = try SteppedProgram.film(isPaused: false)
        try program.showControls()
        program.press(at: try program.place(onBar: 0.5))
        let held = try program.controls.progress.shownValue
        for _ in 1...10 {
            program.pass(.milliseconds(300))
            program.application.state.playback.stateChanged(now: program.now)
            #expect(try program.controls.progress.shownValue == held)
        }
    }

    @Test("Hovering the progress bar shows the time, the chapter and the right thumbnail, and leaving it hides them")
    func preview() throws {
        let program = try SteppedProgram.film()
        try program.showControls()
        program.move(to: try program.place(onBar: 0.25))
        try program.run("the preview") { try $0.page.preview.isShown && $0.texts.contains("0:15") }
        #expect(program.texts.contains("Night"))
        let frame = try program.page.preview.layer.frame
        func hasPicture(_ program: SteppedProgram) -> Bool {
            program.application.playbackControllers.previews.store?.picture != nil
        }
        try program.run("a picture", until: hasPicture)
        let part = Rect(x: frame.minX + 40, y: frame.minY + 20, width: 40, height: 40)
        program.pass(.milliseconds(500))
        #expect(try program.brightest(in: part) < 60, "it is black there")
        program.move(to: try program.place(onBar: 0.9))
        try program.run("the other place") { $0.texts.contains("0:54") && $0.texts.contains("Day") }
        let other = try program.page.preview.layer.frame
        try program.run("its picture") { program in
            try program.brightest(
                in: Rect(x: other.minX + 40, y: other.minY + 20, width: 40, height: 40)) > 200
        }
        #expect(try program.isAt(0), "the film is not moved by it")
        program.move(to: Point(x: 320, y: 200))
        program.pass(.milliseconds(300))
        #expect(try !program.page.preview.isShown)
        #expect(!program.texts.contains("Day"))
    }

    @Test("At the ends of the bar the preview stays within the page")
    func atTheEnds() throws {
        let program = try SteppedProgram.film()
        try program.showControls()
        for fraction in [0.0, 1.0] {
            program.move(to: try program.place(onBar: fraction))
            let frame = try program.page.preview.layer.frame
            #expect(frame.minX >= 0 && frame.maxX <= 640 && frame.minY >= 0)
        }
    }

    @Test("The preview hides with the controls")
    func goesToo() throws {
        let program = try SteppedProgram.film()
        try program.showControls()
        program.move(to: try program.place(onBar: 0.5))
        #expect(try program.page.preview.isShown)
        try program.page.toggleControls(now: program.now)
        #expect(try !program.page.areControlsShown && !program.page.preview.isShown)
    }

    @Test("For audio the preview has no thumbnail")
    func audio() throws {
        let scene = try Scene()
        let program = try SteppedProgram(playing: try scene.addAudio("song.wav", seconds: 60), isPaused: true)
        try program.run("it is open") { $0.texts.contains("song.wav") }
        try program.showControls()
        program.move(to: try program.place(onBar: 0.5))
        try program.run("the preview") { $0.texts.contains("0:30") }
        #expect(program.application.playbackControllers.previews.store == nil)
    }

    @Test("Another video, or audio, shows no thumbnail of the previous video")
    func anotherFilm() throws {
        let scene = try Scene()
        let list = [try Films.everything(), try scene.addAudio("song.wav", seconds: 60)]
        let program = try SteppedProgram.film(list[0], list: list)
        try program.showControls()
        let place = try program.place(onBar: 0.9)
        program.move(to: place)
        try program.run("a picture") { $0.application.playbackControllers.previews.store?.picture != nil }
        program.type(">")
        #expect(try !program.page.preview.isShown)
        try program.run("the next") { $0.application.playing?.player.info != nil && $0.texts.contains("song.wav") }
        program.move(to: Point(x: place.x - 1, y: place.y))
        try program.run("the preview") { try $0.page.preview.isShown && $0.texts.contains("0:53") }
        let hasPicture = program.list.items.contains { item in
            if case .image(let placement) = item, case .image = placement.source { true } else { false }
        }
        #expect(!hasPicture)
        #expect(!program.texts.contains("Day"))
    }

    @Test("A file that ends during a drag waits for the release")
    func ended() throws {
        let film = try Films.short()
        let program = try SteppedProgram.film(film, isPaused: false, list: [film, try Films.plain()])
        try program.showControls()
        try #require(program.application.playing?.location == film)
        program.press(at: try program.place(onBar: 0.5))
        program.pass(.seconds(10))
        #expect(program.application.playing?.location == film)
        program.release(at: try program.place(onBar: 0.5))
        #expect(try !program.player.isScrubbing)
        #expect(program.application.playing?.location == film)
        try program.run("the next file") { $0.application.playing?.location != film }
    }
}
