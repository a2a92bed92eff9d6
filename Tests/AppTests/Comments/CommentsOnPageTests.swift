import Controls
import Danmaku
import Geometry
import Layers
import Testing
import Time

@testable import App

extension SteppedProgram {
    /// The comments on the screen: their texts and frames, in pixels.
    var comments: [(text: String, frame: Rect)] {
        list.items.compactMap { item in
            guard case .image(let placement) = item, case .text(let text) = placement.source, text.style.outline != nil
            else { return nil }
            let frame = placement.destination
            return (
                text.string,
                Rect(
                    x: Double(frame.minX), y: Double(frame.minY), width: Double(frame.width),
                    height: Double(frame.height))
            )
        }
    }

    /// The left edge of the film on the screen, in pixels; nil if it is not visible.
    var filmEdge: Double? {
        for case .surface(let placement) in list.items where placement.surface == PlaybackSession.surface {
            return Double(placement.destination.minX)
        }
        return nil
    }

    func frame(ofComment text: String) -> Rect? { comments.first { $0.text == text }?.frame }

    /// The middle of a comment on the screen.
    func middle(ofComment text: String) throws -> Point {
        guard let frame = frame(ofComment: text) else {
            throw Failure(description: "“\(text)” is not to be seen, but \(comments)")
        }
        return Point(x: frame.minX + frame.size.width / 2, y: frame.minY + frame.size.height / 2)
    }
}

/// Moving comments in the whole program. The film is 320×240 at 20 frames a second, shown at
/// 640×480.
@Suite("Moving comments on the player page")
@MainActor struct CommentsOnPageTests {
    private static let file = """
        <i><d p="2,1,25,16777215,0,0,ann,1">leftward</d><d p="2,6,25,16777215,0,0,bob,2">rightward</d>
        <d p="2,5,25,16777215,0,0,bob,3">top</d><d p="2,4,25,16777215,0,0,ann,4">bottom</d>
        <d p="2,7,25,0,0,0,ann,5">positioned</d><d p="30,1,25,16777215,0,0,ann,6">later</d></i>
        """

    private func film(
        _ scene: Scene, comments: String? = file, isPaused: Bool = true, settings: String? = nil
    ) throws -> SteppedProgram {
        let film = try scene.add(Films.plain(), as: "film.mp4")
        if let comments { try scene.write(comments, to: "film.xml") }
        let path = try settings.map { try scene.write("[danmaku]\n\($0)\n", to: "config.toml") }
        let program = try SteppedProgram.film(film, isPaused: isPaused, settings: path)
        if comments != nil {
            try program.run("the comments") { $0.application.playing?.comments.comments.isEmpty == false }
        }
        return program
    }

    private func go(_ program: SteppedProgram, to seconds: Double) throws {
        try program.player.seek(to: .seconds(seconds), now: program.now)
        try program.run("the picture there") { $0.shown.map { abs($0.inSeconds - seconds) < 0.06 } == true }
        program.draw()
    }

    /// Goes to `seconds`, and waits until the comment `text` is on the screen.
    private func go(_ program: SteppedProgram, to seconds: Double, showing text: String) throws {
        try go(program, to: seconds)
        try show(text, program)
    }

    private func show(_ text: String, _ program: SteppedProgram) throws {
        try program.run("the comment") {
            $0.draw()
            return $0.frame(ofComment: text) != nil
        }
        // They fade in.
        program.pass(.milliseconds(400))
    }

    private func hide(_ text: String, _ program: SteppedProgram) throws {
        try program.run("no comment") {
            $0.draw()
            return $0.frame(ofComment: text) == nil
        }
    }

    @Test("Comments found beside the video appear at their times, each where its kind says")
    func kinds() throws {
        let scene = try Scene()
        let program = try film(scene)
        #expect(program.comments.isEmpty)
        try go(program, to: 4, showing: "leftward")
        #expect(Set(program.comments.map(\.text)) == ["leftward", "rightward", "top", "bottom"])
        let top = try #require(program.frame(ofComment: "top"))
        let bottom = try #require(program.frame(ofComment: "bottom"))
        #expect(top.minY == 0 && abs(top.minX + top.maxX - 640) <= 2)
        #expect(abs(bottom.maxY - 480) <= 1 && abs(bottom.minX + bottom.maxX - 640) <= 2)
        try go(program, to: 6.5)
        #expect(Set(program.comments.map(\.text)) == ["leftward", "rightward"], "the resting ones are gone after 4 s")
        try go(program, to: 10.5)
        #expect(program.comments.isEmpty, "all are gone after 8 s")
    }

    @Test("Of ten thousand comments in ten seconds, no more than the limit are on the screen at any time")
    func crowd() throws {
        let scene = try Scene()
        let lines = (0..<10_000).map { "<d p=\"\(Double($0) / 1000),1,25,16777215,0,0,u,\($0)\">c \($0)</d>" }
        let program = try film(
            scene, comments: "<i>" + lines.joined() + "</i>", isPaused: false, settings: "limit = 200\noverlap = true")
        for seconds in [2.0, 9, 5] {
            try go(program, to: seconds)
            try program.run("as many as allowed") {
                $0.draw()
                #expect($0.comments.count <= 200)
                return $0.comments.count == 200
            }
        }
    }

    @Test("A moving comment crosses the video in 8 s, whatever way playback came to its time")
    func crossing() throws {
        let scene = try Scene()
        let program = try film(scene)
        try go(program, to: 6, showing: "leftward")
        let leftward = try program.middle(ofComment: "leftward")
        let rightward = try program.middle(ofComment: "rightward")
        #expect(abs(leftward.x - 320) <= 2 && abs(rightward.x - 320) <= 2, "halfway after 4 s")
        try go(program, to: 9)
        let late = try #require(program.frame(ofComment: "leftward"))
        try go(program, to: 3)
        try go(program, to: 9)
        #expect(program.frame(ofComment: "leftward") == late)
    }

    @Test("Comments move at the display's rate, between two frames of the video, and stop while it is paused")
    func displayRate() throws {
        let scene = try Scene()
        let program = try film(scene)
        try go(program, to: 4, showing: "leftward")
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
        let program = try film(scene, settings: "speed = 2")
        // A crossing takes 4 s.
        try go(program, to: 4, showing: "leftward")
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
            let program = try film(scene, comments: "<i>\(many)</i>", settings: setting + "\nopacity = 0.5")
            try go(program, to: 3, showing: "top 0")
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
        let program = try film(scene)
        try go(program, to: 4, showing: "leftward")
        program.type("d")
        #expect(program.told == "Comments off")
        try hide("leftward", program)
        program.type("d")
        #expect(program.told == "Comments on")
        try show("leftward", program)
    }

    @Test("A video without comments says so, and has no button for them")
    func none() throws {
        let scene = try Scene()
        let program = try film(scene, comments: nil)
        program.type("d")
        #expect(program.told == "No comments")
        try program.showControls()
        #expect(try program.controls.comments.layer.isHidden)
    }

    @Test("The button of the comments hides and shows them")
    func button() throws {
        let scene = try Scene()
        let program = try film(scene)
        try go(program, to: 4, showing: "leftward")
        try program.showControls()
        program.click(program.place(of: try program.controls.comments.layer))
        try hide("leftward", program)
        program.click(program.place(of: try program.controls.comments.layer))
        try show("leftward", program)
    }

    @Test("A press stops a comment and shows its whole text until the pointer is released")
    func press() throws {
        let scene = try Scene()
        let text = String(repeating: "very long ", count: 30)
        let program = try film(scene, comments: "<i><d p='2,1,25,16777215,0,0,u,1'>\(text)</d></i>", isPaused: false)
        try program.player.pause(now: program.now)
        try go(program, to: 6)
        try program.run("the comment") {
            $0.draw()
            return !$0.comments.isEmpty
        }
        let line = try #require(program.comments.first)
        #expect(line.text.hasSuffix("…") && line.text.count == 100)
        try program.player.play(now: program.now)
        let place = Point(x: 320, y: line.frame.minY + 10)
        program.press(at: place)
        program.draw()
        #expect(program.comments.isEmpty)
        #expect(program.texts.contains { $0.count == text.count })
        let held = try #require(try program.page.comments.held?.frame)
        #expect(held.minX >= 0 && held.maxX <= 640 && held.maxY <= 480, "within the video")
        program.pass(.milliseconds(700))
        #expect(try program.page.comments.held?.frame == held, "it stays where it is")
        #expect(try program.player.speed == 1, "and a long press there is not one on the video")
    }

    @Test("A click on a comment offers to copy it, to hide it, and to hide all comments by its user")
    func menu() throws {
        let scene = try Scene()
        let program = try film(scene)
        try go(program, to: 4, showing: "leftward")
        program.click(try program.middle(ofComment: "leftward"))
        program.pass(.milliseconds(400))
        #expect(Set(["Copy", "Hide this comment", "Hide all comments by this user"]).isSubset(of: program.texts))
        #expect(try !program.page.areControlsShown, "it is not a click on the video")
        try program.click("Copy")
        #expect(program.told == "Comment copied")
        program.pass(.milliseconds(400))
        program.click(try program.middle(ofComment: "leftward"))
        program.pass(.milliseconds(400))
        try program.click("Hide this comment")
        try hide("leftward", program)
        #expect(Set(program.comments.map(\.text)) == ["rightward", "top", "bottom"])
        program.pass(.milliseconds(400))
        program.click(try program.middle(ofComment: "rightward"))
        program.pass(.milliseconds(400))
        try program.click("Hide all comments by this user")
        try hide("rightward", program)
        #expect(Set(program.comments.map(\.text)) == ["bottom"])
        #expect(program.told == "Comments by bob hidden")
    }

    @Test("A comment goes on when its menu closes")
    func closing() throws {
        let scene = try Scene()
        let program = try film(scene)
        try go(program, to: 4, showing: "leftward")
        program.click(try program.middle(ofComment: "leftward"))
        program.pass(.milliseconds(400))
        #expect(program.frame(ofComment: "leftward") == nil)
        program.press(.escape)
        program.pass(.milliseconds(400))
        #expect(program.frame(ofComment: "leftward") != nil)
        #expect(try program.page.comments.held == nil)
    }

    @Test("A drag that begins on a comment drags the page, with the comments on it")
    func drag() throws {
        let scene = try Scene()
        let program = try film(scene)
        try go(program, to: 4, showing: "leftward")
        let frame = try #require(program.frame(ofComment: "leftward"))
        let start = try program.middle(ofComment: "leftward")
        program.drag(from: start, to: Point(x: start.x + 150, y: start.y))
        program.pass(.milliseconds(200))
        #expect(program.application.stack.isTransitioning)
        let moved = try #require(program.frame(ofComment: "leftward"))
        let page = try #require(program.filmEdge)
        #expect(page > 100, "the page has moved")
        #expect(abs(moved.minX - frame.minX - page) <= 1 && moved.minY == frame.minY)
        #expect(try program.page.comments.held == nil, "and the comment is not held")
    }

    @Test("A press hits a comment where it is on the screen, also on a page that is springing back")
    func presentation() throws {
        let scene = try Scene()
        let program = try film(scene)
        try go(program, to: 4, showing: "leftward")
        let frame = try #require(program.frame(ofComment: "leftward"))
        let start = try program.middle(ofComment: "leftward")
        program.drag(from: start, to: Point(x: start.x + 100, y: start.y))
        program.pass(.milliseconds(200))
        program.release(at: Point(x: start.x + 100, y: start.y))
        program.pass(.milliseconds(30))
        #expect(program.application.stack.isTransitioning)
        let comments = try program.page.comments
        let moved = try program.middle(ofComment: "leftward")
        #expect(moved.x > frame.minX + frame.size.width / 2 + 4, "the page is still on its way")
        #expect(comments.comment(at: moved, now: program.now) == 0)
        #expect(comments.comment(at: Point(x: frame.minX + 4, y: start.y), now: program.now) != 0)
    }

    @Test("Settings choose the kinds, hide words and users, and limit the number")
    func settings() throws {
        for (text, expected) in [
            ("rightward = false\ntop = false", ["leftward", "bottom"]),
            ("hidden-users = [\"ann\"]", ["rightward", "top"]),
            ("hidden-words = [\"WARD\"]", ["top", "bottom"]), ("limit = 1", ["leftward"]),
        ] {
            let scene = try Scene()
            let program = try film(scene, settings: text)
            try go(program, to: 4, showing: expected[0])
            #expect(Set(program.comments.map(\.text)) == Set(expected), "\(text)")
        }
    }

    @Test("With comments off in the settings, none are shown until the d key turns them on")
    func invisible() throws {
        let scene = try Scene()
        let film = try scene.add(Films.plain(), as: "film.mp4")
        try scene.write(Self.file, to: "film.xml")
        let settings = try scene.write("[danmaku]\nvisible = false\n", to: "config.toml")
        let program = try SteppedProgram.film(film, settings: settings)
        try go(program, to: 4)
        try program.run("the comments") { $0.application.playing?.comments.comments.isEmpty == false }
        program.pass(.milliseconds(400))
        #expect(program.comments.isEmpty)
        program.type("d")
        #expect(program.told == "Comments on")
        try show("leftward", program)
    }

    @Test("A dropped file of comments replaces those found beside the video")
    func dropped() throws {
        let scene = try Scene()
        let program = try film(scene)
        try go(program, to: 4, showing: "leftward")
        let file = try scene.write("<i><d p='3,1,25,0,0,0,u,1'>dropped</d></i>", to: "other.xml")
        program.drop([file])
        try show("dropped", program)
        #expect(program.comments.map(\.text) == ["dropped"])
    }

    @Test("A dropped file without comments is reported, and the comments stay", arguments: ["<a/>", "", "nothing"])
    func broken(text: String) throws {
        let scene = try Scene()
        let program = try film(scene)
        try go(program, to: 4, showing: "leftward")
        program.drop([try scene.write(text, to: "other.xml")])
        try program.run("the error") { $0.errors.contains("other.xml") }
        #expect(program.frame(ofComment: "leftward") != nil)
    }

    @Test("Of a dropped file whose end is missing, the readable comments are shown, and the rest is reported")
    func damaged() throws {
        let scene = try Scene()
        let program = try film(scene)
        try go(program, to: 4, showing: "leftward")
        program.drop([try scene.write("<i><d p='4,5,25,0'>whole</d><d p='4,5", to: "other.xml")])
        try program.run("the report") { $0.errors.contains("other.xml: damaged") }
        try show("whole", program)
    }

    @Test("After a change of the window's size, comments are placed for the new size")
    func resizing() throws {
        let scene = try Scene()
        let program = try film(scene)
        try go(program, to: 6, showing: "leftward")
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
        let program = try film(scene)
        try go(program, to: 4, showing: "leftward")
        let player = try program.player
        program.drop([try scene.add(Films.plain(), as: "second.mp4")])
        try program.run("the other film") { try $0.player !== player && $0.showsPicture }
        program.draw()
        #expect(program.comments.isEmpty)
        program.type("d")
        #expect(program.told == "No comments")
    }
}
