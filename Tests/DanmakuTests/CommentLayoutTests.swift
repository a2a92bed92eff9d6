import GlissadeDanmaku
import GlissadeGeometry
import GlissadeTestSupport
import Testing
import GlissadeTime

@Suite("Comment layout") struct CommentLayoutTests {
    private let picture = Size(width: 1280, height: 720)

    private func at(_ seconds: Double) -> MediaTime { MediaTime(seconds: seconds) }

    private func comment(
        _ seconds: Double, _ kind: MovingComment.Kind = .leftward, text: String = "x", user: String = ""
    )
        -> MovingComment
    {
        MovingComment(time: at(seconds), kind: kind, text: text, user: user)
    }

    /// The frames of all comments visible at a time, by their indices.
    private func frames(_ layout: CommentLayout, at time: Double) -> [Int: Rect] {
        var frames: [Int: Rect] = [:]
        layout.forEachVisible(at: at(time)) { frames[$0.index] = layout.frame(of: $0, at: at(time)) }
        return frames
    }

    @Test("A moving comment crosses the video in 8 s, whatever its width", arguments: [2.0, 30])
    func crossing(width: Double) throws {
        for kind in [MovingComment.Kind.leftward, .rightward] {
            let layout = CommentLayout([comment(10, kind)], widths: [width], picture: picture)
            let placed = try #require(layout.placed.first)
            #expect(placed.start == at(10) && placed.end == at(18))
            let (before, middle, after) = (
                layout.frame(of: placed, at: at(10)), layout.frame(of: placed, at: at(14)),
                layout.frame(of: placed, at: at(18))
            )
            #expect(placed.size.width == width * 30, "the font size is a 24th of the height")
            #expect(abs((middle.minX + middle.maxX) / 2 - 640) < 1e-6)
            let (left, right) = kind == .leftward ? (after, before) : (before, after)
            #expect(abs(left.maxX) < 1e-6 && abs(right.minX - 1280) < 1e-6)
        }
    }

    @Test("Other comments rest for 4 s, centered, from the top or the bottom")
    func resting() {
        let layout = CommentLayout(
            [comment(1, .top), comment(2, .top), comment(2, .bottom), comment(3, .bottom)], widths: [4, 6, 4, 4],
            picture: picture)
        #expect(layout.placed.map { $0.end - $0.start } == Array(repeating: .seconds(4), count: 4))
        let frames = frames(layout, at: 3.5)
        #expect(frames[0]?.minY == 0 && frames[1]?.minY == 37.5)
        #expect(frames[2]?.maxY == 720 && frames[3]?.maxY == 720 - 37.5)
        #expect(frames.values.allSatisfy { abs(($0.minX + $0.maxX) / 2 - 640) < 1e-9 })
        #expect(self.frames(layout, at: 5).keys.sorted() == [1, 2, 3])
        #expect(self.frames(layout, at: 7).isEmpty)
    }

    @Test("A comment that stays in place is never wider than the video", arguments: [MovingComment.Kind.top, .bottom])
    func longFixed(kind: MovingComment.Kind) throws {
        let layout = CommentLayout([comment(1, kind)], widths: [60], picture: picture)
        let frame = try #require(frames(layout, at: 2)[0])
        #expect(frame.size.width == 1280 * 0.95 && frame.minX == (1280 - frame.size.width) / 2)
    }

    @Test("Comments of a group never overlap, at any time, in any of many files", arguments: 0..<20)
    func noOverlap(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let comments = (0..<400).map { _ in
            MovingComment(
                time: at(Double.random(in: 0..<40, using: &random)),
                kind: MovingComment.Kind.allCases.randomElement(using: &random) ?? .top, text: "x",
                size: Double.random(in: 0.5...2, using: &random))
        }
        let widths = comments.map { _ in Double.random(in: 1...40, using: &random) }
        var style = CommentStyle()
        style.limit = 1000
        let layout = CommentLayout(comments, widths: widths, picture: picture, style: style)
        #expect(layout.placed.count > 40 && layout.placed.count + layout.leftOutCount == 400)
        for step in 0..<960 {
            let time = at(Double(step) * 0.05)
            var groups: [[Rect]] = [[], [], []]
            layout.forEachVisible(at: time) { placed in
                let group = placed.kind.isMoving ? 0 : placed.kind == .top ? 1 : 2
                groups[group].append(layout.frame(of: placed, at: time))
            }
            for frames in groups {
                for (index, frame) in frames.enumerated() {
                    for other in frames[..<index] {
                        let isApart =
                            frame.minX >= other.maxX - 1e-6 || other.minX >= frame.maxX - 1e-6
                            || frame.minY >= other.maxY - 1e-6 || other.minY >= frame.maxY - 1e-6
                        #expect(isApart, "\(frame) and \(other) at \(time.seconds)")
                    }
                }
            }
        }
    }

    @Test("Comments cover the given share of the height", arguments: [0.25, 0.5, 1])
    func share(share: Double) {
        var style = CommentStyle()
        (style.heightFraction, style.limit) = (share, 1000)
        let layout = CommentLayout(
            (0..<200).map { _ in comment(0) }, widths: Array(repeating: 5, count: 200), picture: picture, style: style)
        let lowest = frames(layout, at: 1).values.map(\.maxY).max() ?? 0
        #expect(lowest <= 720 * share && lowest > 720 * share - 37.5)
        #expect(layout.placed.count == Int(720 * share / 37.5) && layout.leftOutCount == 200 - layout.placed.count)
    }

    @Test("Without a free lane, comments overlap if they may")
    func overlap() {
        var style = CommentStyle()
        (style.overlaps, style.limit) = (true, 1000)
        let comments = (0..<300).map { comment(Double($0) * 0.01) }
        let layout = CommentLayout(comments, widths: Array(repeating: 5, count: 300), picture: picture, style: style)
        #expect(layout.placed.count == 300 && layout.leftOutCount == 0)
    }

    @Test("At most the given number is visible at a time")
    func limit() {
        var style = CommentStyle()
        (style.limit, style.overlaps) = (7, true)
        let comments = (0..<500).map { comment(Double($0) * 0.05, $0 % 3 == 0 ? .top : .leftward) }
        let layout = CommentLayout(comments, widths: Array(repeating: 3, count: 500), picture: picture, style: style)
        let most = (0..<600).map { frames(layout, at: Double($0) * 0.05).count }.max()
        #expect(most == 7 && layout.leftOutCount > 0)
    }

    @Test("The speed changes the time of crossing and resting")
    func speed() {
        var style = CommentStyle()
        style.speed = 2
        let layout = CommentLayout([comment(0), comment(0, .top)], widths: [4, 4], picture: picture, style: style)
        #expect(layout.placed.map(\.end) == [at(4), at(2)])
    }

    @Test("Hidden kinds, words and users are not shown, and take no lane")
    func hidden() {
        var style = CommentStyle()
        style.kinds.remove(.bottom)
        style.hiddenWords = ["Spoiler", ""]
        style.hiddenUsers = ["troll"]
        let layout = CommentLayout(
            [
                comment(0, text: "a SPOILER!"), comment(0, user: "troll"), comment(0, .bottom),
                comment(0, text: "fine", user: "someone"),
            ], picture: picture, style: style)
        #expect(layout.placed.map(\.index) == [3] && layout.placed.first?.y == 0 && layout.leftOutCount == 0)
    }

    @Test("A press takes the comment on top that is there at that time")
    func hit() {
        var style = CommentStyle()
        (style.overlaps, style.heightFraction) = (true, 0.01)
        let layout = CommentLayout(
            [comment(0), comment(0.1), comment(20)], widths: [10, 10, 10], picture: picture, style: style)
        let point = Point(x: 700, y: 10)
        #expect(layout.comment(at: point, time: at(4))?.index == 1)
        #expect(layout.comment(at: Point(x: 700, y: 400), time: at(4)) == nil)
        #expect(layout.comment(at: point, time: at(0)) == nil)
        #expect(layout.comment(at: point, time: at(24))?.index == 2)
    }

    @Test("The order of the list does not matter for comments at different times")
    func order() {
        let comments = (0..<100).map { comment(Double($0) * 0.3, $0 % 2 == 0 ? .leftward : .top) }
        let (forward, backward) = (
            CommentLayout(comments, picture: picture), CommentLayout(comments.reversed(), picture: picture)
        )
        #expect(forward.placed.map(\.y) == backward.placed.map(\.y))
        #expect(forward.placed.map(\.index) == backward.placed.map { 99 - $0.index })
    }

    @Test("Absurd sizes, times, styles and videos give a layout")
    func absurd() {
        let numbers = [0, -1, 1e300, -1e300, .infinity, .nan]
        for number in numbers {
            var style = CommentStyle()
            (style.scale, style.heightFraction, style.speed, style.limit) = (number, number, number, -3)
            let comments = [
                MovingComment(time: at(number), text: "x", size: number), comment(-5), comment(1e12, .top),
                MovingComment(time: MediaTime(nanoseconds: .max), kind: .bottom, text: "y"),
                MovingComment(time: MediaTime(nanoseconds: .min), kind: .rightward, text: "z"),
            ]
            for size in [picture, Size(width: number, height: 100), Size(width: 100, height: number), .zero] {
                for limit in [-3, 0, 100] {
                    style.limit = limit
                    let layout = CommentLayout(
                        comments, widths: [number, 3, 3, 3, number], picture: size, style: style)
                    for time in [MediaTime(nanoseconds: .min), at(0), at(number), MediaTime(nanoseconds: .max)] {
                        layout.forEachVisible(at: time) { placed in
                            let frame = layout.frame(of: placed, at: time)
                            #expect(frame.minX.isFinite && frame.size.width.isFinite)
                        }
                        _ = layout.comment(at: Point(x: number, y: number), time: time)
                    }
                }
            }
        }
    }

    @Test("The estimated width counts East Asian characters and emoji as wide, others as narrower")
    func estimates() {
        func width(_ text: String) -> Double { comment(0, text: text).estimatedWidth }
        #expect(width("弹幕") > 2 && width("弹幕") < 2.2)
        #expect(width("🎉") > 1.25, "the advance of Noto Color Emoji is 1.245 font sizes")
        #expect(width("⏰") == width("🎉") && width("❤️") == width("🎉") && width("★") < 1)
        #expect(width("👍🏽") == width("👍") && width("🇩🇪") == width("👍"))
        #expect(width("il.") < width("mw."))
        #expect(width("") == 0)
        #expect(width("e\u{301}") == width("e"))
    }
}
