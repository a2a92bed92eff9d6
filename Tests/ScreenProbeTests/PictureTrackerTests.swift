import Testing
import GlissadeScreenProbe

@Suite("Picture tracker") struct PictureTrackerTests {
    private func numbers(_ screen: PaintedScreen) -> [Int?] {
        var tracker = PictureTracker()
        return tracker.look(at: screen, drawn: [screen.whole]).map(\.number)
    }

    @Test("A picture of 160x90 with rounded corners is found anywhere")
    func anywhere() {
        for top in stride(from: 0, through: 990, by: 30) {
            let screen = PaintedScreen()
            screen.paint(top, left: Double(top * 17 % 1760), top: top, width: 160, height: 90, corner: 12)
            #expect(numbers(screen) == [top], "at \(top)")
        }
    }

    @Test("A picture's position is exact to two pixels", arguments: [(160.0, 90), (640, 360), (1920, 1080)])
    func place(width: Double, height: Int) throws {
        let screen = PaintedScreen()
        let (left, top) = (width < 1920 ? 211.0 : 0, width < 1920 ? 333 : 0)
        screen.paint(5, left: left, top: top, width: width, height: height, shade: 0.5)
        var tracker = PictureTracker()
        let picture = try #require(tracker.look(at: screen, drawn: [screen.whole]).first)
        #expect(abs(picture.columns.lowerBound - left) <= 2 && abs(picture.columns.upperBound - left - width) <= 2)
        #expect(picture.rows == top..<top + height)
    }

    @Test("A picture that grows from a card to the whole screen and back is tracked without a search")
    func grows() {
        var tracker = PictureTracker()
        for step in 0...60 {
            let fraction = 1 - abs(Double(step) / 30 - 1)
            let screen = PaintedScreen()
            screen.paint(
                1000 + step, left: 1500 * (1 - fraction), top: Int(900 * (1 - fraction)), width: 160 + 1760 * fraction,
                height: Int(90 + 990 * fraction), corner: 12 * (1 - fraction))
            #expect(tracker.look(at: screen, drawn: [screen.whole]).map(\.number) == [1000 + step], "step \(step)")
        }
        #expect(tracker.searchCount <= 1 + 60 / 10, "only those that are due in any case")
    }

    @Test("If only the known picture was drawn few lines are read")
    func cheap() {
        let screen = PaintedScreen()
        screen.paint(1, left: 400, top: 300, width: 640, height: 360)
        var tracker = PictureTracker()
        _ = tracker.look(at: screen, drawn: [screen.whole])
        let before = screen.lineCount
        _ = tracker.look(at: screen, drawn: [Region(name: "", x: 400..<1040, y: 300..<660)])
        #expect(screen.lineCount - before == 3, "a row through its middle, and two columns for its height")
        _ = tracker.look(at: screen, drawn: [])
        #expect(screen.lineCount - before == 3, "nothing was drawn")
        #expect(tracker.pictures.map(\.number) == [1])
    }

    @Test("Of two pictures the larger one comes first, even if the smaller one lies on top")
    func two() {
        let screen = PaintedScreen()
        screen.paint(70, left: 0, top: 0, width: 1280, height: 720)
        screen.paint(71, left: 1400, top: 800, width: 320, height: 180)
        #expect(numbers(screen) == [70, 71])
        screen.paint(72, left: 900, top: 300, width: 320, height: 180)
        #expect(numbers(screen) == [70, 72, 71])
        // Over all of its middle.
        screen.paint(73, left: 100, top: 240, width: 426, height: 240)
        #expect(numbers(screen).first == 70)
    }

    @Test("Vertically adjacent pictures keep their own heights and sample pixels")
    func touching() {
        let screen = PaintedScreen()
        screen.paint(70, left: 1440, top: 150, width: 1280, height: 720)
        screen.paint(71, left: 1416, top: 786, width: 480, height: 270)
        var tracker = PictureTracker()
        let pictures = tracker.look(at: screen, drawn: [screen.whole])
        #expect(pictures.map(\.rows) == [786..<1056], "the other one's right side is not on the screen")
        #expect(pictures.allSatisfy { $0.rows.contains($0.pixel.y) })
        let whole = PaintedScreen()
        whole.paint(80, left: 0, top: 0, width: 1280, height: 720)
        whole.paint(81, left: 10, top: 720, width: 480, height: 270)
        let both = tracker.look(at: whole, drawn: [whole.whole])
        #expect(both.map(\.rows) == [0..<720, 720..<990])
        #expect(both.allSatisfy { $0.rows.contains($0.pixel.y) })
    }

    @Test("A second picture that appears elsewhere is found at once")
    func comes() {
        let screen = PaintedScreen()
        screen.paint(1, left: 0, top: 0, width: 640, height: 360)
        var tracker = PictureTracker()
        _ = tracker.look(at: screen, drawn: [screen.whole])
        screen.paint(2, left: 1500, top: 900, width: 160, height: 90)
        let drawn = [Region(name: "", x: 1500..<1660, y: 900..<990)]
        #expect(tracker.look(at: screen, drawn: drawn).map(\.number) == [1, 2])
    }

    @Test("A picture that disappeared is not found, and one that jumped is found again")
    func goes() {
        var tracker = PictureTracker()
        let first = PaintedScreen()
        first.paint(1, left: 0, top: 0, width: 640, height: 360)
        #expect(tracker.look(at: first, drawn: [first.whole]).map(\.number) == [1])
        let second = PaintedScreen()
        second.paint(2, left: 1200, top: 700, width: 640, height: 360)
        #expect(tracker.look(at: second, drawn: [second.whole]).map(\.number) == [2])
        let empty = PaintedScreen()
        #expect(tracker.look(at: empty, drawn: [empty.whole]).isEmpty)
        #expect(tracker.look(at: second, drawn: [second.whole]).map(\.number) == [2])
    }

    @Test("Something over the middle or the edges of a picture does not hide it")
    func covered() {
        let screen = PaintedScreen()
        screen.paint(9, left: 200, top: 100, width: 1280, height: 720)
        screen.cover(x: 780..<880, y: 410..<510, (250, 250, 250))
        screen.cover(x: 200..<1480, y: 100..<200, (20, 20, 20))
        screen.cover(x: 200..<1480, y: 700..<820, (20, 20, 20))
        #expect(numbers(screen) == [9])
    }

    @Test("A picture with an unreadable code comes after all readable ones")
    func unreadable() {
        let screen = PaintedScreen()
        screen.paint(nil, left: 0, top: 0, width: 1280, height: 720)
        #expect(numbers(screen) == [nil])
        screen.paint(4, left: 1400, top: 800, width: 160, height: 90)
        #expect(numbers(screen) == [4, nil])
    }

    @Test("A picture cut off by the screen's edge or another window is told from none")
    func cut() {
        for left in [-600.0, 1200] {
            let screen = PaintedScreen()
            screen.paint(4, left: left, top: 100, width: 1280, height: 720)
            var tracker = PictureTracker()
            #expect(tracker.look(at: screen, drawn: [screen.whole]).isEmpty)
            #expect(tracker.seesCutPicture)
        }
        let other = PaintedScreen()
        // An icon, and a line.
        other.cover(x: 500..<548, y: 300..<348, (255, 0, 255))
        other.cover(x: 0..<1920, y: 600..<604, (0, 255, 0))
        other.paint(5, left: 100, top: 700, width: 320, height: 180)
        var tracker = PictureTracker()
        #expect(tracker.look(at: other, drawn: [other.whole]).map(\.number) == [5])
        #expect(!tracker.seesCutPicture)
    }

    @Test("A screen smaller than any picture has none")
    func tiny() {
        #expect(numbers(PaintedScreen(width: 1, height: 1)) == [])
        #expect(numbers(PaintedScreen(width: 160, height: 20)) == [])
    }
}
