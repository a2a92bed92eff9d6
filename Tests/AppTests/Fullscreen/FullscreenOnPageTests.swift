import GlissadeAnimation
import GlissadeControls
import Foundation
import GlissadeGeometry
import GlissadeLayers
import GlissadeNavigation
import GlissadeSubtitles
import Testing
import GlissadeTime

@testable import GlissadeApp

/// Fullscreen in the program as it is. Without a window the film fills what is drawn into.
@Suite("Fullscreen in the program") @MainActor struct FullscreenOnPageTests {
    private func until(_ state: FullscreenController.State, _ program: SteppedProgram) throws {
        try program.run("\(state)") { $0.application.fullscreen.state == state }
        program.draw()
    }

    @Test("The title bar shows the time in fullscreen, with the controls, and not in a window")
    func timeOfDay() throws {
        let program = try SteppedProgram.film()
        try program.showControls()
        #expect(try program.page.status.content == nil)
        program.type("f")
        try until(.fullscreen, program)
        try program.showControls()
        program.pass(.milliseconds(20))
        let content = try #require(try program.page.status.content)
        #expect(content.time.contains(":") && content.network == nil)
        #expect(program.texts.contains(content.time))
        // It goes with the controls.
        program.pass(.seconds(4))
        try program.run("the controls are gone") { !$0.texts.contains(content.time) }
        #expect(try !program.page.areControlsShown)
        program.type("f")
        try until(.inline, program)
        #expect(try program.page.status.content == nil)
        #expect(!program.texts.contains(content.time))
    }

    @Test(
        "The state of the network is what is buffered and the rate at which data arrives",
        arguments: [
            (20, 3_240_000.0, "20 s buffered · 3.2 Mbit/s"), (0, 48e6, "0 s buffered · 48 Mbit/s"),
            (5, nil, "5 s buffered"), (5, .nan, "5 s buffered"), (5, 1e300, "5 s buffered · 100000 Mbit/s"),
        ])
    func network(seconds: Int, rate: Double?, text: String) {
        #expect(FullscreenStatusController.text(bufferedSeconds: seconds, rate: rate) == text)
    }

    // MARK: - From the film's page

    @Test("The f key grows the video to the whole window in half a second, and f again brings it back")
    func page() throws {
        let program = try SteppedProgram.film()
        let (fullscreen, player) = (program.application.fullscreen, try program.player)
        program.type("f")
        #expect(fullscreen.state == .moving && fullscreen.isEntered)
        program.pass(.milliseconds(490))
        #expect(fullscreen.state == .moving)
        program.pass(.milliseconds(20))
        #expect(fullscreen.state == .fullscreen)
        try program.showControls()
        #expect(try program.controls.figures.isFullscreen)
        program.type("f")
        #expect(fullscreen.state == .moving && !fullscreen.isEntered)
        program.pass(.milliseconds(510))
        #expect(fullscreen.state == .inline)
        #expect(try program.player === player)
        #expect(program.application.stack.top === program.application.playerPage)
    }

    @Test("During the transition only turning back is accepted, and f reverses it from the current frame")
    func turningBack() throws {
        let program = try SteppedProgram.film()
        let fullscreen = program.application.fullscreen
        program.type("f")
        program.pass(.milliseconds(250))
        program.type("f")
        #expect(fullscreen.state == .moving && !fullscreen.isEntered)
        program.type("f")
        #expect(fullscreen.isEntered)
        try until(.fullscreen, program)
    }

    @Test("Escape first leaves fullscreen and only then goes back a page")
    func escape() throws {
        let program = try SteppedProgram.film()
        program.type("f")
        try until(.fullscreen, program)
        program.press(.escape)
        try until(.inline, program)
        #expect(program.application.stack.top === program.application.playerPage)
        program.press(.escape)
        try program.settle()
        #expect(program.application.stack.top is LibraryPage)
    }

    @Test("The fullscreen transition neither pauses, seeks nor reopens, and the page beneath gets no events")
    func undisturbed() throws {
        let program = try SteppedProgram.film(isPaused: false)
        let player = try program.player
        let texture = try #require(program.application.playing?.film.texture)
        let library = try #require(program.application.stack.pages.first as? LibraryPage)
        program.type("f")
        try until(.fullscreen, program)
        program.type("f")
        try until(.inline, program)
        #expect(try program.player === player && player.isPaused == false)
        #expect(program.application.playing?.film.texture === texture)
        #expect(!program.application.state.pages.visible.contains { $0 === library })
    }

    // MARK: - Dragging

    /// Draws the fullscreen film down by so much, in the middle third.
    private func drawDown(_ program: SteppedProgram, by height: Double) {
        program.drag(from: Point(x: 320, y: 100), to: Point(x: 330, y: 100 + height))
        program.draw()
    }

    @Test("Dragging the fullscreen video down shrinks it, and released early it springs back")
    func springsUp() throws {
        let program = try SteppedProgram.film()
        program.type("f")
        try until(.fullscreen, program)
        drawDown(program, by: 60)
        #expect(program.application.fullscreen.isHeld)
        let frame = program.application.stack.layer.frame
        // Nothing is beneath but its own place, which is as large as the window here: it moves, and does not shrink.
        #expect(frame.minY > 0)
        // The pointer rests before it is released.
        program.pass(.milliseconds(300))
        program.move(to: Point(x: 330, y: 160))
        program.release(at: Point(x: 330, y: 160))
        try until(.fullscreen, program)
        #expect(program.application.stack.layer.frame.origin == .zero)
    }

    @Test("Dragged down far enough, the video returns to its place")
    func thrownBack() throws {
        let program = try SteppedProgram.film()
        program.type("f")
        try until(.fullscreen, program)
        drawDown(program, by: 300)
        program.release(at: Point(x: 330, y: 400))
        try until(.inline, program)
        #expect(program.application.stack.layer.frame.origin == .zero)
        #expect(program.application.stack.top === program.application.playerPage)
    }

    @Test("In the outer thirds and outside fullscreen, vertical drags change brightness and volume")
    func levels() throws {
        let program = try SteppedProgram.film()
        program.drag(from: Point(x: 320, y: 100), to: Point(x: 320, y: 200))
        #expect(!program.application.fullscreen.isHeld)
        program.release(at: Point(x: 320, y: 200))
        program.type("f")
        try until(.fullscreen, program)
        program.drag(from: Point(x: 60, y: 100), to: Point(x: 60, y: 200))
        #expect(!program.application.fullscreen.isHeld && program.application.fullscreen.state == .fullscreen)
    }

    @Test("Drags to the sides move the page of a fullscreen video as in a window")
    func sideways() throws {
        let program = try SteppedProgram.film()
        let stack = program.application.stack
        func drag(from start: Double, to end: Double) throws {
            program.drag(from: Point(x: start, y: 240), to: Point(x: end, y: 240))
            #expect(stack.isHeld)
            program.release(at: Point(x: end, y: 240))
            try program.settle()
        }
        program.type("f")
        try until(.fullscreen, program)
        try drag(from: 500, to: 200)
        #expect(stack.top is InfoPage && program.application.fullscreen.isEntered)
        try drag(from: 100, to: 500)
        #expect(stack.top === program.application.playerPage && program.application.fullscreen.isEntered)
        try drag(from: 100, to: 500)
        #expect(stack.top is LibraryPage)
    }

    // MARK: - From a card

    /// A folder's cards, the first of which plays.
    private func playingCards(_ names: [String] = ["m.mp4", "z.mp4"]) throws -> CardScene {
        let cards = try CardScene(names)
        try cards.awaitPlaying(names[0])
        return cards
    }

    @Test(
        "The f key over a playing card grows its video from there, above a page that is neither pushed nor laid out")
    func card() throws {
        let cards = try playingCards()
        let (program, application) = (cards.program, cards.application)
        let player = try #require(application.playing?.player)
        let place = try #require(cards.page.filmPlace(of: cards.path("m.mp4")))
        var changes = 0
        cards.page.film.onVisibility = { _, _ in changes += 1 }
        program.type("f")
        program.pass(.milliseconds(1))
        let element = try #require(application.state.pages.fullscreenRow)
        #expect(element.page.cornerRadius > 0)
        let first = element.page.layer.presentationFrame(at: LocalTime(program.now))
        #expect(abs(first.minX - place.frame.minX) < 4 && abs(first.minY - place.frame.minY) < 4)
        try until(.fullscreen, program)
        #expect(element.page.layer.presentationFrame(at: LocalTime(program.now)).size == application.state.window.size)
        // The page beneath keeps its layout, and hears nothing.
        #expect(element.page.cornerRadius == 0 && changes == 0)
        #expect(cards.page.filmPlace(of: cards.path("m.mp4"))?.frame == place.frame)
        #expect(application.stack.top === cards.page && application.stack.pages.count == 1)
        #expect(application.playing?.player === player && !player.isMuted)
        program.press(.escape)
        try until(.inline, program)
        #expect(application.state.pages.fullscreenRow == nil && application.stack.top === cards.page)
        #expect(application.playing?.player === player && cards.plays("m.mp4"))
    }

    @Test(
        "A drag to the right takes a video that went fullscreen from its card along, and back to the card if far enough"
    )
    func rowDragBack() throws {
        let cards = try playingCards()
        let (program, application) = (cards.program, cards.application)
        program.type("f")
        try until(.fullscreen, program)
        let size = application.state.window.size
        let start = Point(x: size.width * 0.2, y: size.height * 0.5)
        let element = try #require(application.state.pages.fullscreenRow)
        func drag(to fraction: Double) {
            let end = Point(x: size.width * fraction, y: size.height * 0.5)
            program.drag(from: start, to: end)
            program.pass(.milliseconds(300))
            program.move(to: end)
            program.pass(.milliseconds(300))
        }
        drag(to: 0.3)
        let held = element.page.layer.presentationFrame(at: LocalTime(program.now))
        #expect(abs(held.midX - size.width * 0.6) < 2 && abs(held.midY - size.height / 2) < 2, "it follows the pointer")
        #expect(held.size.width < size.width)
        program.release(at: Point(x: size.width * 0.3, y: size.height * 0.5))
        try until(.fullscreen, program)
        #expect(application.state.pages.fullscreenRow != nil, "not far enough: it springs back")
        drag(to: 0.7)
        program.release(at: Point(x: size.width * 0.7, y: size.height * 0.5))
        try until(.inline, program)
        #expect(application.state.pages.fullscreenRow == nil && application.stack.top === cards.page)
        #expect(cards.plays("m.mp4"))
    }

    @Test("A drag to the left over a video that went fullscreen from its card shows the details")
    func rowDragDetails() throws {
        let cards = try playingCards()
        let (program, application) = (cards.program, cards.application)
        program.type("f")
        try until(.fullscreen, program)
        let size = application.state.window.size
        program.drag(
            from: Point(x: size.width * 0.7, y: size.height * 0.5), to: Point(x: size.width * 0.5, y: size.height * 0.5)
        )
        program.release(at: Point(x: size.width * 0.5, y: size.height * 0.5))
        try program.settle()
        #expect(application.stack.top is InfoPage)
        #expect(application.fullscreen.isEntered)
    }

    @Test("Leaving fullscreen returns to the item's current place, though the list was re-sorted")
    func sorted() throws {
        let cards = try playingCards()
        let (program, application) = (cards.program, cards.application)
        program.type("f")
        try until(.fullscreen, program)
        for name in ["a.mp4", "b.mp4", "c.mp4"] { try cards.scene.add(Films.plain(), as: "films/" + name) }
        try program.run("the new rows") { _ in cards.page.rows.row(of: cards.id("m.mp4")) == 3 }
        program.type("f")
        var last = Rect.zero
        try program.run("inline") {
            if let element = $0.application.state.pages.fullscreenRow {
                last = element.page.layer.presentationFrame(at: LocalTime($0.now))
            }
            return $0.application.fullscreen.state == .inline
        }
        let place = try #require(cards.page.filmPlace(of: cards.path("m.mp4")))
        #expect(
            place.frame.maxY > 0 && place.frame.minY < application.state.window.size.height, "it was brought into view")
        #expect(abs(last.midX - place.frame.midX) < 40 && abs(last.midY - place.frame.midY) < 40)
        #expect(cards.plays("m.mp4"))
    }

    @Test("If its item is gone, the video fades out and playback continues on the player page")
    func gone() throws {
        let cards = try playingCards()
        let (program, application) = (cards.program, cards.application)
        let player = try #require(application.playing?.player)
        program.type("f")
        try until(.fullscreen, program)
        try FileManager.default.removeItem(atPath: cards.path("m.mp4"))
        try program.run("the row is gone") { _ in cards.page.filmPlace(of: cards.path("m.mp4")) == nil }
        program.type("f")
        try until(.inline, program)
        #expect(application.stack.top === application.playerPage)
        #expect(application.playing?.player === player && application.state.pages.fullscreenRow == nil)
        #expect(application.root.sublayers.count == 1, "nothing is left over the pages")
    }

    @Test("A video that ends or is stopped while fullscreen over its card leaves nothing behind")
    func stopped() throws {
        let cards = try playingCards()
        let (program, application) = (cards.program, cards.application)
        program.type("f")
        try until(.fullscreen, program)
        application.state.commands.perform(.stop, now: program.now)
        program.pass(.seconds(1))
        #expect(application.playing == nil)
        #expect(application.fullscreen.state == .inline && application.state.pages.fullscreenRow == nil)
        #expect(application.stack.top === cards.page)
    }

    @Test("A file dropped on a fullscreen video plays there, still fullscreen")
    func dropped() throws {
        let cards = try playingCards()
        let (program, application) = (cards.program, cards.application)
        program.type("f")
        try until(.fullscreen, program)
        let element = try #require(application.state.pages.fullscreenRow)
        program.drop([cards.path("z.mp4")])
        try program.run("the other film") { _ in cards.playing == "z.mp4" }
        program.draw()
        #expect(application.state.pages.fullscreenRow === element && application.stack.top === cards.page)
        #expect(application.state.pages.visible.contains { $0 === element.page })
        program.press(.escape)
        try until(.inline, program)
        #expect(application.state.pages.fullscreenRow == nil && application.stack.top === cards.page)
    }

    @Test("The ? key shows the keys over a fullscreen video, which then stays fullscreen on its page")
    func keys() throws {
        let cards = try playingCards()
        let (program, application) = (cards.program, cards.application)
        program.type("f")
        try until(.fullscreen, program)
        program.type("?")
        try program.settle()
        #expect(application.stack.top is InfoPage && application.fullscreen.state == .fullscreen)
        program.type("?")
        try program.settle()
        #expect(application.stack.top === application.playerPage && application.state.pages.fullscreenRow == nil)
        #expect(application.fullscreen.state == .fullscreen)
    }

    @Test("Reversing the fade-out leaves the video fullscreen on its page, with its controls")
    func turnedBackFading() throws {
        let cards = try playingCards()
        let (program, application) = (cards.program, cards.application)
        program.type("f")
        try until(.fullscreen, program)
        try FileManager.default.removeItem(atPath: cards.path("m.mp4"))
        try program.run("the row is gone") { _ in cards.page.filmPlace(of: cards.path("m.mp4")) == nil }
        program.type("f")
        program.pass(.milliseconds(100))
        program.type("f")
        try until(.fullscreen, program)
        #expect(application.stack.top === application.playerPage && application.state.pages.fullscreenRow == nil)
        #expect(
            application.stack.layer.frame.size == application.state.window.size && application.root.sublayers.count == 1
        )
    }

    @Test("When the window is resized during or after the transition, the video fills the new size")
    func resized() throws {
        let cards = try playingCards()
        let program = cards.program
        program.type("f")
        program.pass(.milliseconds(200))
        try program.resize(to: PixelSize(width: 900, height: 500))
        program.draw()
        try until(.fullscreen, program)
        let element = try #require(cards.application.state.pages.fullscreenRow)
        #expect(element.page.layer.frame.size == Size(width: 900, height: 500))
        try program.resize(to: PixelSize(width: 480, height: 800))
        program.draw()
        #expect(element.page.layer.frame.size == Size(width: 480, height: 800))
        program.type("f")
        try until(.inline, program)
    }

    @Test("When the window moves to another monitor, the video stays fullscreen there and returns to its place")
    func anotherMonitor() throws {
        let program = try SteppedProgram.film()
        let (fullscreen, page) = (program.application.fullscreen, try #require(program.application.playerPage))
        program.type("f")
        try until(.fullscreen, program)
        // As a window manager does it: the window is elsewhere, and then as large as that monitor.
        program.application.handle(.moved(Point(x: 640, y: 0)), now: program.now)
        program.draw()
        try program.resize(to: PixelSize(width: 1280, height: 720))
        program.draw()
        program.pass(.seconds(1))
        #expect(fullscreen.state == .fullscreen && fullscreen.isEntered)
        #expect(page.layer.frame.size == Size(width: 1280, height: 720))
        program.type("f")
        try until(.inline, program)
        #expect(program.application.stack.top === page)
    }
}

extension Rect {
    fileprivate var midX: Double { minX + size.width / 2 }
    fileprivate var midY: Double { minY + size.height / 2 }
}
