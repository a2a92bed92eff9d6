import Testing

@testable import App

/// What the program says.
@Suite("Text")
struct TextTests {
    @Test("A line stays one, and says nothing to the terminal, whatever a file is called")
    func line() {
        #expect(Console.line("a film.mp4: no such file") == "a film.mp4: no such file")
        #expect(Console.line("ü 漢字 🎬 – “x”") == "ü 漢字 🎬 – “x”")
        #expect(
            Console.line("a\nb\r\u{1B}[31m\u{0}\u{7F}\u{9B}\u{2028}") == "a\u{FFFD}b\u{FFFD}\u{FFFD}[31m"
                + "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}")
    }

    @Test(
        "A window is titled by the file's name",
        arguments: [
            ("/films/a b.mp4", "a b.mp4 — Glissade"), ("film.mp4", "film.mp4 — Glissade"), ("/", "/ — Glissade"),
            ("http://host/x.m3u8", "x.m3u8 — Glissade"),
        ])
    @MainActor func title(location: String, title: String) {
        #expect(PlaybackSession.windowTitle(of: location) == title)
    }
}

/// When ordered screenshots fall due.
@Suite("Screenshot")
@MainActor struct ScreenshotTests {
    private func orders(_ times: Double...) -> Screenshots {
        Screenshots(times.map { .init(time: .seconds($0), path: "\($0).png") })
    }

    private func due(_ screenshots: inout Screenshots, _ position: Double, for duration: Double = 0.04) -> [String] {
        screenshots.takeDue(position: .seconds(position), duration: .seconds(duration)).map(\.path)
    }

    @Test("A picture is taken of the frame that is on show at that time, once")
    func within() {
        var screenshots = orders(0.05, 0.04, 0.08)
        #expect(due(&screenshots, 0) == [])
        #expect(due(&screenshots, 0.04) == ["0.04.png", "0.05.png"])
        #expect(due(&screenshots, 0.08) == ["0.08.png"])
        #expect(due(&screenshots, 0.12) == [])
        #expect(screenshots.isEmpty)
    }

    @Test("One whose frame was dropped shows the next, and a frame without a length is an instant")
    func missed() {
        var screenshots = orders(0.05, 1)
        #expect(due(&screenshots, 0.12) == ["0.05.png"])
        #expect(due(&screenshots, 0.99, for: 0) == [])
        #expect(screenshots.missed == ["1.0.png: not written: playing ended before 1.0 s"])
    }
}
