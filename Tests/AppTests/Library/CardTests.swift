import Foundation
import GlissadeGeometry
import GlissadeGestures
import GlissadeLayers
import GlissadeLibrary
import GlissadeSubtitles
import Testing
import GlissadeTime

@testable import GlissadeApp

@Suite("Library cards") @MainActor struct CardTests {
    @Test("When the list rests, the card in view plays inline and muted, without having been opened")
    func plays() throws {
        let cards = try CardScene(["a.mp4", "b.mp4"])
        try cards.awaitPlaying("a.mp4")
        let playing = try #require(cards.application.playing)
        #expect(playing.player.isMuted && !playing.isMutedByUser && !playing.isWatched)
        #expect(cards.application.stack.pages.count == 1 && cards.application.miniPlayers.isEmpty)
        #expect(cards.page.playing == nil)
        #expect(
            cards.program.list.items.contains { item in
                if case .surface(let placement) = item { placement.surface == PlaybackSession.surface } else { false }
            })
    }

    @Test("While the user holds the list, the card that would play is only marked")
    func marked() throws {
        let cards = try CardScene(["a.mp4", "b.mp4"])
        cards.program.drag(from: Point(x: 320, y: 300), to: Point(x: 320, y: 290))
        try cards.program.run("the mark") { _ in cards.page.film.playback.marked == cards.id("a.mp4") }
        cards.program.pass(.seconds(2))
        #expect(cards.application.playing == nil)
        cards.program.release(at: Point(x: 320, y: 290))
        try cards.awaitPlaying("a.mp4")
        #expect(cards.page.film.playback.marked == nil)
    }

    @Test("A click opens the same player with audio, and going back returns it to its card")
    func opens() throws {
        let cards = try CardScene(["a.mp4", "b.mp4"])
        try cards.awaitPlaying("a.mp4")
        let player = try #require(cards.application.playing?.player)
        let texture = try #require(cards.application.playing?.film.texture)
        cards.program.click(cards.middle(of: "a.mp4"))
        try cards.program.settle()
        #expect(cards.application.stack.top === cards.application.playerPage)
        #expect(cards.application.playing?.player === player && !player.isMuted)
        #expect(cards.application.playing?.isWatched == true)
        #expect(cards.application.playing?.playlist.locations.count == 2)
        cards.program.press(.escape)
        try cards.program.settle()
        try cards.awaitPlaying("a.mp4")
        #expect(cards.application.playing?.player === player && cards.application.playing?.film.texture === texture)
        #expect(cards.application.miniPlayers.isEmpty && cards.page.bottomView == nil)
        #expect(!player.isMuted)
    }

    @Test("A click on another card plays that one")
    func other() throws {
        let cards = try CardScene(["a.mp4", "b.mp4"], size: PixelSize(width: 640, height: 1200))
        try cards.awaitPlaying("a.mp4")
        cards.program.click(cards.middle(of: "b.mp4"))
        try cards.program.settle()
        #expect(cards.playing == "b.mp4" && cards.application.playing?.player.isMuted == false)
    }

    @Test("A click beside the cards opens nothing")
    func beside() throws {
        let cards = try CardScene(["a.mp4"], size: PixelSize(width: 1600, height: 600))
        try cards.awaitPlaying("a.mp4")
        cards.program.click(Point(x: 40, y: 300))
        cards.program.draw()
        #expect(cards.application.stack.pages.count == 1)
    }

    @Test("While its page is dragged aside, the video continues in the card beneath")
    func beneath() throws {
        let cards = try CardScene(["a.mp4", "b.mp4"])
        try cards.awaitPlaying("a.mp4")
        cards.program.click(cards.middle(of: "a.mp4"))
        try cards.program.settle()
        #expect(cards.page.beneathMode == .live)
        cards.program.drag(from: Point(x: 100, y: 240), to: Point(x: 400, y: 240))
        cards.program.draw()
        #expect(cards.application.stack.isHeld && cards.plays("a.mp4"))
    }

    @Test("A video whose card is scrolled out of view continues in the corner and returns to the card")
    func corner() throws {
        let cards = try CardScene(["a.mp4", "b.mp4", "c.mp4"])
        try cards.awaitPlaying("a.mp4")
        try cards.openAndGoBack("a.mp4")
        let player = try #require(cards.application.playing?.player)
        try cards.scroll(to: "b.mp4")
        try cards.program.run("that it is in the corner") { _ in cards.page.film.corner.shownFraction == 1 }
        cards.program.pass(.seconds(1))
        #expect(cards.application.playing?.player === player && cards.playing == "a.mp4")
        #expect(cards.application.miniPlayers.isEmpty)
        #expect(cards.page.inlineRow(of: cards.id("b.mp4"))?.showsFilm == false)
        #expect(
            cards.page.film.corner.layer.frame
                == CornerMiniPlayer.frame(in: Size(width: 640, height: 480), bottom: 0))
        try cards.scroll(to: "a.mp4")
        try cards.awaitPlaying("a.mp4")
        #expect(!cards.page.film.corner.isShown && cards.application.playing?.player === player)
    }

    @Test("Cards are told how much of them is visible, also when another page covers them")
    func visibility() throws {
        let cards = try CardScene(["a.mp4", "b.mp4", "c.mp4", "d.mp4"])
        var heard: [String] = []
        var shares: [Double] = []
        cards.page.film.onVisibility = { id, change in
            switch change {
            case .willAppear: heard.append("+" + PlaybackSession.name(of: id.location))
            case .didDisappear: heard.append("-" + PlaybackSession.name(of: id.location))
            case .appearing(let share) where id.location.hasSuffix("d.mp4"): shares.append(share)
            default: break
            }
        }
        try cards.awaitPlaying("a.mp4")
        let card = try #require(cards.page.inlineRow(of: cards.id("a.mp4")))
        #expect(card.isInView && !heard.contains("-a.mp4"))
        cards.program.click(cards.middle(of: "a.mp4"))
        try cards.program.settle()
        #expect(!card.isInView && heard.contains("-a.mp4"))
        cards.program.press(.escape)
        try cards.program.settle()
        #expect(cards.page.inlineRow(of: cards.id("a.mp4"))?.isInView == true)
        try cards.scroll(to: "d.mp4")
        cards.program.draw()
        #expect(cards.page.inlineRow(of: cards.id("d.mp4"))?.isInView == true)
        // It may have been in view before anybody listened.
        #expect(Array(heard.filter { $0.hasSuffix("a.mp4") }.suffix(3)) == ["-a.mp4", "+a.mp4", "-a.mp4"])
        #expect(heard.last { $0.hasSuffix("d.mp4") } == "+d.mp4")
        #expect(!shares.isEmpty && shares == shares.sorted())
        #expect(shares.allSatisfy { (0...1).contains($0) })
    }

    @Test("No poster is drawn beneath a video that plays in its card")
    func bare() throws {
        let cards = try CardScene(["a.mp4"])
        try cards.awaitPlaying("a.mp4")
        cards.program.draw()
        let picture = try #require(cards.page.seenPicture(of: cards.id("a.mp4")))
        let beneath = cards.program.list.items.filter { item in
            switch item {
            case .image(let image): Double(image.destination.width) == picture.size.width
            default: false
            }
        }
        #expect(beneath.isEmpty)
    }

    @Test("A card flung past while its video moves to the corner does not make it jump")
    func flungPast() throws {
        let cards = try CardScene(["a.mp4", "b.mp4", "c.mp4", "d.mp4", "e.mp4", "f.mp4"])
        try cards.awaitPlaying("a.mp4")
        try cards.openAndGoBack("a.mp4")
        let corner = cards.page.film.corner
        // Without a rest between, as in a fling: the card is out of view long before the video is in the corner.
        var (last, steps) = (cards.middle(of: "a.mp4").y, 0)
        cards.program.stopTime()
        for step in 1...40 {
            if step < 25 { cards.page.list.jump(to: Double(step) * 50) }
            cards.program.pass(.milliseconds(16))
            guard corner.shownFraction > 0 else {
                last = cards.middle(of: "a.mp4").y
                continue
            }
            let frame = corner.layer.frame
            let middle = frame.minY + frame.size.height / 2
            // A step of the list, and of the film's own way beside it, which is so long in 16 ms.
            #expect(abs(middle - last) < 50 + 25, "in step \(step)")
            if corner.shownFraction < 1, cards.page.seenPicture(of: cards.id("a.mp4")) == nil { steps += 1 }
            last = middle
        }
        #expect(corner.shownFraction == 1 && steps > 0)
    }

    @Test(
        "A click on the corner player opens the video, its button ends it, and nothing starts until the list is scrolled"
    )
    func cornerClicks() throws {
        let cards = try CardScene(["a.mp4", "b.mp4", "c.mp4"])
        try cards.awaitPlaying("a.mp4")
        cards.program.click(cards.middle(of: "a.mp4"))
        try cards.program.settle()
        let player = try #require(cards.application.playing?.player)
        func leave() throws {
            cards.program.press(.escape)
            try cards.program.settle()
            try cards.scroll(to: "c.mp4")
            try cards.program.run("that it is in the corner") { _ in cards.page.film.corner.shownFraction == 1 }
        }
        try leave()
        let corner = CornerMiniPlayer.frame(in: Size(width: 640, height: 480), bottom: 0)
        cards.program.click(Point(x: corner.minX + 20, y: corner.maxY - 20))
        try cards.program.settle()
        #expect(cards.application.stack.top === cards.application.playerPage)
        #expect(cards.application.playing?.player === player)
        try leave()
        cards.program.move(to: Point(x: corner.minX + 20, y: corner.maxY - 20))
        cards.program.move(to: Point(x: corner.minX + 22, y: corner.maxY - 20))
        cards.program.pass(.milliseconds(300))
        cards.program.click(Point(x: corner.maxX - 21, y: corner.minY + 21))
        cards.program.pass(.seconds(1))
        #expect(cards.application.playing == nil && !cards.page.film.corner.isShown)
        try cards.scroll(to: "b.mp4")
        try cards.awaitPlaying("b.mp4")
    }

    @Test("Inline playback gives way to the card at which the list comes to rest")
    func givesWay() throws {
        let cards = try CardScene(["a.mp4", "b.mp4"])
        try cards.awaitPlaying("a.mp4")
        try cards.scroll(to: "b.mp4")
        try cards.program.run("the other film") { _ in cards.playing == "b.mp4" }
        cards.program.draw()
        #expect(!cards.page.film.corner.isShown)
        try cards.awaitPlaying("b.mp4")
    }

    @Test("Inline playback stops at once when its card is scrolled away, if set so")
    func stops() throws {
        let cards = try CardScene(["a.mp4", "b/", "c/", "d/", "e/"], settings: "out-of-view = \"stop\"\n")
        try cards.scroll(to: "a.mp4")
        try cards.awaitPlaying("a.mp4")
        cards.page.list.jump(to: 0)
        try cards.program.run("that it has stopped") { _ in cards.application.playing == nil }
    }

    @Test("With sound = true a card plays with audio")
    func audio() throws {
        let cards = try CardScene(["a.mp4"], settings: "sound = true\n")
        try cards.awaitPlaying("a.mp4")
        #expect(cards.application.playing?.player.isMuted == false)
    }

    @Test("A video that the user muted stays muted when it is opened")
    func muted() throws {
        let cards = try CardScene(["a.mp4", "b.mp4"])
        try cards.awaitPlaying("a.mp4")
        cards.program.click(cards.middle(of: "a.mp4"))
        try cards.program.settle()
        cards.program.type("m")
        cards.program.press(.escape)
        try cards.program.settle()
        cards.application.state.playback.stop(now: .now())
        try cards.scroll(to: "b.mp4")
        try cards.awaitPlaying("b.mp4")
        cards.program.click(cards.middle(of: "b.mp4"))
        try cards.program.settle()
        #expect(cards.application.playing?.player.isMuted == true)
    }

    @Test("The history records a video watched for half a minute, but not one only scrolled past")
    func history() throws {
        let cards = try CardScene(["a.mp4"], history: true)
        try cards.awaitPlaying("a.mp4")
        let playing = try #require(cards.application.playing)
        try cards.program.run("that it is known") { _ in
            cards.application.history?.isKnown(playing.location) == true
        }
        cards.program.pass(.seconds(10))
        #expect(!playing.isWatched && cards.application.history?.nextRecord(of: playing) == nil)
        cards.program.pass(.seconds(21))
        #expect(playing.isWatched && playing.player.isMuted)
        #expect(cards.application.history?.nextRecord(of: playing) != nil)
        #expect(cards.page.playing == cards.id("a.mp4") && cards.page.film.playback.isHeld)
    }

    @Test("At its end a card shows its poster again, or the next card plays, as set")
    func end() throws {
        for (settings, next) in [("", nil), ("next = true\n", "b.mp4")] as [(String, String?)] {
            let cards = try CardScene(["b.mp4", "c.mp4"], settings: settings)
            try cards.scene.add(Films.short(), as: "films/a.mp4")
            try cards.program.run("the film") { _ in cards.playing == "a.mp4" || cards.playing == "b.mp4" }
            if cards.playing == "b.mp4" {
                cards.page.list.jump(to: 0)
                try cards.scroll(to: "a.mp4", by: 1)
                try cards.program.run("the first") { _ in cards.playing == "a.mp4" }
            }
            try cards.program.run("its end") { _ in cards.playing != "a.mp4" }
            #expect(cards.playing == next)
            if let next { try cards.awaitPlaying(next) }
        }
    }

    @Test("The file that follows a video in the corner also plays in the corner")
    func cornerNext() throws {
        let cards = try CardScene(["a.mp4", "b.mp4", "c.mp4", "d.mp4", "e.mp4"])
        try cards.awaitPlaying("a.mp4")
        try cards.openAndGoBack("a.mp4")
        try cards.scroll(to: "d.mp4")
        try cards.program.run("that it is in the corner") { _ in cards.page.film.corner.shownFraction == 1 }
        cards.program.type(">")
        cards.program.draw()
        #expect(cards.playing == "b.mp4" && cards.page.film.corner.shownFraction == 1)
        cards.program.pass(.seconds(1))
        #expect(cards.page.film.corner.shownFraction == 1 && cards.application.miniPlayers.isEmpty)
        cards.program.type(">")
        cards.program.type(">")
        try cards.program.run("that the card in view has it") { _ in cards.plays("d.mp4") }
    }
}
