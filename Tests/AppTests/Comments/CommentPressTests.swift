import GlissadeControls
import GlissadeGeometry
import Testing
import GlissadeTime

@testable import GlissadeApp

/// Presses on moving comments in the whole program. The video is shown at 640×480.
@Suite("Presses on moving comments")
@MainActor struct CommentPressTests {
    @Test("A press stops a comment and shows its whole text until the pointer is released")
    func press() throws {
        let scene = try Scene()
        let text = String(repeating: "very long ", count: 30)
        let program = try SteppedProgram.film(
            commentsIn: scene, comments: "<i><d p='2,1,25,16777215,0,0,u,1'>\(text)</d></i>", isPaused: false)
        try program.player.pause(now: program.now)
        try program.go(to: 6)
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
        let program = try SteppedProgram.film(commentsIn: scene)
        try program.go(to: 4, showing: "leftward")
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
        try program.waitUntilGone(comment: "leftward")
        #expect(Set(program.comments.map(\.text)) == ["rightward", "top", "bottom"])
        program.pass(.milliseconds(400))
        program.click(try program.middle(ofComment: "rightward"))
        program.pass(.milliseconds(400))
        try program.click("Hide all comments by this user")
        try program.waitUntilGone(comment: "rightward")
        #expect(Set(program.comments.map(\.text)) == ["bottom"])
        #expect(program.told == "Comments by bob hidden")
    }

    @Test("A comment goes on when its menu closes")
    func closing() throws {
        let scene = try Scene()
        let program = try SteppedProgram.film(commentsIn: scene)
        try program.go(to: 4, showing: "leftward")
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
        let program = try SteppedProgram.film(commentsIn: scene)
        try program.go(to: 4, showing: "leftward")
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

    @Test("A press stops a comment where it is on the screen, also on a page that is springing back")
    func presentation() throws {
        let scene = try Scene()
        let program = try SteppedProgram.film(commentsIn: scene)
        let resting = try springBack(program)
        #expect(program.application.stack.isTransitioning)
        let moving = try program.middle(ofComment: "leftward")
        #expect(moving.x > resting.x + 4, "the page is still on its way")
        let edge = try #require(program.filmEdge)
        program.press(at: moving)
        program.draw()
        #expect(program.frame(ofComment: "leftward") == nil && program.texts.contains("leftward"), "shown whole")
        program.pass(.milliseconds(500))
        #expect(try program.page.comments.held?.index == 0)
        #expect(try abs(#require(program.filmEdge) - edge) <= 1, "the press holds the page, too")
        program.release(at: moving)
        program.draw()
        #expect(program.application.stack.isTransitioning && program.texts.contains("leftward"))
        #expect(!program.texts.contains("Hide this comment"), "keys do not reach a menu on a moving page")
        program.pass(.seconds(1))
        #expect(!program.application.stack.isTransitioning && program.filmEdge == 0)
        program.pass(.milliseconds(400))
        #expect(program.texts.contains("Hide this comment"), "and was a click on the comment")
    }

    @Test("The text of a comment held on a page that is moved aside stays within the window")
    func aside() throws {
        let scene = try Scene()
        let text = "a long comment, of which only a part would be seen"
        let program = try SteppedProgram.film(
            commentsIn: scene, comments: "<i><d p='2,1,25,16777215,0,0,u,1'>\(text)</d></i>")
        try springBack(program, showing: text)
        let (start, edge) = (try program.middle(ofComment: text), try #require(program.filmEdge))
        #expect(edge > 50)
        program.press(at: Point(x: 500, y: start.y))
        program.draw()
        let held = try #require(try program.page.comments.held?.frame)
        #expect(held.minX >= 0 && held.maxX + edge <= 640)
        let lines = program.list.items.compactMap { item -> Rect? in
            guard case .image(let image) = item, case .text(let content) = image.source, content.string == text
            else { return nil }
            let frame = image.destination
            return Rect(
                x: Double(frame.minX), y: Double(frame.minY), width: Double(frame.width), height: Double(frame.height))
        }
        #expect(lines.count == 1 && lines[0].minX >= edge && lines[0].maxX <= 640)
    }

    @Test("A press beside a comment on a page that is springing back only holds the page")
    func beside() throws {
        let scene = try Scene()
        let program = try SteppedProgram.film(commentsIn: scene)
        let resting = try springBack(program)
        // Below all moving comments, and where the comment at the bottom is not.
        program.press(at: Point(x: 600, y: resting.y + 200))
        program.pass(.milliseconds(100))
        #expect(program.application.stack.isTransitioning)
        #expect(try program.page.comments.held == nil)
        program.release(at: Point(x: 600, y: resting.y + 200))
        program.pass(.seconds(1))
        #expect(try program.page.comments.held == nil && !program.page.areControlsShown)
    }

    @Test("After a click on a comment of a page that is springing back, a press elsewhere lets the comment go")
    func elsewhere() throws {
        let scene = try Scene()
        let program = try SteppedProgram.film(commentsIn: scene)
        let resting = try springBack(program)
        program.click(try program.middle(ofComment: "leftward"))
        program.draw()
        #expect(try program.page.comments.held != nil)
        program.press(at: Point(x: 600, y: resting.y + 200))
        program.draw()
        #expect(try program.page.comments.held == nil)
        program.release(at: Point(x: 600, y: resting.y + 200))
        program.pass(.seconds(1))
        program.pass(.milliseconds(400))
        #expect(!program.application.stack.isTransitioning && !program.texts.contains("Hide this comment"))
        #expect(program.frame(ofComment: "leftward") != nil)
    }

    @Test("A drag that begins on a comment of a page that is springing back lets the comment go and drags the page")
    func dragAfterPress() throws {
        let scene = try Scene()
        let program = try SteppedProgram.film(commentsIn: scene)
        try springBack(program)
        let start = try program.middle(ofComment: "leftward")
        let edge = try #require(program.filmEdge)
        program.press(at: start)
        program.move(to: Point(x: start.x + 4, y: start.y))
        #expect(try program.page.comments.held != nil)
        program.move(to: Point(x: start.x + 60, y: start.y))
        program.draw()
        #expect(try program.page.comments.held == nil)
        program.pass(.milliseconds(50))
        #expect(try abs(#require(program.filmEdge) - edge - 60) <= 1)
        #expect(try abs(program.middle(ofComment: "leftward").x - start.x - 60) <= 1)
    }

    @Test("A click on a comment of a page that leaves opens no menu")
    func leaving() throws {
        let scene = try Scene()
        let program = try SteppedProgram.film(commentsIn: scene)
        try springBack(program, from: 150, to: 470, after: .milliseconds(10))
        #expect(program.application.stack.isTransitioning)
        let moving = try program.middle(ofComment: "rightward")
        program.press(at: moving)
        program.draw()
        #expect(try program.page.comments.held != nil)
        program.release(at: moving)
        #expect(try program.page.comments.held == nil)
        program.draw()
        #expect(!program.texts.contains("Hide this comment"))
        try program.run("the page gone") { !$0.application.stack.isTransitioning }
        #expect(program.application.stack.pages.count == 1)
        #expect(!program.texts.contains("Hide this comment") && !program.texts.contains("rightward"))
    }

    /// Drags the page of a paused video aside and lets it go. Returns where the middle of the comment `text` was.
    @discardableResult private func springBack(
        _ program: SteppedProgram, showing text: String = "leftward", from start: Double = 320, to end: Double = 420,
        after pause: Duration = .milliseconds(30)
    ) throws -> Point {
        try program.go(to: 4, showing: text)
        let resting = try program.middle(ofComment: text)
        program.drag(from: Point(x: start, y: resting.y), to: Point(x: end, y: resting.y))
        program.pass(.milliseconds(200))
        program.release(at: Point(x: end, y: resting.y))
        program.pass(pause)
        return resting
    }
}
