import Testing

@testable import GlissadeApp

/// What the program prints, and what it calls its window.
@Suite("Console")
struct ConsoleTests {
    @Test(
        "An error is one line without control characters and bidirectional formatting, whatever a file is called",
        arguments: [
            ("a film.mp4: no such file", "a film.mp4: no such file"), ("ü 漢字 🎬 – “x”", "ü 漢字 🎬 – “x”"),
            (
                "a\nb\r\u{1B}[31m\u{0}\u{7F}\u{9B}\u{2028}",
                "a\u{FFFD}b\u{FFFD}\u{FFFD}[31m\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"
            ),
            ("evil\u{202E}4pm.exe", "evil\u{FFFD}4pm.exe"), ("\u{2066}a\u{2069}", "\u{FFFD}a\u{FFFD}"),
        ])
    func error(text: String, shown: String) throws {
        let lines = try ErrorLines()
        Console(errors: lines.descriptor).error(text)
        #expect(lines.text == "glissade: \(shown)\n")
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
