import Testing

@testable import App

/// What the program prints, and what it calls its window.
@Suite("Console")
struct ConsoleTests {
    @Test("Output stays on one line and sends no control characters to the terminal, whatever a file is called")
    func line() {
        #expect(Console.line("a film.mp4: no such file") == "a film.mp4: no such file")
        #expect(Console.line("ü 漢字 🎬 – “x”") == "ü 漢字 🎬 – “x”")
        #expect(
            Console.line("a\nb\r\u{1B}[31m\u{0}\u{7F}\u{9B}\u{2028}") == "a\u{FFFD}b\u{FFFD}\u{FFFD}[31m"
                + "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}")
    }

    @Test(
        "The window title is the file's name",
        arguments: [
            ("/films/a b.mp4", "a b.mp4 — Glissade"), ("film.mp4", "film.mp4 — Glissade"), ("/", "/ — Glissade"),
            ("http://host/x.m3u8", "x.m3u8 — Glissade"),
        ])
    @MainActor func title(location: String, title: String) {
        #expect(PlaybackSession.windowTitle(of: location) == title)
    }
}
