import GlissadeControls
import GlissadeGeometry
import GlissadeInput
import GlissadeLayers
import GlissadeNavigation
import Testing
import GlissadeTime

@testable import GlissadeApp

/// The settings that change how pages move and what gestures do. The window is 640×480.
@Suite("Settings of pages and gestures")
@MainActor struct PageSettingsTests {
    /// Keeps the settings file, without which the program would go back to the defaults.
    private let scene: Scene

    init() throws { scene = try Scene() }

    private func film(_ settings: String) throws -> SteppedProgram {
        let path = try scene.write(settings, to: "config.toml")
        return try SteppedProgram(playing: Films.everything(), isPaused: true, settings: path).showing()
    }

    /// Drags the page by `distance` points from `x`, and lets go at rest. Returns whether the page was popped.
    private func pops(_ program: SteppedProgram, from x: Double, by distance: Double) throws -> Bool {
        let page = program.application.stack.top
        program.drag(from: Point(x: x, y: 240), to: Point(x: x + distance, y: 240))
        program.pass(.milliseconds(400))
        program.move(to: Point(x: x + distance, y: 240))
        program.pass(.milliseconds(400))
        program.release(at: Point(x: x + distance, y: 240))
        try program.settle()
        return program.application.stack.top !== page
    }

    @Test("The share of the width at which a drag goes back is a setting")
    func commit() throws {
        #expect(try pops(film("[pages]\ncommit = 0.2"), from: 100, by: 150))
        #expect(try !pops(film("[pages]\ncommit = 0.6"), from: 100, by: 300))
        #expect(try !pops(film(""), from: 100, by: 150))
    }

    @Test("A drag can be limited to the edge, to a distance from it, or turned off")
    func origin() throws {
        #expect(try !pops(film("[pages]\ndrag-from = \"edge\""), from: 100, by: 400))
        #expect(try pops(film("[pages]\ndrag-from = \"edge\""), from: 20, by: 400))
        #expect(try !pops(film("[pages]\ndrag-range = 80"), from: 100, by: 400))
        #expect(try pops(film("[pages]\ndrag-range = 80"), from: 60, by: 400))
        #expect(try !pops(film("[pages]\ndrag-from = \"nowhere\""), from: 20, by: 400))
    }

    /// The details page above a film.
    private func details(_ settings: String) throws -> SteppedProgram {
        let program = try film(settings)
        program.press(.right, .alt)
        try program.settle()
        #expect(program.application.stack.top is InfoPage)
        return program
    }

    /// The page of a folder in the library.
    private func subfolder(_ settings: String) throws -> SteppedProgram {
        try scene.addFolder("films/inner")
        let path = try scene.write(settings, to: "config.toml")
        let program = try SteppedProgram(folder: scene.path + "/films", settings: path)
        try program.run("the folder's row") { $0.texts.contains("inner") }
        try program.click("inner")
        try program.settle()
        #expect(program.application.stack.pages.count == 2 && program.application.stack.top is LibraryPage)
        return program
    }

    @Test("Drags can be turned off for one kind of page")
    func kinds() throws {
        #expect(try !pops(film("[pages]\nplayer = false"), from: 100, by: 400))
        #expect(try pops(film("[pages]\nfolders = false\ndetails = false"), from: 100, by: 400))
        #expect(try pops(details(""), from: 100, by: 400))
        #expect(try !pops(details("[pages]\ndetails = false"), from: 100, by: 400))
        #expect(try pops(subfolder(""), from: 100, by: 400))
        #expect(try !pops(subfolder("[pages]\nfolders = false"), from: 100, by: 400))
        #expect(try pops(subfolder("[pages]\nplayer = false\ndetails = false"), from: 100, by: 400))
    }

    @Test(
        "The style of transitions is a setting",
        arguments: [
            ("parallax", TransitionStyle.system), ("shift", .shift), ("masked-shift", .maskedShift),
        ])
    func style(name: String, style: TransitionStyle) throws {
        #expect(try film("[pages]\nstyle = \"\(name)\"").application.stack.style == style)
    }

    @Test("How far a double click skips and how fast a long press plays are settings")
    func amounts() throws {
        let program = try film("[video-gestures]\nskip = 25\nhold-speed = 3\nwheel-step = 5")
        let right = Point(x: 580, y: 200)
        program.click(right)
        program.click(right)
        #expect(program.told == "25 s forward")
        #expect(try program.isAt(25))
        program.scroll(at: Point(x: 320, y: 200), y: -1)
        #expect(try program.player.volume == 0.95)
        program.pass(.seconds(1))
        program.press(at: Point(x: 320, y: 200))
        program.pass(.milliseconds(600))
        #expect(try program.player.speed == 3)
        program.release(at: Point(x: 320, y: 200))
        #expect(try program.player.speed == 1)
    }

    @Test("The height of a full volume drag is a setting")
    func span() throws {
        for (setting, expected) in [("0.4", 0.5), ("0.8", 0.75)] {
            let program = try film("[video-gestures]\ndrag-span = \(setting)")
            program.drag(from: Point(x: 500, y: 150), to: Point(x: 500, y: 150 + 96 + 8))
            program.pass(.milliseconds(400))
            // 96 points are a half, or a quarter, of the span; the whole range is 130 %.
            #expect(try abs(program.player.volume - (1 - (1 - expected) * 1.3)) < 0.02, "\(setting)")
        }
    }

    @Test("A horizontal scroll seeks instead of dragging the page if set so")
    func horizontalScroll() throws {
        let program = try film("[video-gestures]\nhorizontal-scroll = \"seek\"")
        for _ in 1...3 { program.scroll(at: Point(x: 320, y: 200), x: -1) }
        program.pass(.seconds(1))
        #expect(try program.position > .seconds(1))
        #expect(!program.application.stack.isTransitioning)
    }

    @Test("The thickness, the thumb and the colors of the progress bar are settings")
    func progressBar() throws {
        let program = try film(
            """
            [progress-bar]
            thickness = 9
            thumb = 22
            thumb-at-rest = true
            color = "#FF8000"
            dragged-color = "#00ff00"
            """)
        let style = try program.controls.progress.style
        #expect(style.barHeight == 9 && style.dotHeight == 22 && style.showsThumbAtRest)
        #expect(style.rest.played == Color(red: 1, green: 128.0 / 255, blue: 0))
        #expect(style.dragged.thumb == Color(red: 0, green: 1, blue: 0))
    }
}

extension SteppedProgram {
    /// This program, once it shows a frame.
    fileprivate func showing() throws -> SteppedProgram {
        try run("the first picture") { $0.showsPicture }
        return self
    }
}
