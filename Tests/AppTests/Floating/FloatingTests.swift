import Foundation
import GlissadeGeometry
import GlissadeLayers
import GlissadeMedia
import GlissadeNavigation
import GlissadePlatform
import GlissadeSubtitles
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadeApp

/// What floats, in the program as it is, where there is no window to float in; and the things
/// themselves. With windows: EndToEndTests.
@Suite("Floating elements") @MainActor struct FloatingTests {
    @Test("Without a window system, floating is refused with a message and the video stays on its page")
    func refused() throws {
        let program = try SteppedProgram.film(isPaused: false)
        let player = try program.player
        for command in [Command.toggleFloating, .toggleFloatingLines, .toggleFloatingClock] {
            program.application.state.commands.perform(command, now: program.now)
            program.draw()
            #expect(program.told == "floating windows are not possible here")
        }
        #expect(try program.player === player && !player.isPaused)
        #expect(program.application.stack.top === program.application.playerPage)
        #expect(program.application.secondaryWindows.isEmpty)
        #expect(try !program.controls.floating.isEnabled)
    }

    // MARK: - The clock

    @Test("The clock shows hours, minutes, seconds and tenths")
    func reading() {
        #expect(String(ClockElement.Reading(tenths: 0).characters()) == "00:00:00.0")
        #expect(String(ClockElement.Reading(tenths: 863_999).characters()) == "23:59:59.9")
        #expect(String(ClockElement.Reading(tenths: (12 * 3600 + 34 * 60 + 5) * 10 + 7).characters()) == "12:34:05.7")
    }

    @Test(
        "The format of the clock chooses the fields and the characters between them",
        arguments: [
            ("yyyy-MM-dd HH:mm:ss.S", "2026-03-09 04:05:06.7"), ("HH:mm", "04:05"), ("dd.MM. HH", "09.03. 04"),
            ("S", "7"), ("at HH h", "at 04 h"), ("yyyyMM", "202603"),
        ])
    func format(pattern: String, text: String) {
        var reading = ClockElement.Reading(tenths: ((4 * 60 + 5) * 60 + 6) * 10 + 7)
        (reading.year, reading.month, reading.day) = (2026, 3, 9)
        #expect(String(reading.characters(ClockFormat(pattern))) == text)
    }

    @Test("A clock without tenths redraws once a second, and its window is as wide as its text")
    func slowClock() {
        let time = Time()
        let clock = ClockElement(format: ClockFormat("yyyy-MM-dd HH:mm:ss")) { time.now }
        #expect(clock.redrawInterval == .seconds(1))
        #expect(clock.preferredSize.width > ClockElement().preferredSize.width * 1.5)
        clock.layout(size: clock.preferredSize, scale: 1)
        var draws = 0
        for _ in 0..<1000 {
            time.now.nanoseconds += 7_000_000
            if clock.advance(to: .now()) { draws += 1 }
        }
        #expect(draws == 7)
        #expect(clock.layer.sublayers.allSatisfy { $0.frame.minX >= 0 && $0.frame.maxX <= clock.preferredSize.width })
    }

    @Test("A tenth of a second starts at its first nanosecond, also before 1970")
    func tenths() {
        for nanoseconds in [0, 99_999_999, 1_700_000_000_123_456_789, -1, -1_700_000_000_023_456_789] as [Int64] {
            let time = CalendarTime(nanoseconds: nanoseconds)
            let rest = ClockElement.Reading.rest(after: time)
            #expect(rest > .zero && rest <= .milliseconds(100))
            let before = CalendarTime(nanoseconds: nanoseconds + rest.nanoseconds - 1)
            let after = CalendarTime(nanoseconds: nanoseconds + rest.nanoseconds)
            #expect(ClockElement.Reading(time) == ClockElement.Reading(before))
            #expect(ClockElement.Reading(time) != ClockElement.Reading(after))
        }
    }

    private final class Time { var now = CalendarTime(nanoseconds: 1_700_000_000_000_000_000) }

    @Test("The clock redraws once per tenth of a second, however often it is asked")
    func drawnOnce() {
        let time = Time()
        let clock = ClockElement { time.now }
        clock.layout(size: clock.preferredSize, scale: 1)
        #expect(!clock.advance(to: .now()))
        var draws = 0
        for _ in 0..<1000 {
            time.now.nanoseconds += 7_000_000
            if clock.advance(to: .now()) { draws += 1 }
        }
        #expect(draws == 70)
    }

    @Test("Only the changed characters are updated, and only ten digits are ever rasterized")
    func digits() {
        let time = Time()
        let clock = ClockElement { time.now }
        clock.layout(size: Size(width: 300, height: 96), scale: 1)
        var texts: Set<TextContent> = []
        for _ in 0..<5000 {
            time.now.nanoseconds += 100_000_000
            _ = clock.advance(to: .now())
            for case .text(let text) in clock.layer.sublayers.map(\.content) { texts.insert(text) }
        }
        #expect(texts.count <= 22, "ten digits in two colours, a colon and a point")
    }

    @Test("Zero and absurd sizes can be laid out", arguments: [(0.0, 0.0), (1, 1), (160, 90), (16384, 16)])
    func sizes(width: Double, height: Double) {
        for element in [ClockElement(), SubtitleLinesElement(), VideoElement(title: "", aspect: nil)]
            as [any FloatingElement]
        {
            element.layout(size: Size(width: width, height: height), scale: 2)
            #expect(element.layer.sublayers.allSatisfy { $0.frame.minX.isFinite && $0.frame.size.width >= 0 })
        }
    }

    // MARK: - The lines

    @Test("Without subtitles to show, the window says whether nothing plays, there are none, or they are off")
    func hints() throws {
        #expect(FloatingSubtitles.hint(for: nil) == "Nothing is playing")
        let plain = try SteppedProgram.film(Films.plain())
        #expect(FloatingSubtitles.hint(for: plain.application.playing) == "No subtitles")
        let program = try SteppedProgram.film()
        try program.run("the tracks") { $0.application.playing?.subtitles.choices.isEmpty == false }
        #expect(FloatingSubtitles.hint(for: program.application.playing) == "Subtitles are off")
    }

    @Test("Subtitle lines are redrawn when one of them changes, and only then")
    func lines() {
        let element = SubtitleLinesElement()
        var calls = 0
        element.onNeedsDisplay = { calls += 1 }
        element.layout(size: element.preferredSize, scale: 1)
        let first = SubtitleLines(previous: nil, current: "One", next: "Two")
        #expect(element.show(first, hint: nil))
        for _ in 0..<100 { #expect(!element.show(first, hint: nil)) }
        #expect(element.show(SubtitleLines(previous: "One", current: "Two", next: nil), hint: nil))
        #expect(calls == 2 && !element.advance(to: .now()) && element.nextWake(now: .now()) == nil)
    }

    @Test("Subtitle lines have the size and the colors that are set")
    func look() {
        let (red, green) = (Color(red: 1, green: 0, blue: 0), Color(red: 0, green: 1, blue: 0))
        func texts(_ look: SubtitleLinesElement.Look) -> [TextContent] {
            let element = SubtitleLinesElement(look: look)
            element.layout(size: element.preferredSize, scale: 1)
            element.show(SubtitleLines(previous: "One", current: "Two", next: "Three"), hint: nil)
            return element.layer.sublayers.compactMap { if case .text(let text) = $0.content { text } else { nil } }
        }
        let usual = texts(SubtitleLinesElement.Look())
        let large = texts(SubtitleLinesElement.Look(scale: 1.5, color: red, otherColor: green))
        #expect(large.map(\.string) == ["One", "Two", "Three"] && large.map(\.style.color) == [green, red, green])
        for (text, other) in zip(large, usual) { #expect(abs(text.style.size - 1.5 * other.style.size) <= 1) }
    }

    @Test("Subtitle lines have as many rows as there is space for, and large text takes the space of the other lines")
    func rows() {
        for (scale, height, expected) in [
            (1, 220, [2, 2, 2]), (1.5, 220, [1, 2, 1]), (2, 220, [0, 2, 0]), (3, 220, [0, 1, 0]), (1, 40, [0, 2, 0]),
        ] {
            let element = SubtitleLinesElement(look: .init(scale: scale))
            let size = Size(width: 560, height: Double(height))
            element.layout(size: size, scale: 1)
            element.show(SubtitleLines(previous: "One", current: "Two", next: "Three"), hint: nil)
            let rows = element.layer.sublayers.map { layer -> Int in
                guard case .text(let text) = layer.content else { return 0 }
                #expect(Double(text.lineLimit) * text.style.size * 1.4 <= layer.frame.size.height + 1)
                return text.lineLimit
            }
            #expect(rows == expected, "\(scale) \(height)")
            #expect(element.layer.sublayers.allSatisfy { $0.frame.minY >= 0 && $0.frame.maxY <= size.height + 1 })
        }
    }

    @Test("Without any subtitles the element says why")
    func hint() {
        let element = SubtitleLinesElement()
        element.layout(size: element.preferredSize, scale: 1)
        element.show(SubtitleLines(), hint: "No subtitles are on")
        let texts = element.layer.sublayers.compactMap { layer -> String? in
            if case .text(let text) = layer.content { text.string } else { nil }
        }
        #expect(texts == ["No subtitles are on"])
    }

    // MARK: - Where they were left

    private func area(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> PixelRect {
        PixelRect(minX: x, minY: y, maxX: x + width, maxY: y + height)
    }

    @Test("Window positions are kept across runs")
    func kept() throws {
        let scene = try Scene()
        let folder = BytePath(scene.path + "/deep/state")
        let places = FloatingWindowPositions(folder: folder)
        #expect(places[.film] == nil)
        places[.film] = area(10, -20, 480, 270)
        places[.clock] = area(0, 0, 300, 96)
        #expect(eventually { FloatingWindowPositions(folder: folder)[.clock] != nil })
        let again = FloatingWindowPositions(folder: folder)
        #expect(again[.film] == area(10, -20, 480, 270) && again[.clock] == area(0, 0, 300, 96))
        #expect(again[.lines] == nil)
    }

    @Test(
        "Invalid lines of the positions file are ignored one by one",
        arguments: [
            "", "\0\0\0", "film", "film 1 2 3", "film 1 2 0 4", "film 1 2 3 -4", "film 99999999999999999999 0 1 1",
            "film 1 2 3 4 5", "other 1 2 3 4", "film a b c d", "film 2000000 0 10 10",
        ])
    func hostile(text: String) {
        #expect(FloatingWindowPositions.parse(Array(text.utf8)).isEmpty)
        let good = FloatingWindowPositions.parse(Array((text + "\nclock 1 2 3 4\n").utf8))
        #expect(good == ["clock": area(1, 2, 3, 4)])
    }

    @Test("Without a writable folder, positions are kept while the program runs")
    func unwritable() throws {
        let scene = try Scene()
        _ = try scene.addNoise("file")
        for folder in [nil, BytePath(scene.path + "/file/below")] {
            let places = FloatingWindowPositions(folder: folder)
            places[.lines] = area(1, 2, 300, 200)
            #expect(places[.lines] == area(1, 2, 300, 200))
        }
    }
}
