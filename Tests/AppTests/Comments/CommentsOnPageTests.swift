import GlissadeControls
import GlissadeGeometry
import Testing
import GlissadeTime

@testable import GlissadeApp

/// Moving comments in the whole program. The film is 320×240 at 20 frames a second, shown at
/// 640×480.
@Suite("Moving comments on the player page")
@MainActor struct CommentsOnPageTests {
    @Test("Comments found beside the video appear at their times, each where its kind says")
    func kinds() throws {
        let scene = try Scene()
        let program = try SteppedProgram.film(commentsIn: scene)
        #expect(program.comments.isEmpty)
        try program.go(to: 4, showing: "leftward")
        #expect(Set(program.comments.map(\.text)) == ["leftward", "rightward", "top", "bottom"])
        let top = try #require(program.frame(ofComment: "top"))
        let bottom = try #require(program.frame(ofComment: "bottom"))
        #expect(top.minY == 0 && abs(top.minX + top.maxX - 640) <= 2)
        #expect(abs(bottom.maxY - 480) <= 1 && abs(bottom.minX + bottom.maxX - 640) <= 2)
        try program.go(to: 6.5)
        #expect(Set(program.comments.map(\.text)) == ["leftward", "rightward"], "the resting ones are gone after 4 s")
        try program.go(to: 10.5)
        #expect(program.comments.isEmpty, "all are gone after 8 s")
    }

    @Test("Of ten thousand comments in ten seconds, no more than the limit are on the screen at any time")
    func crowd() throws {
        let scene = try Scene()
        let lines = (0..<10_000).map { "<d p=\"\(Double($0) / 1000),1,25,16777215,0,0,u,\($0)\">c \($0)</d>" }
        let program = try SteppedProgram.film(
            commentsIn: scene, comments: "<i>" + lines.joined() + "</i>", isPaused: false,
            settings: "limit = 200\noverlap = true")
        for seconds in [2.0, 9, 5] {
            try program.go(to: seconds)
            try program.run("as many as allowed") {
                $0.draw()
                #expect($0.comments.count <= 200)
                return $0.comments.count == 200
            }
        }
    }

    @Test("A moving comment is at the same place, whatever way playback came to its time")
    func crossing() throws {
        let scene = try Scene()
        let program = try SteppedProgram.film(commentsIn: scene)
        try program.go(to: 6, showing: "leftward")
        #expect(try abs(program.middle(ofComment: "leftward").x - 320) <= 2, "halfway after half of its time")
        try program.go(to: 9)
        let late = try #require(program.frame(ofComment: "leftward"))
        try program.go(to: 3)
        try program.go(to: 9)
        #expect(program.frame(ofComment: "leftward") == late)
    }

    @Test("Comments move at the display's rate, between two frames of the video, and stop while it is paused")
    func displayRate() throws {
        let scene = try Scene()
        let program = try SteppedProgram.film(commentsIn: scene)
        try program.go(to: 4, showing: "leftward")
        let paused = try #require(program.frame(ofComment: "leftward"))
        #expect(!program.application.isAnimating)
        program.pass(.milliseconds(100))
        #expect(program.frame(ofComment: "leftward") == paused)
        try program.player.play(now: program.now)
        try program.run("the film going on") { $0.frame(ofComment: "leftward") != paused }
        #expect(try program.page.isAnimating, "each refresh is drawn")
        // Shorter than a frame of the film.
        let (before, shown) = (try #require(program.frame(ofComment: "leftward")), program.shown)
        let began = program.drawnFor
        program.pass(.milliseconds(16))
        let after = try #require(program.frame(ofComment: "leftward"))
        let speed = (640 + paused.size.width) / 8
        let expected = (program.drawnFor - began).inSeconds * speed
        #expect(abs(before.minX - after.minX - expected) <= 2, "\(shown as Any)")
    }

    @Test(
        "At twice the playback speed comments move twice as fast, and the speed setting changes the time for a crossing"
    )
    func speed() throws {
        let scene = try Scene()
        let program = try SteppedProgram.film(commentsIn: scene, settings: "speed = 2")
        // A crossing takes 4 s.
        try program.go(to: 4, showing: "leftward")
        #expect(try abs(program.middle(ofComment: "leftward").x - 320) <= 2)
        try program.player.setSpeed(2, now: program.now)
        let frame = try #require(program.frame(ofComment: "leftward"))
        try program.player.play(now: program.now)
        try program.run("the film going on") { $0.frame(ofComment: "leftward") != frame }
        let (before, began) = (try #require(program.frame(ofComment: "leftward")), program.drawnFor)
        program.pass(.milliseconds(50))
        let after = try #require(program.frame(ofComment: "leftward"))
        let expected = (program.drawnFor - began).inSeconds * 2 * (640 + frame.size.width) / 4
        #expect(abs(before.minX - after.minX - expected) <= 8)
    }

    @Test("The size, the opacity and the height of comments are settings, and without room they overlap if set so")
    func look() throws {
        let many = (0..<40).map { "<d p='2,5,25,16777215,0,0,u,1'>top \($0)</d>" }.joined()
        for (setting, count, height) in [
            ("height = 0.5", 9, 25.0), ("height = 0.5\nscale = 2", 4, 50), ("height = 0.5\noverlap = true", 40, 25),
        ] {
            let scene = try Scene()
            let program = try SteppedProgram.film(
                commentsIn: scene, comments: "<i>\(many)</i>", settings: setting + "\nopacity = 0.5")
            try program.go(to: 3, showing: "top 0")
            #expect(program.comments.count == count, "\(setting)")
            #expect(try abs(#require(program.frame(ofComment: "top 0")).size.height - height) <= 1, "\(setting)")
            let opacities = program.list.items.compactMap { item -> Double? in
                guard case .image(let image) = item, case .text(let text) = image.source, text.style.outline != nil
                else { return nil }
                return image.opacity
            }
            #expect(opacities.allSatisfy { abs($0 - 0.5) < 0.01 })
        }
    }

    @Test("The d key hides and shows the comments")
    func key() throws {
        let scene = try Scene()
        let program = try SteppedProgram.film(commentsIn: scene)
        try program.go(to: 4, showing: "leftward")
        program.type("d")
        #expect(program.told == "Comments off")
        try program.waitUntilGone(comment: "leftward")
        program.type("d")
        #expect(program.told == "Comments on")
        try program.waitForComment("leftward")
    }

    @Test("A video without comments says so, and has no button for them")
    func none() throws {
        let scene = try Scene()
        let program = try SteppedProgram.film(commentsIn: scene, comments: nil)
        program.type("d")
        #expect(program.told == "No comments")
        try program.showControls()
        #expect(try program.controls.comments.layer.isHidden)
    }

    @Test("The button of the comments hides and shows them")
    func button() throws {
        let scene = try Scene()
        let program = try SteppedProgram.film(commentsIn: scene)
        try program.go(to: 4, showing: "leftward")
        try program.showControls()
        program.click(program.place(of: try program.controls.comments.layer))
        try program.waitUntilGone(comment: "leftward")
        program.click(program.place(of: try program.controls.comments.layer))
        try program.waitForComment("leftward")
    }

    @Test("Settings choose the kinds, hide words and users, and limit the number")
    func settings() throws {
        for (text, expected) in [
            ("rightward = false\ntop = false", ["leftward", "bottom"]),
            ("hidden-users = [\"ann\"]", ["rightward", "top"]),
            ("hidden-words = [\"WARD\"]", ["top", "bottom"]), ("limit = 1", ["leftward"]),
        ] {
            let scene = try Scene()
            let program = try SteppedProgram.film(commentsIn: scene, settings: text)
            try program.go(to: 4, showing: expected[0])
            #expect(Set(program.comments.map(\.text)) == Set(expected), "\(text)")
        }
    }

    @Test("With comments off in the settings, none are shown until the d key turns them on")
    func invisible() throws {
        let scene = try Scene()
        let film = try scene.add(Films.plain(), as: "film.mp4")
        try scene.write(Films.comments, to: "film.xml")
        let settings = try scene.write("[danmaku]\nvisible = false\n", to: "config.toml")
        let program = try SteppedProgram.film(film, settings: settings)
        try program.go(to: 4)
        try program.run("the comments") { $0.application.playing?.comments.comments.isEmpty == false }
        program.pass(.milliseconds(400))
        #expect(program.comments.isEmpty)
        program.type("d")
        #expect(program.told == "Comments on")
        try program.waitForComment("leftward")
    }

    @Test("A dropped file of comments replaces those found beside the video")
    func dropped() throws {
        let scene = try Scene()
        let program = try SteppedProgram.film(commentsIn: scene)
        try program.go(to: 4, showing: "leftward")
        let file = try scene.write("<i><d p='3,1,25,0,0,0,u,1'>dropped</d></i>", to: "other.xml")
        program.drop([file])
        try program.waitForComment("dropped")
        #expect(program.comments.map(\.text) == ["dropped"])
    }

    @Test("A dropped file without comments is reported, and the comments stay", arguments: ["<a/>", "", "nothing"])
    func broken(text: String) throws {
        let scene = try Scene()
        let program = try SteppedProgram.film(commentsIn: scene)
        try program.go(to: 4, showing: "leftward")
        program.drop([try scene.write(text, to: "other.xml")])
        try program.run("the error") { $0.errors.contains("other.xml") }
        #expect(program.frame(ofComment: "leftward") != nil)
    }

    @Test("Of a dropped file whose end is missing, the readable comments are shown, and the rest is reported")
    func damaged() throws {
        let scene = try Scene()
        let program = try SteppedProgram.film(commentsIn: scene)
        try program.go(to: 4, showing: "leftward")
        program.drop([try scene.write("<i><d p='4,5,25,0'>whole</d><d p='4,5", to: "other.xml")])
        try program.run("the report") { $0.errors.contains("other.xml: damaged") }
        try program.waitForComment("whole")
    }

    @Test("After a change of the window's size, comments are placed for the new size")
    func resizing() throws {
        let scene = try Scene()
        let program = try SteppedProgram.film(commentsIn: scene)
        try program.go(to: 6, showing: "leftward")
        let small = try #require(program.frame(ofComment: "leftward"))
        try program.resize(to: PixelSize(width: 1280, height: 960))
        try program.run("the larger comment") {
            $0.draw()
            return $0.frame(ofComment: "leftward").map { $0.size.height > small.size.height * 1.9 } == true
        }
        let middle = try program.middle(ofComment: "leftward")
        #expect(abs(middle.x - 640) <= 2)
    }

    @Test("A new video does not show the comments of the previous one")
    func newVideo() throws {
        let scene = try Scene()
        let program = try SteppedProgram.film(commentsIn: scene)
        try program.go(to: 4, showing: "leftward")
        let player = try program.player
        program.drop([try scene.add(Films.plain(), as: "second.mp4")])
        try program.run("the other film") { try $0.player !== player && $0.showsPicture }
        program.draw()
        #expect(program.comments.isEmpty)
        program.type("d")
        #expect(program.told == "No comments")
    }
}
