import GlissadeControls
import GlissadeGeometry
import GlissadeLibrary
import Testing
import GlissadeTime

@testable import GlissadeApp

/// Videos that play in the rows of the list.
@Suite("Videos in list rows") @MainActor struct InlineRowTests {
    private static let names = (10..<30).map { "\($0).mp4" }

    private func list(_ settings: String = "play-in-rows = true\n") throws -> CardScene {
        try CardScene(Self.names, view: "list", settings: settings)
    }

    /// The names of the rows that show a video.
    private func playing(_ list: CardScene) -> [String] {
        Self.names.filter { list.page.inlineRow(of: list.id($0))?.showsFilm == true }
    }

    @Test("When the list rests, the uppermost video plays in its row and muted, without having been opened")
    func plays() throws {
        let list = try list()
        try list.awaitPlaying("10.mp4")
        let session = try #require(list.application.playing)
        #expect(session.player.isMuted && !session.isMutedByUser && !session.isWatched)
        #expect(playing(list) == ["10.mp4"])
        #expect(list.application.stack.pages.count == 1 && list.application.miniPlayers.isEmpty)
        list.program.draw()
        let places = list.program.list.items.compactMap { item in
            if case .surface(let placement) = item { placement.surface == PlaybackSession.surface } else { false }
        }
        #expect(places.count { $0 } == 1)
        // The picture is as large as the poster was.
        let frame = try #require(list.page.filmPlace(of: list.path("10.mp4"))).frame
        #expect(frame.size == Theme.posterSize)
    }

    @Test("Without the setting, nothing plays in a list")
    func off() throws {
        let list = try list("")
        try list.program.run("all that is known of the films") { _ in
            list.page.rows.details(of: list.id("10.mp4"))?.summary?.hasVideo == true
        }
        list.program.pass(.seconds(3))
        #expect(list.application.playing == nil && playing(list).isEmpty)
        #expect(list.page.inlineRow(of: list.id("10.mp4")) == nil)
    }

    @Test("A click opens the same player with audio, and going back returns it to its row")
    func opens() throws {
        let list = try list()
        try list.awaitPlaying("10.mp4")
        let player = try #require(list.application.playing?.player)
        list.program.click(list.middle(of: "10.mp4"))
        try list.program.settle()
        #expect(list.application.stack.top === list.application.playerPage)
        #expect(list.application.playing?.player === player && !player.isMuted)
        list.program.press(.escape)
        try list.program.settle()
        try list.awaitPlaying("10.mp4")
        #expect(list.application.playing?.player === player && !player.isMuted)
        #expect(list.application.miniPlayers.isEmpty && list.page.bottomView == nil)
    }

    @Test("A row scrolled out of view is reused without its video, which continues in the corner and returns")
    func corner() throws {
        let list = try list()
        try list.awaitPlaying("10.mp4")
        try list.openAndGoBack("10.mp4")
        let player = try #require(list.application.playing?.player)
        try list.scroll(to: "22.mp4")
        try list.program.run("that it is in the corner") { _ in list.page.film.corner.shownFraction == 1 }
        #expect(list.application.playing?.player === player && playing(list).isEmpty)
        try list.scroll(to: "10.mp4")
        try list.awaitPlaying("10.mp4")
        #expect(!list.page.film.corner.isShown && list.application.playing?.player === player)
        #expect(playing(list) == ["10.mp4"])
    }

    @Test("Rows are told how much of their picture is visible")
    func visibility() throws {
        let list = try list()
        var heard: [RowVisibility<LibraryItem.ID>.Change] = []
        try list.awaitPlaying("10.mp4")
        let row = try #require(list.page.inlineRow(of: list.id("10.mp4")))
        #expect(row.isInView)
        // The closure must not keep the program alive, which owns it.
        let id = list.id("10.mp4")
        list.page.film.onVisibility = { if $0 == id { heard.append($1) } }
        let picture = try #require(list.page.picture(of: list.id("10.mp4")))
        // A quarter of the picture is out of view, then three quarters, then all of it.
        for fraction in [0.25, 0.75, 1.5] {
            list.page.list.jump(
                to: list.page.list.scroll.offset + list.page.picture(of: list.id("10.mp4"))!.minY
                    - list.page.viewOfList.upper + fraction * picture.size.height)
            list.program.draw()
        }
        var fractions: [Double] = []
        for case .disappearing(let fraction) in heard { fractions.append(fraction) }
        #expect(fractions.count >= 2 && abs(fractions[0] - 0.25) < 0.01 && abs(fractions[1] - 0.75) < 0.01)
        #expect(heard.last == .didDisappear && heard.count { $0 == .willDisappear } == 1)
    }

    @Test("The setting is applied at once: without it the video in a row stops, and with it the next one starts")
    func changed() throws {
        let list = try list()
        try list.awaitPlaying("10.mp4")
        try list.scene.write("[library]\nview = \"list\"\n", to: "config.toml")
        try list.program.run("nothing plays") { _ in list.application.playing == nil }
        #expect(playing(list).isEmpty)
        try list.scene.write("[library]\nview = \"list\"\nplay-in-rows = true\n", to: "config.toml")
        try list.awaitPlaying("10.mp4")
    }

    @Test("A playing row stays where it is when a file appears above it")
    func inserted() throws {
        let list = try list("play-in-rows = true\n")
        try list.scroll(to: "18.mp4")
        try list.awaitPlaying("18.mp4")
        let before = try #require(list.page.picture(of: list.id("18.mp4")))
        try list.scene.add(Films.plain(), as: "films/05.mp4")
        try list.program.run("the new row") { _ in list.page.rows.row(of: list.id("05.mp4")) != nil }
        list.program.draw()
        #expect(list.page.picture(of: list.id("18.mp4")) == before && list.plays("18.mp4"))
    }

    @Test("Switching to cards and back leaves one video in its place")
    func switched() throws {
        let list = try list()
        try list.awaitPlaying("10.mp4")
        list.program.type("v")
        try list.awaitPlaying("10.mp4")
        #expect(list.page.inlineRow(of: list.id("10.mp4")) is LibraryCard)
        list.program.type("v")
        try list.awaitPlaying("10.mp4")
        #expect(list.page.inlineRow(of: list.id("10.mp4")) is LibraryRow)
        #expect(playing(list) == ["10.mp4"] && !list.page.film.corner.isShown)
    }
}
