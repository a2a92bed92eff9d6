import Foundation
import Geometry
import Input
import Layers
import Navigation
import Settings
import Testing
import Time

@testable import App

extension SteppedProgram {
    /// Where the film is on the screen; nil if it is not visible.
    fileprivate var film: SurfacePlacement? {
        for case .surface(let placement) in list.items where placement.surface == PlaybackSession.surface {
            return placement
        }
        return nil
    }

    /// The rotations of the texts, icons and images on the screen.
    fileprivate var rotations: Set<QuarterTurns> {
        Set(
            list.items.compactMap {
                if case .image(let placement) = $0 { placement.rotation } else { nil }
            })
    }

    /// Whether the layout is rotated.
    fileprivate var isRotated: Bool { application.screens.fullscreen.layoutRotation.current.isRotated }

    /// Where a point of the rotated layout is in the window.
    fileprivate func window(_ point: Point) -> Point {
        Point(x: application.state.window.size.width - point.y, y: point.x)
    }

    fileprivate func setTurns(_ isOn: Bool) {
        var settings = application.settings
        settings.interface.turnsInFullscreen = isOn
        application.state.settings.apply(settings)
        draw()
    }

    /// Moves the pointer, and expects that neither the video nor its page follows it.
    fileprivate func expectNoDrag(
        from start: Point, to end: Point, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for step in 1...12 {
            let fraction = Double(step) / 12
            move(to: Point(x: start.x + (end.x - start.x) * fraction, y: start.y + (end.y - start.y) * fraction))
            pass(.milliseconds(8))
        }
        #expect(!application.fullscreen.isHeld && !application.stack.isHeld, sourceLocation: sourceLocation)
        #expect(application.fullscreen.state == .fullscreen, sourceLocation: sourceLocation)
    }

    fileprivate func reach(_ state: FullscreenState) throws {
        try run("\(state)") { $0.application.fullscreen.state == state }
        draw()
    }
}

/// `interface.fullscreen-turns`: in a window of 640×480, a film of 180×320 is rotated to 640×360.
@Suite("Rotated fullscreen in the program") @MainActor struct RotatedFullscreenTests {
    private static let place = PixelRect(minX: 0, minY: 60, maxX: 640, maxY: 420)
    private let scene: Scene

    init() throws { scene = try Scene() }

    private func film(_ location: String? = nil, list: [String]? = nil) throws -> SteppedProgram {
        let settings = try scene.write("[interface]\nfullscreen-turns = true\n", to: "config.toml")
        return try SteppedProgram.film(location ?? Films.portrait(), list: list, settings: settings)
    }

    /// A film that has been rotated.
    private func rotatedFilm(_ location: String? = nil, list: [String]? = nil) throws -> SteppedProgram {
        let program = try film(location, list: list)
        program.type("f")
        try program.reach(.fullscreen)
        return program
    }

    private func expectRotated(_ program: SteppedProgram, sourceLocation: SourceLocation = #_sourceLocation) {
        let film = program.film
        #expect(film?.destination == Self.place && film?.rotation == .quarter, sourceLocation: sourceLocation)
        #expect(film?.quarterTurns == 0, sourceLocation: sourceLocation)
        #expect(program.list.viewport == PixelSize(width: 640, height: 480), sourceLocation: sourceLocation)
    }

    // MARK: - What is seen

    @Test("Fullscreen rotates a portrait video with everything over it, its top to the right")
    func everything() throws {
        let program = try rotatedFilm(scene.add(Films.portrait(), as: "Film.mp4"))
        expectRotated(program)
        #expect(try program.brightest(in: Rect(x: 490, y: 70, width: 140, height: 340)) > 200, "its upper quarter")
        #expect(try program.brightest(in: Rect(x: 10, y: 70, width: 460, height: 340)) < 30)
        try program.showControls()
        #expect(program.rotations == [.quarter])
        #expect(try program.place(of: "Film").x > 590, "the title is at the upper edge, which is at the right")
        #expect(try program.place(of: Icon.leaveFullscreen).x < 60)
        program.type("<")
        try program.run("a message") { $0.texts.contains("Start of playlist") }
        #expect(program.rotations == [.quarter])
    }

    @Test("Without the setting, and with a landscape video, nothing is rotated")
    func upright() throws {
        let landscape = try rotatedFilm(Films.plain())
        #expect(landscape.film?.rotation == QuarterTurns.none && landscape.film?.quarterTurns == 0)
        let program = try SteppedProgram.film(Films.portrait())
        program.type("f")
        try program.reach(.fullscreen)
        #expect(program.film?.rotation == QuarterTurns.none && program.film?.quarterTurns == 0)
        #expect(program.film?.destination == PixelRect(minX: 185, minY: 0, maxX: 455, maxY: 480))
    }

    @Test("When the layout is rotated, the video keeps its place and its prepared size, in both directions")
    func seamless() throws {
        let program = try film()
        let video = try #require(program.application.playing?.video)
        /// The area that the rotated video covers.
        func area() throws -> (x: ClosedRange<Double>, y: ClosedRange<Double>) {
            let film = try #require(program.film)
            let (place, isAlong) = (film.destination, film.quarterTurns < 0.5)
            let (x, y) = (Double(place.minX + place.maxX) / 2, Double(place.minY + place.maxY) / 2)
            let (width, height) = (Double(place.width) / 2, Double(place.height) / 2)
            let (across, down) = isAlong ? (width, height) : (height, width)
            return (x - across...x + across, y - down...y + down)
        }
        func expectNearlyRotated() throws {
            let film = try #require(program.film)
            #expect(film.quarterTurns > 0.98 && film.quarterTurns < 1)
            let (x, y) = try area()
            #expect(abs(x.lowerBound) < 8 && abs(x.upperBound - 640) < 8)
            #expect(abs(y.lowerBound - 60) < 8 && abs(y.upperBound - 420) < 8)
            #expect(video.placedSize == PixelSize(width: 360, height: 640))
        }
        program.type("f")
        program.pass(.milliseconds(480))
        #expect(program.application.fullscreen.state == .moving)
        try expectNearlyRotated()
        program.pass(.milliseconds(30))
        #expect(program.application.fullscreen.state == .fullscreen)
        expectRotated(program)
        #expect(video.placedSize == PixelSize(width: 360, height: 640))
        try program.run("a frame that is not scaled") { _ in
            video.texture.format?.size == PixelSize(width: 360, height: 640)
        }
        program.type("f")
        program.pass(.milliseconds(1))
        #expect(program.application.fullscreen.state == .moving)
        #expect(try #require(program.film).quarterTurns > 0.9)
        try program.reach(.inline)
        #expect(program.film?.quarterTurns == 0 && program.film?.rotation == QuarterTurns.none)
    }

    @Test("In each frame of the transition there and back the video is drawn once, over the middle of the screen")
    func unbroken() throws {
        let program = try film()
        func step(until state: FullscreenState) {
            for _ in 0..<80 where program.application.fullscreen.state != state {
                program.pass(.milliseconds(8))
                let films = program.list.items.compactMap { item -> SurfacePlacement? in
                    if case .surface(let placement) = item { placement } else { nil }
                }
                #expect(films.count == 1)
                #expect(films.allSatisfy { abs($0.middle.x - 320) < 2 && abs($0.middle.y - 240) < 2 })
                #expect(films.allSatisfy { $0.opacity == 1 && $0.shade == 0 })
            }
            #expect(program.application.fullscreen.state == state)
        }
        program.type("f")
        step(until: .fullscreen)
        expectRotated(program)
        program.type("f")
        step(until: .inline)
    }

    @Test("A press during the transition ends when the layout is rotated")
    func pressedDuringTransition() throws {
        let program = try film()
        program.type("f")
        program.pass(.milliseconds(400))
        program.press(at: Point(x: 250, y: 100))
        try program.reach(.fullscreen)
        expectRotated(program)
        program.expectNoDrag(from: Point(x: 250, y: 100), to: Point(x: 250, y: 400))
        program.expectNoDrag(from: Point(x: 250, y: 400), to: Point(x: 50, y: 400))
        program.release(at: Point(x: 50, y: 400))
        expectRotated(program)
        hold(program, from: Point(x: 400, y: 240), to: Point(x: 150, y: 250))
        #expect(program.application.fullscreen.isHeld, "the next press has the layout's coordinates")
        program.release(at: Point(x: 150, y: 250))
        try program.reach(.inline)
    }

    @Test("While the video rotates, the controls, the subtitles and the statistics are hidden")
    func hidden() throws {
        let program = try film()
        program.application.state.commands.perform(.toggleStatistics, now: program.now)
        try program.showControls()
        let page = try program.page
        program.type("f")
        program.pass(.milliseconds(250))
        #expect(program.film.map { $0.quarterTurns > 0 && $0.quarterTurns < 1 } == true)
        #expect(program.icons.isEmpty && program.texts.isEmpty)
        #expect(page.subtitles.layer.isHidden && page.statistics.layer.isHidden)
        try program.reach(.fullscreen)
        #expect(program.icons.contains(.leaveFullscreen) && program.rotations == [.quarter])
        #expect(!page.subtitles.layer.isHidden && !page.statistics.layer.isHidden)
        program.type("f")
        program.pass(.milliseconds(100))
        #expect(program.icons.isEmpty && program.texts.isEmpty)
        #expect(page.subtitles.layer.isHidden && page.statistics.layer.isHidden)
        try program.reach(.inline)
        #expect(program.icons.contains(.fullscreen) && program.rotations == [QuarterTurns.none])
        #expect(!page.subtitles.layer.isHidden && !page.statistics.layer.isHidden)
    }

    @Test("Moving comments are shown in the rotated layout, and rotated")
    func comments() throws {
        let location = try scene.add(Films.portrait(), as: "film.mp4")
        try scene.write("<i><d p=\"2,1,25,16777215,0,0,ann,1\">leftward</d></i>", to: "film.xml")
        let program = try rotatedFilm(location)
        try program.player.seek(to: .seconds(4), now: program.now)
        try program.run("the comment") { !$0.comments.isEmpty }
        #expect(program.rotations == [.quarter])
        let comment = try #require(program.frame(ofComment: "leftward"))
        #expect(comment.size.height > comment.size.width && comment.maxX > 560, "along the upper edge, at the right")
    }

    // MARK: - Input

    @Test("A click on the rotated play button plays, and a press on the rotated progress bar seeks there")
    func clicks() throws {
        let program = try rotatedFilm()
        try program.showControls()
        program.click(program.window(try program.place(onBar: 0.5)))
        try program.run("the middle") { try $0.isAt(20) }
        program.click(program.window(program.place(of: try program.controls.play.layer)))
        try program.run("it plays") { try !$0.player.isPaused }
    }

    @Test("The thumbnail over the rotated progress bar follows the pointer")
    func thumbnail() throws {
        let program = try rotatedFilm()
        try program.showControls()
        program.move(to: program.window(try program.place(onBar: 0.25)))
        try program.run("the preview") { $0.texts.contains("0:10") }
        let (place, bar) = (try program.place(of: "0:10"), program.window(try program.place(onBar: 0.25)))
        #expect(place.x > bar.x && place.x < bar.x + 60 && abs(place.y - bar.y) < 4)
    }

    @Test("A menu of the rotated controls stays on the screen")
    func menu() throws {
        let program = try rotatedFilm()
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
        let program = try rotatedFilm()
        program.scroll(at: Point(x: 300, y: 200), y: -3)
        #expect(try program.player.volume < 1)
        #expect(program.told?.hasSuffix("%") == true)
    }

    /// Drags, and rests there without letting go.
    private func hold(_ program: SteppedProgram, from start: Point, to end: Point) {
        program.drag(from: start, to: end)
        program.pass(.milliseconds(300))
        program.move(to: end)
        program.pass(.milliseconds(300))
    }

    @Test("A drag from the rotated video's top toward its bottom moves it with the pointer and leaves fullscreen")
    func dismissal() throws {
        let program = try rotatedFilm()
        hold(program, from: Point(x: 400, y: 240), to: Point(x: 150, y: 250))
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
        let program = try rotatedFilm()
        hold(program, from: Point(x: 400, y: 240), to: Point(x: 360, y: 240))
        #expect(program.application.fullscreen.isHeld)
        program.release(at: Point(x: 360, y: 240))
        try program.reach(.fullscreen)
        expectRotated(program)
    }

    @Test("A drag along the rotated video moves its page")
    func page() throws {
        let program = try rotatedFilm()
        hold(program, from: Point(x: 320, y: 100), to: Point(x: 320, y: 340))
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
        let program = try rotatedFilm()
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
        let program = try rotatedFilm()
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

    // MARK: - Changes

    @Test("The setting takes effect while the video is fullscreen")
    func setting() throws {
        let program = try rotatedFilm()
        program.setTurns(false)
        #expect(program.film?.rotation == QuarterTurns.none && program.film?.quarterTurns == 0)
        #expect(program.film?.destination == PixelRect(minX: 185, minY: 0, maxX: 455, maxY: 480))
        program.setTurns(true)
        expectRotated(program)
    }

    @Test("A window that is resized, or moves to another monitor, is laid out for its new shape")
    func resized() throws {
        let program = try rotatedFilm()
        try program.resize(to: PixelSize(width: 800, height: 450))
        program.draw()
        #expect(program.film?.destination == PixelRect(minX: 0, minY: 0, maxX: 800, maxY: 450))
        #expect(program.film?.rotation == .quarter)
        try program.resize(to: PixelSize(width: 450, height: 800))
        program.draw()
        #expect(program.film?.destination == PixelRect(minX: 0, minY: 0, maxX: 450, maxY: 800))
        #expect(program.film?.rotation == QuarterTurns.none)
        try program.resize(to: PixelSize(width: 640, height: 480))
        program.draw()
        expectRotated(program)
        #expect(program.application.fullscreen.state == .fullscreen)
    }

    @Test("The layout follows the shape of the next film in the playlist, with its first frame")
    func nextFilm() throws {
        let films = [try Films.portrait(), try Films.plain()]
        let program = try rotatedFilm(films[0], list: films)
        program.type(">")
        try program.run("the next") { $0.application.playing?.location == films[1] && $0.showsPicture }
        program.draw()
        #expect(program.film?.rotation == QuarterTurns.none && program.rotations.isSubset(of: [.none]))
        #expect(program.film?.destination == PixelRect(minX: 0, minY: 0, maxX: 640, maxY: 480))
        program.type("<")
        try program.run("the one before") { $0.application.playing?.location == films[0] && $0.showsPicture }
        program.draw()
        expectRotated(program)
    }

    @Test("While the next file is being opened, the layout stays as it is")
    func opening() throws {
        let program = try rotatedFilm()
        let session = try #require(program.application.playing)
        session.play(Playlist([try Films.plain()]), keepsPicture: false)
        program.application.state.playback.sessionChanged(now: program.now)
        #expect(session.player.state == .opening && session.video.displaySize == nil)
        program.draw()
        #expect(program.isRotated)
        try program.run("the film") { $0.showsPicture }
        program.draw()
        #expect(!program.isRotated)
        #expect(program.film?.destination == PixelRect(minX: 0, minY: 0, maxX: 640, maxY: 480))
    }

    @Test("The portrait cover of a song does not rotate anything")
    func cover() throws {
        let program = try film(Films.coveredSong())
        let size = program.application.playing?.video.displaySize
        #expect(size.map { $0.height > $0.width } == true)
        program.type("f")
        program.pass(.milliseconds(250))
        #expect(program.film?.quarterTurns == 0)
        try program.reach(.fullscreen)
        #expect(!program.isRotated && program.rotations == [QuarterTurns.none])
    }

    /// The library below a rotated film that goes on in the miniplayer.
    private func library() throws -> SteppedProgram {
        let program = try rotatedFilm(scene.add(Films.portrait(), as: "film.mp4"))
        program.press(.left, .alt)
        try program.settle()
        program.draw()
        #expect(program.application.stack.top is LibraryPage && program.application.fullscreen.state == .fullscreen)
        #expect(program.isRotated && program.rotations == [.quarter])
        return program
    }

    @Test("The library is upright again when the rotated film ends")
    func closedMiniplayer() throws {
        let program = try library()
        program.application.state.playback.stop(now: program.now)
        program.draw()
        #expect(program.application.fullscreen.state == .fullscreen)
        #expect(!program.isRotated && program.rotations == [QuarterTurns.none])
    }

    @Test("The library is upright again when the window becomes portrait")
    func portraitLibrary() throws {
        let program = try library()
        try program.resize(to: PixelSize(width: 450, height: 800))
        program.draw()
        #expect(program.application.fullscreen.state == .fullscreen)
        #expect(!program.isRotated && program.rotations == [QuarterTurns.none])
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
        hold(program, from: Point(x: 240, y: 130), to: Point(x: 240, y: 450))
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
        #expect(rotated.layout(Point(x: 640, y: 0)) == .zero, "the window's upper right corner")
        #expect(rotated.layout(Point(x: 0, y: 480)) == Point(x: 480, y: 640))
        #expect(rotated.windowVector(Point(x: 3, y: 5)) == Point(x: -5, y: 3))
        var scroll = ScrollEvent(
            deltaX: 1, deltaY: 2, position: Point(x: 600, y: 10), time: HostTime(nanoseconds: 0), isPrecise: true)
        let precise = rotated.layout(scroll)
        #expect(precise.position == Point(x: 10, y: 40) && precise.deltaX == 2 && precise.deltaY == -1)
        scroll.isPrecise = false
        let notches = rotated.layout(scroll)
        #expect(notches.position == Point(x: 10, y: 40) && notches.deltaX == 1 && notches.deltaY == 2)
        let upright = LayoutRotation.Conversion(isRotated: false, window: Size(width: 640, height: 480))
        #expect(upright.layout(scroll) == scroll && upright.windowVector(Point(x: 3, y: 5)) == Point(x: 3, y: 5))
    }
}

extension SurfacePlacement {
    fileprivate var middle: Point {
        Point(
            x: Double(destination.minX + destination.maxX) / 2, y: Double(destination.minY + destination.maxY) / 2)
    }
}
