import GlissadeGeometry
import GlissadeInput
import GlissadeLayers
import GlissadeNavigation
import Testing
import GlissadeTime

@testable import GlissadeApp

@Suite("Rotated fullscreen in the program") @MainActor struct RotatedFullscreenTests {
    private let rotated: RotatedScene

    init() throws { rotated = try RotatedScene() }

    // MARK: - What is seen

    @Test("Fullscreen rotates a portrait video with everything over it, its top to the right")
    func everything() throws {
        let program = try rotated.rotatedFilm(rotated.scene.add(Films.portrait(), as: "Film.mp4"))
        program.expectRotated()
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
        let landscape = try rotated.rotatedFilm(Films.plain())
        #expect(landscape.film?.rotation == QuarterTurns.none && landscape.film?.quarterTurns == 0)
        let program = try SteppedProgram.film(Films.portrait())
        program.type("f")
        try program.reach(.fullscreen)
        #expect(program.film?.rotation == QuarterTurns.none && program.film?.quarterTurns == 0)
        #expect(program.film?.destination == PixelRect(minX: 185, minY: 0, maxX: 455, maxY: 480))
    }

    @Test("When the layout is rotated, the video keeps its place and its prepared size, in both directions")
    func seamless() throws {
        let program = try rotated.film()
        let screen = try #require(program.application.playing?.film)
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
            #expect(screen.placedSize == PixelSize(width: 360, height: 640))
        }
        program.type("f")
        program.pass(.milliseconds(480))
        #expect(program.application.fullscreen.state == .moving)
        try expectNearlyRotated()
        program.pass(.milliseconds(30))
        #expect(program.application.fullscreen.state == .fullscreen)
        program.expectRotated()
        #expect(screen.placedSize == PixelSize(width: 360, height: 640))
        try program.run("a frame that is not scaled") { _ in
            screen.texture.format?.size == PixelSize(width: 360, height: 640)
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
        let program = try rotated.film()
        func step(until state: FullscreenController.State) {
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
        program.expectRotated()
        program.type("f")
        step(until: .inline)
    }

    @Test("A press during the transition ends when the layout is rotated")
    func pressedDuringTransition() throws {
        let program = try rotated.film()
        program.type("f")
        program.pass(.milliseconds(400))
        program.press(at: Point(x: 250, y: 100))
        try program.reach(.fullscreen)
        program.expectRotated()
        program.expectNoDrag(from: Point(x: 250, y: 100), to: Point(x: 250, y: 400))
        program.expectNoDrag(from: Point(x: 250, y: 400), to: Point(x: 50, y: 400))
        program.release(at: Point(x: 50, y: 400))
        program.expectRotated()
        program.hold(from: Point(x: 400, y: 240), to: Point(x: 150, y: 250))
        #expect(program.application.fullscreen.isHeld, "the next press has the layout's coordinates")
        program.release(at: Point(x: 150, y: 250))
        try program.reach(.inline)
    }

    @Test("While the video rotates, the controls, the subtitles and the statistics are hidden")
    func hidden() throws {
        let program = try rotated.film()
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
        let location = try rotated.scene.add(Films.portrait(), as: "film.mp4")
        try rotated.scene.write("<i><d p=\"2,1,25,16777215,0,0,ann,1\">leftward</d></i>", to: "film.xml")
        let program = try rotated.rotatedFilm(location)
        try program.player.seek(to: .seconds(4), now: program.now)
        try program.run("the comment") { !$0.comments.isEmpty }
        #expect(program.rotations == [.quarter])
        let comment = try #require(program.frame(ofComment: "leftward"))
        #expect(comment.size.height > comment.size.width && comment.maxX > 560, "along the upper edge, at the right")
    }

    // MARK: - Changes

    @Test("The setting takes effect while the video is fullscreen")
    func setting() throws {
        let program = try rotated.rotatedFilm()
        program.setTurns(false)
        #expect(program.film?.rotation == QuarterTurns.none && program.film?.quarterTurns == 0)
        #expect(program.film?.destination == PixelRect(minX: 185, minY: 0, maxX: 455, maxY: 480))
        program.setTurns(true)
        program.expectRotated()
    }

    @Test("A window that is resized, or moves to another monitor, is laid out for its new shape")
    func resized() throws {
        let program = try rotated.rotatedFilm()
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
        program.expectRotated()
        #expect(program.application.fullscreen.state == .fullscreen)
    }

    @Test("The layout follows the shape of the next film in the playlist, with its first frame")
    func nextFilm() throws {
        let films = [try Films.portrait(), try Films.plain()]
        let program = try rotated.rotatedFilm(films[0], list: films)
        let whole = PixelRect(minX: 0, minY: 0, maxX: 640, maxY: 480)
        /// Draws, and expects either film in its own layout.
        func showsPicture(_ index: Int) -> Bool {
            program.draw()
            let shown = program.film.map { ($0.rotation == .quarter, $0.destination) }
            #expect(shown == nil || shown! == (true, RotatedScene.place) || shown! == (false, whole))
            return program.application.playing?.location == films[index] && program.showsPicture
        }
        program.type(">")
        try program.run("the next") { _ in showsPicture(1) }
        #expect(program.film?.destination == whole && program.rotations.isSubset(of: [.none]))
        program.type("<")
        try program.run("the one before") { _ in showsPicture(0) }
        program.expectRotated()
    }

    @Test("While the next file is being opened, the layout stays as it is")
    func opening() throws {
        let program = try rotated.rotatedFilm()
        let session = try #require(program.application.playing)
        session.play(Playlist([try Films.plain()]), keepsPicture: false)
        program.application.state.playback.sessionChanged(now: program.now)
        #expect(session.player.state == .opening && session.film.displaySize == nil)
        program.draw()
        #expect(program.isRotated)
        try program.run("the film") { $0.showsPicture }
        program.draw()
        #expect(!program.isRotated)
        #expect(program.film?.destination == PixelRect(minX: 0, minY: 0, maxX: 640, maxY: 480))
    }

    @Test("The portrait cover of a song does not rotate anything")
    func cover() throws {
        let program = try rotated.film(Films.coveredSong())
        let size = program.application.playing?.film.displaySize
        #expect(size.map { $0.height > $0.width } == true)
        program.type("f")
        program.pass(.milliseconds(250))
        #expect(program.film?.quarterTurns == 0)
        try program.reach(.fullscreen)
        #expect(!program.isRotated && program.rotations == [QuarterTurns.none])
    }

    /// The library below a rotated film that goes on in the miniplayer.
    private func library() throws -> SteppedProgram {
        let program = try rotated.rotatedFilm(rotated.scene.add(Films.portrait(), as: "film.mp4"))
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
}
