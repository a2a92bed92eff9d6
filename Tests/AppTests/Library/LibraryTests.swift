import Foundation
import GlissadeGeometry
import GlissadeLayers
import GlissadeLibrary
import GlissadePlatform
import Testing
import GlissadeTime

@testable import GlissadeApp

@Suite("Library page") @MainActor struct LibraryTests {
    @Test("An empty folder says so")
    func empty() throws {
        let scene = try Scene()
        let program = try SteppedProgram(folder: scene.path)
        try program.run("the message") { $0.texts.contains("No videos or music in this folder") }
    }

    @Test("A missing folder says why it cannot be read")
    func missing() throws {
        let scene = try Scene()
        let program = try SteppedProgram(folder: scene.path + "/none")
        try program.run("the message") { $0.texts.contains { $0.hasPrefix("Cannot read this folder: ") } }
    }

    @Test("A folder opened from another one is read completely, and so is the first one after going back")
    func folders() throws {
        let scene = try Scene()
        try scene.addFolder("inner")
        try scene.addAudio("inner/deep.wav")
        let program = try SteppedProgram(folder: scene.path)
        try program.run("the folder's row") { $0.texts.contains("inner") }
        try program.click("inner")
        try program.run("the length of what is in it") { $0.texts.contains { $0.hasPrefix("0:00  ·") } }
        try scene.addAudio("outer.wav")
        try program.settle()
        program.press(.escape)
        try program.settle()
        try program.run("the length of what has come meanwhile") { program in
            program.texts.contains("outer.wav") && program.texts.contains { $0.hasPrefix("0:00  ·") }
        }
    }

    @Test("Escape goes back from a subfolder and does nothing on the first page")
    func escape() throws {
        let scene = try Scene()
        try scene.addFolder("inner")
        let program = try SteppedProgram(folder: scene.path)
        try program.run("the folder's row") { $0.texts.contains("inner") }
        try program.click("inner")
        try program.settle()
        #expect(program.application.stack.pages.count == 2)
        program.press(.escape)
        try program.settle()
        program.press(.escape)
        #expect(!program.application.stack.isTransitioning)
        #expect(program.application.stack.pages.count == 1)
        #expect(!program.application.isFinished)
    }

    @Test("A broken file that is clicked says why it cannot be played, and no other one plays in its place")
    func broken() throws {
        let scene = try Scene()
        _ = try scene.addNoise("a.mkv")
        try scene.addAudio("b.wav", seconds: 30)
        let program = try SteppedProgram(folder: scene.path)
        try program.run("the row") { $0.texts.contains("a.mkv") }
        try program.click("a.mkv")
        try program.settle()
        try program.run("the failure") {
            if case .failed = $0.application.playing?.player.state { true } else { false }
        }
        program.pass(.seconds(1))
        #expect(program.application.playing?.location == scene.path + "/a.mkv")
        #expect(program.texts.contains { $0.contains("not a media file") } && !program.application.isFinished)
        // From there, the next one is where it was.
        program.type(">")
        try program.run("the next one") { $0.application.playing?.location == scene.path + "/b.wav" }
    }

    @Test("In the library, Backspace goes back, and a mouse's side buttons to what plays and back")
    func ways() throws {
        let scene = try Scene()
        try scene.addFolder("inner")
        try scene.addAudio("inner/long.wav", seconds: 60)
        let program = try SteppedProgram(folder: scene.path)
        try program.run("the folder's row") { $0.texts.contains("inner") }
        try program.click("inner")
        try program.settle()
        try program.run("the row") { $0.texts.contains("long.wav") }
        try program.click("long.wav")
        try program.settle()
        let (stack, page) = (program.application.stack, program.application.playerPage)
        program.click(Point(x: 200, y: 200), button: .other(3))
        try program.settle()
        #expect(stack.pages.count == 2)
        program.click(Point(x: 200, y: 200), button: .other(4))
        try program.settle()
        #expect(stack.top === page && page != nil)
        program.press(.escape)
        try program.settle()
        program.press(.backspace)
        try program.settle()
        #expect(stack.pages.count == 1)
    }

    @Test("A second click while the player page is coming in opens nothing else")
    func twice() throws {
        let scene = try Scene()
        try scene.addAudio("one.wav", seconds: 30)
        let program = try SteppedProgram(folder: scene.path)
        try program.run("the row") { $0.texts.contains("one.wav") }
        let place = try program.place(of: "one.wav")
        program.click(place)
        program.draw()
        program.click(place)
        try program.settle()
        #expect(program.application.stack.pages.count == 2)
        #expect(program.application.stack.top === program.application.playerPage)
    }

    @Test("A click on what is playing returns to it")
    func playingRow() throws {
        let scene = try Scene()
        try scene.addAudio("long.wav", seconds: 60)
        let program = try SteppedProgram(folder: scene.path)
        try program.run("the row") { $0.texts.contains("long.wav") }
        try program.click("long.wav")
        let player = try #require(program.application.playing?.player)
        try program.settle()
        program.press(.escape)
        try program.settle()
        program.draw()
        try program.click("long.wav")
        try program.settle()
        #expect(program.application.playing?.player === player)
        #expect(program.application.stack.top === program.application.playerPage)
    }

    @Test("A click on what has ended plays it again")
    func endedRow() throws {
        let scene = try Scene()
        try scene.addAudio("short.wav")
        let program = try SteppedProgram(folder: scene.path)
        try program.run("the row") { $0.texts.contains("short.wav") }
        try program.click("short.wav")
        let player = try #require(program.application.playing?.player)
        try program.settle()
        program.press(.escape)
        try program.settle()
        try program.run("its end") { $0.application.playing?.player.state == .ended }
        program.draw()
        try program.click("short.wav")
        #expect(program.application.playing?.player !== player)
    }

    @Test("A library read while a page is dragged aside shows its rows beneath")
    func drawnAside() throws {
        let scene = try Scene()
        let program = try SteppedProgram(playing: try scene.addAudio("song.wav", seconds: 60))
        try program.run("the page") { $0.texts.contains("song.wav") }
        // A library that has not been seen yet reads its folder only now.
        program.drag(from: Point(x: 100, y: 240), to: Point(x: 400, y: 240))
        try program.run("its title or a row") { try $0.brightest(in: Rect(x: 0, y: 60, width: 280, height: 400)) > 100 }
        #expect(program.application.stack.isHeld)
    }

    @Test("Space pauses what was opened from the library, and the mini player shows it")
    func space() throws {
        let scene = try Scene()
        let program = try SteppedProgram(playing: try scene.addAudio("song.wav", seconds: 60))
        program.press(.escape)
        try program.run("that it plays") { $0.texts.contains("Playing") }
        program.press(.space)
        try program.run("that it does not") { $0.texts.contains("Paused") }
    }

    @Test("The playing row is marked even if the file was given by a relative path")
    func relative() throws {
        let scene = try Scene()
        let up = String(repeating: "../", count: 32)
        let program = try SteppedProgram(playing: "./" + up + scene.addAudio("song.wav", seconds: 60).dropFirst())
        program.press(.escape)
        // The small bar's own button is the one to pause.
        try program.run("the mark") { $0.icons.contains(.play) && $0.icons.contains(.pause) }
    }

    @Test("A library beneath a video opens scrolled to the video's row")
    func place() throws {
        let scene = try Scene()
        for number in 1...40 { try scene.addAudio("\(number).wav", seconds: 60) }
        let program = try SteppedProgram(playing: scene.path + "/30.wav")
        program.press(.escape)
        try program.settle()
        try program.run("the row") { $0.texts.contains("30.wav") && $0.texts.contains("29.wav") }
    }

    @Test(
        "What is playing has the same path, however it was named",
        arguments: [
            ("/films/a.mp4", "/films/a.mp4"), ("file:///films/a%20b.mp4", "/films/a b.mp4"), ("a.mp4", "HERE/a.mp4"),
            ("./a.mp4", "HERE/a.mp4"), (".//././a.mp4", "HERE/a.mp4"), ("./.hidden/a.mp4", "HERE/.hidden/a.mp4"),
            ("../a.mp4", "ABOVE/a.mp4"), (".", "HERE"), ("./", "HERE"),
        ])
    func paths(location: String, path: String) {
        let here = FileManager.default.currentDirectoryPath
        // Of a folder at the root, the one above it is the root itself.
        let above = BytePath(here).parent.displayPath
        let expected = path.replacing("HERE", with: here)
            .replacing("ABOVE", with: above == "/" ? "" : above)
        #expect(LibraryFolder.absolute(location).displayPath == expected)
    }

    @Test("A file has one canonical path, however it was typed")
    func detours() throws {
        let files = FileManager.default
        let base = files.temporaryDirectory.resolvingSymlinksInPath().path + "/detours-\(UUID().uuidString)"
        defer { try? files.removeItem(atPath: base) }
        for folder in ["a/deep", "b"] {
            try files.createDirectory(atPath: "\(base)/\(folder)", withIntermediateDirectories: true)
        }
        try files.createSymbolicLink(atPath: base + "/link", withDestinationPath: base + "/a/deep")
        let ways = [
            ("/a/../b/film.mp4", "/b/film.mp4"), ("/./b/./film.mp4", "/b/film.mp4"),
            ("/link/../film.mp4", "/a/film.mp4"),
            ("/link/film.mp4", "/link/film.mp4"), ("/b/..", ""), ("/b/.", "/b"), ("/b/...", "/b/..."),
            ("/none/../film.mp4", "/none/../film.mp4"), ("/b/..film.mp4", "/b/..film.mp4"),
            ("/link/./film.mp4", "/link/film.mp4"), ("/b/../link/film.mp4", "/link/film.mp4"),
        ]
        for (way, end) in ways {
            #expect(LibraryFolder.absolute(base + way).displayPath == base + end, "\(way)")
        }
    }
}
