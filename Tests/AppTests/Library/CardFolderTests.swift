import GlissadeControls
import Foundation
import GlissadeGeometry
import GlissadeGestures
import GlissadeLayers
import GlissadeLibrary
import GlissadeSettings
import GlissadeSubtitles
import Testing
import GlissadeTime

@testable import GlissadeApp

@Suite("Library cards while the folder changes") @MainActor struct CardFolderTests {
    @Test("Inline playback ends when its file is deleted")
    func deleted() throws {
        let cards = try CardScene(["a.mp4", "b.mp4"])
        try cards.awaitPlaying("a.mp4")
        try FileManager.default.removeItem(atPath: cards.path("a.mp4"))
        try cards.program.run("the next film") { _ in cards.plays("b.mp4") }
        #expect(cards.page.filmPlace(of: cards.path("a.mp4")) == nil)
    }

    @Test("A video that the user opened continues in the mini player, whether it was in its card or in the corner")
    func deletedWatched() throws {
        for isInCorner in [false, true] {
            let cards = try CardScene(["a.mp4", "b.mp4", "c.mp4"])
            try cards.awaitPlaying("a.mp4")
            cards.program.click(cards.middle(of: "a.mp4"))
            try cards.program.settle()
            cards.program.press(.escape)
            try cards.program.settle()
            let player = try #require(cards.application.playing?.player)
            if isInCorner {
                try cards.scroll(to: "c.mp4")
                try cards.program.run("the corner") { _ in cards.page.film.corner.shownFraction == 1 }
            }
            try FileManager.default.removeItem(atPath: cards.path("a.mp4"))
            try cards.program.run("the small bar") { _ in cards.application.miniPlayers.count == 1 }
            #expect(cards.application.playing?.player === player && !cards.page.film.corner.isShown)
            cards.program.pass(.seconds(1))
            #expect(cards.application.playing?.player === player)
        }
    }

    @Test("Files inserted above the playing card leave it where it is on screen, playing")
    func reordered() throws {
        let cards = try CardScene(["m.mp4", "z.mp4"])
        try cards.awaitPlaying("m.mp4")
        let player = try #require(cards.application.playing?.player)
        let place = try #require(cards.page.filmPlace(of: cards.path("m.mp4")))
        for name in ["a.mp4", "b.mp4"] { try cards.scene.add(Films.plain(), as: "films/" + name) }
        try cards.scene.addFolder("films/folder")
        try cards.program.run("the new ones") { _ in cards.page.rows.row(of: cards.id("m.mp4")) == 3 }
        cards.program.draw()
        #expect(cards.page.filmPlace(of: cards.path("m.mp4"))?.frame == place.frame)
        #expect(cards.application.playing?.player === player && cards.plays("m.mp4"))
    }

    @Test("Resizing the window keeps the playing card in view and its player running")
    func resized() throws {
        let cards = try CardScene(["a.mp4", "b.mp4", "c.mp4", "d.mp4"])
        try cards.scroll(to: "c.mp4")
        try cards.awaitPlaying("c.mp4")
        let player = try #require(cards.application.playing?.player)
        for size in [PixelSize(width: 1280, height: 720), PixelSize(width: 480, height: 800)] {
            try cards.program.resize(to: size)
            cards.program.draw()
            cards.program.pass(.milliseconds(500))
            #expect(cards.plays("c.mp4") && cards.application.playing?.player === player)
        }
    }

    @Test("An empty folder says so and plays nothing")
    func empty() throws {
        let cards = try CardScene([])
        try cards.program.run("the message") { $0.texts.contains("No videos or music in this folder") }
        cards.program.pass(.seconds(1))
        #expect(cards.application.playing == nil)
    }

    @Test("Folders, audio and broken files do not play inline and are not reported")
    func broken() throws {
        let cards = try CardScene(
            ["broken 1.mp4", "broken 2.mkv", "folder/"], size: PixelSize(width: 640, height: 1600))
        try cards.scene.addAudio("films/sound.wav", seconds: 20)
        try cards.program.run("what is known of them") { _ in
            ["broken 1.mp4", "broken 2.mkv"].allSatisfy { cards.page.rows.details(of: cards.id($0))?.failure != nil }
                && cards.page.rows.details(of: cards.id("sound.wav"))?.summary != nil
        }
        cards.program.pass(.seconds(2))
        #expect(cards.application.playing == nil && cards.program.errors.isEmpty)
        #expect(cards.page.film.playback.marked == nil)
    }

    @Test("A file that failed is tried again when it has changed, not when something else in the folder does")
    func failed() throws {
        let cards = try CardScene(["a.mp4"])
        try cards.awaitPlaying("a.mp4")
        let entry = try #require(cards.page.rows.row(of: cards.id("a.mp4")).flatMap { cards.page.rows.item(at: $0) })
        #expect(cards.page.film.canPlay(entry, cards.page.rows))
        cards.page.film.playingFailed(entry.id, cards.page)
        #expect(!cards.page.film.canPlay(entry, cards.page.rows))
        try cards.scene.add(Films.plain(), as: "films/z.mp4")
        try cards.program.run("the other film") { _ in cards.page.rows.row(of: cards.id("z.mp4")) != nil }
        #expect(!cards.page.film.canPlay(entry, cards.page.rows))
        let handle = try #require(FileHandle(forWritingAtPath: cards.path("a.mp4")))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(count: 64))
        try handle.close()
        try cards.program.run("the changed one") { _ in cards.page.film.canPlay(entry, cards.page.rows) }
    }

    @Test("Scrolling through 5,000 videos needs only a few cards")
    func huge() throws {
        let cards = try CardScene([])
        for number in 0..<5000 {
            _ = FileManager.default.createFile(atPath: cards.path("broken \(number).mp4"), contents: nil)
        }
        try cards.program.run("all of them") { _ in cards.page.rows.count == 5000 }
        var seen: Set<ObjectIdentifier> = []
        for step in 0..<400 {
            cards.page.list.jump(to: Double(step) * 1777)
            cards.program.pass(.milliseconds(16))
            for row in cards.page.list.visibleRows {
                if let card = cards.page.list.view(of: row) { seen.insert(ObjectIdentifier(card)) }
            }
            #expect(cards.page.film.frames.count <= 4)
        }
        #expect(seen.count <= 6)
        cards.page.list.jump(to: 1e12)
        cards.program.draw()
        #expect(cards.program.texts.contains("broken 4999.mp4"))
    }

    @Test("The v key switches between list and cards, and what the user opened continues")
    func view() throws {
        let cards = try CardScene(["a.mp4", "b.mp4", "folder/"])
        try cards.awaitPlaying("a.mp4")
        cards.program.type("v")
        cards.program.pass(.seconds(1))
        #expect(cards.application.playing == nil && cards.page.view == .list)
        #expect(cards.page.list.heights == RowHeights(Theme.rowHeight))
        try cards.program.click("a.mp4")
        try cards.program.settle()
        cards.program.press(.escape)
        try cards.program.settle()
        #expect(cards.application.miniPlayers.count == 1)
        let player = try #require(cards.application.playing?.player)
        cards.program.type("v")
        try cards.awaitPlaying("a.mp4")
        #expect(cards.application.playing?.player === player && cards.application.miniPlayers.isEmpty)
        cards.program.type("v")
        try cards.program.run("the small bar") { _ in cards.application.miniPlayers.count == 1 }
        #expect(cards.application.playing?.player === player)
        // However close together, the last one counts.
        for _ in 0..<20 { cards.program.type("v") }
        for _ in 0..<3 { cards.program.type("v") }
        try cards.awaitChoice("cards cards\n")
        #expect(cards.program.errors == "")
    }

    @Test("The settings give commands of the library to other keys")
    func keys() throws {
        let keys = "[keys]\nc = \"library-view\"\nn = \"list-down\"\n\"v\" = \"none\"\n"
        let cards = try CardScene(["a.mp4", "b.mp4"], settings: keys)
        try cards.program.run("the films") { _ in cards.page.rows.count == 2 }
        cards.program.type("v")
        #expect(cards.page.view == .cards)
        cards.program.type("c")
        #expect(cards.page.view == .list)
        cards.program.type("n")
        cards.program.type("n")
        #expect(cards.page.list.selection == 1)
        try cards.awaitChoice("list cards\n")
    }

    @Test("The chosen view is remembered in the state folder and used by the next run; the settings file stays")
    func remembered() throws {
        let cards = try CardScene(["a.mp4"])
        try cards.awaitPlaying("a.mp4")
        cards.program.type("v")
        let file = cards.scene.path + "/config.toml"
        try cards.awaitChoice("list cards\n")
        cards.program.pass(.seconds(1))
        #expect(cards.page.view == .list)
        #expect(cards.program.errors == "")
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "[library]\nview = \"cards\"\n")
        func next() throws -> Settings.Library.View? {
            let program = try SteppedProgram(folder: cards.scene.path + "/films", settings: file)
            return (program.application.stack.root as? LibraryPage)?.view
        }
        #expect(try next() == .list)
        try cards.scene.write("", to: "config.toml")
        #expect(try next() == .list)
        try cards.scene.write("[library]\nview = \"list\"\n", to: "config.toml")
        try cards.scene.write("cards list\n", to: "state/library-view")
        #expect(try next() == .cards)
    }

    @Test("Once the setting changes, the chosen view is forgotten, also when the setting changes back")
    func forgotten() throws {
        let cards = try CardScene(["a.mp4"])
        try cards.awaitPlaying("a.mp4")
        cards.program.type("v")
        try cards.awaitChoice("list cards\n")
        try cards.scene.write("[library]\nview = \"list\"\n", to: "config.toml")
        try cards.awaitChoice("list list\n")
        #expect(cards.page.view == .list)
        try cards.scene.write("[library]\nview = \"cards\"\n", to: "config.toml")
        try cards.program.run("the cards") { _ in cards.page.view == .cards }
        try cards.awaitChoice("cards cards\n")
    }

    @Test("Settings that are read late, after others were applied, do not forget a view that was chosen over them")
    func late() {
        let memory = LibraryViewMemory(folder: nil)
        memory.choose(.list, over: .cards)
        memory.settingChanged(to: .cards)
        #expect(memory.view(over: .cards) == .list)
        memory.settingChanged(to: .list)
        memory.settingChanged(to: .cards)
        #expect(memory.view(over: .cards) == .cards)
    }

    @Test("A malformed file of the chosen view is ignored", arguments: ["", "cards", "heap list", "cards list list"])
    func malformed(text: String) { #expect(LibraryViewMemory.Choice(text: text) == nil) }

    @Test("Changing the view in the settings file takes effect at once")
    func reset() throws {
        let cards = try CardScene(["a.mp4"])
        try cards.awaitPlaying("a.mp4")
        try cards.scene.write("[library]\nview = \"list\"\n", to: "config.toml")
        try cards.program.run("the list") { _ in cards.page.view == .list }
        #expect(cards.application.playing == nil)
    }

    @Test("The fraction of a picture that must be visible is a setting")
    func visibleFraction() throws {
        let cards = try CardScene(["a.mp4"], settings: "visible-fraction = 0.2\n")
        #expect(abs(cards.page.film.playback.disappearThreshold - 0.8) < 1e-9)
        #expect(try CardScene(["a.mp4"]).page.film.playback.disappearThreshold == 0.5)
    }

    @Test("Audio that the user opened continues in the mini player, and no card interrupts it")
    func audio() throws {
        let cards = try CardScene(["b.mp4"])
        try cards.scene.addAudio("films/a.wav", seconds: 60)
        try cards.scroll(to: "a.wav")
        try cards.program.run("its card") { _ in cards.page.rows.details(of: cards.id("a.wav"))?.summary != nil }
        cards.program.click(cards.middle(of: "a.wav"))
        try cards.program.settle()
        #expect(cards.playing == "a.wav" && cards.application.playing?.player.isMuted == false)
        cards.program.press(.escape)
        try cards.program.settle()
        try cards.program.run("the small bar") { _ in cards.application.miniPlayers.count == 1 }
        try cards.scroll(to: "b.mp4")
        cards.program.pass(.seconds(2))
        #expect(cards.playing == "a.wav" && cards.page.film.corner.layer.isHidden)
    }

    @Test("A folder opened from the cards shows cards; the old inline playback ends and its own begins")
    func inner() throws {
        let cards = try CardScene(["a.mp4", "inner/"])
        try cards.scene.add(Films.plain(), as: "films/inner/deep.mp4")
        try cards.awaitPlaying("a.mp4")
        try cards.program.click("inner")
        try cards.program.settle()
        try cards.program.run("the inner film") { _ in cards.playing == "deep.mp4" }
        #expect((cards.application.stack.top as? LibraryPage)?.view == .cards)
        cards.program.press(.escape)
        try cards.program.settle()
        #expect(cards.playing != "deep.mp4")
    }

    @Test(
        "A video's card is found by name even out of view, and shows the poster while the video plays elsewhere"
    )
    func place() throws {
        let cards = try CardScene(["a.mp4", "b.mp4"] + (1...9).map { "m\($0).mp4" })
        try cards.awaitPlaying("a.mp4")
        let place = try #require(cards.page.filmPlace(of: cards.path("a.mp4")))
        #expect(place.cornerRadius == Theme.cardRadius)
        #expect(abs(place.frame.size.width / place.frame.size.height - 16 / 9) < 0.01)
        #expect(cards.page.filmPlace(of: cards.path("m9.mp4"))!.frame.minY > 480)
        #expect(cards.page.filmPlace(of: cards.path("none.mp4")) == nil)
        cards.page.setPlaceholder(for: cards.path("a.mp4"))
        cards.program.draw()
        #expect(cards.page.inlineRow(of: cards.id("a.mp4"))?.showsFilm == false)
        cards.page.setPlaceholder(for: nil)
        cards.program.draw()
        #expect(cards.plays("a.mp4"))
        cards.program.type("v")
        cards.program.draw()
        let poster = try #require(cards.page.filmPlace(of: cards.path("a.mp4")))
        #expect(poster.frame.size == Theme.posterSize && poster.cornerRadius == Theme.posterRadius)
        try cards.awaitChoice("list cards\n")
    }
}
