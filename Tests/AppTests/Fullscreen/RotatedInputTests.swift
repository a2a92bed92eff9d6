import GlissadeGeometry
import GlissadeInput
import GlissadeLayers
import GlissadeNavigation
import Testing
import GlissadeTime

@testable import GlissadeApp

@Suite("Input in rotated fullscreen") @MainActor struct RotatedInputTests {
    private let rotated: RotatedScene

    init() throws { rotated = try RotatedScene() }

    // MARK: - Controls and drags

    @Test("A click on the rotated play button plays, and a press on the rotated progress bar seeks there")
    func clicks() throws {
        let program = try rotated.rotatedFilm()
        try program.showControls()
        program.click(program.window(try program.place(onBar: 0.5)))
        try program.run("the middle") { try $0.isAt(20) }
        program.click(program.window(program.place(of: try program.controls.play.layer)))
        try program.run("it plays") { try !$0.player.isPaused }
    }

    @Test("The thumbnail over the rotated progress bar follows the pointer")
    func thumbnail() throws {
        let program = try rotated.rotatedFilm()
        try program.showControls()
        program.move(to: program.window(try program.place(onBar: 0.25)))
        try program.run("the preview") { $0.texts.contains("0:10") }
        let (place, bar) = (try program.place(of: "0:10"), program.window(try program.place(onBar: 0.25)))
        #expect(place.x > bar.x && place.x < bar.x + 60 && abs(place.y - bar.y) < 4)
    }

    @Test("A menu of the rotated controls stays on the screen")
    func menu() throws {
        let program = try rotated.rotatedFilm()
        try program.showControls()
        program.click(program.window(program.place(of: try program.controls.speed.layer)))
        try program.run("the menu") { $0.texts.contains("Normal") && $0.texts.contains("0.25×") }
        for case .image(let placement) in program.list.items {
            guard case .text = placement.source else { continue }
            #expect(PixelRect(size: program.list.viewport).contains(placement.destination), "\(placement.source)")
        }
        try program.click("0.25×")
        try program.run("the speed") { try $0.player.speed == 0.25 }
    }

    @Test("The wheel keeps its meaning over a rotated video")
    func wheel() throws {
        let program = try rotated.rotatedFilm()
        program.scroll(at: Point(x: 300, y: 200), y: -3)
        #expect(try program.player.volume < 1)
        #expect(program.told?.hasSuffix("%") == true)
    }

    @Test("A drag from the rotated video's top toward its bottom moves it with the pointer and leaves fullscreen")
    func dismissal() throws {
        let program = try rotated.rotatedFilm()
        program.hold(from: Point(x: 400, y: 240), to: Point(x: 150, y: 250))
        #expect(program.application.fullscreen.isHeld)
        let film = try #require(program.film)
        #expect(film.quarterTurns > 0 && film.quarterTurns < 1, "it rotates back during the drag")
        #expect(abs(film.middle.x - (320 - 250)) < 4 && abs(film.middle.y - (240 + 10)) < 4)
        program.release(at: Point(x: 150, y: 250))
        try program.reach(.inline)
        #expect(program.film?.quarterTurns == 0 && program.film?.rotation == QuarterTurns.none)
        #expect(program.application.stack.top === program.application.playerPage)
    }

    @Test("Released early, the rotated video springs back, and everything is rotated again")
    func springsBack() throws {
        let program = try rotated.rotatedFilm()
        program.hold(from: Point(x: 400, y: 240), to: Point(x: 360, y: 240))
        #expect(program.application.fullscreen.isHeld)
        program.release(at: Point(x: 360, y: 240))
        try program.reach(.fullscreen)
        program.expectRotated()
    }

    @Test("A drag along the rotated video moves its page")
    func page() throws {
        let program = try rotated.rotatedFilm()
        program.hold(from: Point(x: 320, y: 100), to: Point(x: 320, y: 340))
        #expect(program.application.stack.isHeld)
        #expect(program.film.map { abs($0.destination.minY - (60 + 240)) < 4 && $0.rotation == .quarter } == true)
        program.release(at: Point(x: 320, y: 340))
        try program.settle()
        program.draw()
        #expect(program.application.stack.top is LibraryPage)
        #expect(program.application.fullscreen.state == .fullscreen)
        #expect(program.rotations == [.quarter], "the library is seen as it was during the drag")
    }

    @Test("A drag ends when the layout is rotated back while a button is down")
    func interrupted() throws {
        let program = try rotated.rotatedFilm()
        program.press(at: Point(x: 400, y: 240))
        program.setTurns(false)
        #expect(program.film?.rotation == QuarterTurns.none)
        program.expectNoDrag(from: Point(x: 400, y: 240), to: Point(x: 150, y: 240))
        program.expectNoDrag(from: Point(x: 150, y: 240), to: Point(x: 150, y: 450))
        program.release(at: Point(x: 150, y: 450))
        #expect(program.application.fullscreen.state == .fullscreen)
    }

    @Test("A drag of the progress bar ends when fullscreen is left meanwhile")
    func interruptedSeek() throws {
        let program = try rotated.rotatedFilm()
        try program.showControls()
        let controls = try program.controls
        program.press(at: program.window(try program.place(onBar: 0.25)))
        program.move(to: program.window(try program.place(onBar: 0.5)))
        #expect(controls.isDragged)
        program.type("f")
        program.pass(.milliseconds(8))
        #expect(program.application.fullscreen.state == .moving && !controls.isDragged)
        try program.reach(.inline)
        program.move(to: Point(x: 300, y: 300))
        #expect(!controls.isDragged)
        program.release(at: Point(x: 300, y: 300))
    }

    // MARK: - From a card

    @Test("A video that went fullscreen from its card is rotated as well, and a drag takes it back to the card")
    func card() throws {
        // Landscape films in an upright window.
        let cards = try CardScene(
            ["m.mp4", "z.mp4"], size: PixelSize(width: 480, height: 640),
            settings: "[interface]\nfullscreen-turns = true\n")
        let (program, application) = (cards.program, cards.application)
        try cards.awaitPlaying("m.mp4")
        program.type("f")
        try program.reach(.fullscreen)
        let element = try #require(application.state.pages.fullscreenRow)
        #expect(element.page.layer.frame.size == Size(width: 640, height: 480) && element.page.quarterTurns == 0)
        #expect(program.film?.destination == PixelRect(minX: 0, minY: 0, maxX: 480, maxY: 640))
        #expect(program.film?.rotation == .quarter)
        // To the right in the layout is down in the window.
        program.hold(from: Point(x: 240, y: 130), to: Point(x: 240, y: 450))
        #expect(application.fullscreen.isHeld)
        #expect(program.film.map { abs($0.middle.y - (320 + 320)) < 4 && abs($0.middle.x - 240) < 4 } == true)
        program.release(at: Point(x: 240, y: 450))
        try program.reach(.inline)
        #expect(application.state.pages.fullscreenRow == nil && application.stack.top === cards.page)
        #expect(cards.plays("m.mp4") && program.film?.rotation == QuarterTurns.none)
    }

    @Test("A drag to the left in the rotated layout over a video from a card shows the details, rotated")
    func cardDetails() throws {
        let cards = try CardScene(
            ["m.mp4", "z.mp4"], size: PixelSize(width: 480, height: 640),
            settings: "[interface]\nfullscreen-turns = true\n")
        let program = cards.program
        try cards.awaitPlaying("m.mp4")
        program.type("f")
        try program.reach(.fullscreen)
        program.drag(from: Point(x: 240, y: 450), to: Point(x: 240, y: 300))
        program.release(at: Point(x: 240, y: 300))
        try program.settle()
        program.draw()
        #expect(cards.application.stack.top is InfoPage && program.rotations == [.quarter])
    }

    // MARK: - The conversion

    @Test("Points, distances and touchpad scrolls are rotated, and the notches of a wheel are not")
    func conversion() {
        let rotated = LayoutRotation.Conversion(isRotated: true, window: Size(width: 640, height: 480))
        #expect(rotated.bounds == Rect(x: 0, y: 0, width: 480, height: 640))
        #expect(rotated.layout(Point(x: 639.5, y: 0)) == .zero, "the window's upper right corner")
        #expect(rotated.layout(Point(x: 700, y: 0)) == Point(x: 0, y: -61), "outside of the window")
        #expect(rotated.layout(Point(x: 639, y: 0)) == .zero, "its pixel")
        #expect(rotated.layout(Point(x: 0, y: 479)) == Point(x: 479, y: 639), "the pixel of the lower left corner")
        #expect(rotated.windowVector(Point(x: 3, y: 5)) == Point(x: -5, y: 3))
        var scroll = ScrollEvent(
            deltaX: 1, deltaY: 2, position: Point(x: 600, y: 10), time: HostTime(nanoseconds: 0), isPrecise: true)
        let precise = rotated.layout(scroll)
        #expect(precise.position == Point(x: 10, y: 39) && precise.deltaX == 2 && precise.deltaY == -1)
        scroll.isPrecise = false
        let notches = rotated.layout(scroll)
        #expect(notches.position == Point(x: 10, y: 39) && notches.deltaX == 1 && notches.deltaY == 2)
        let upright = LayoutRotation.Conversion(isRotated: false, window: Size(width: 640, height: 480))
        #expect(upright.layout(scroll) == scroll && upright.windowVector(Point(x: 3, y: 5)) == Point(x: 3, y: 5))
    }
}
