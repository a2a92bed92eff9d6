import GlissadeGeometry
import GlissadeLayers
import GlissadePicture
import Testing

@testable import GlissadeText

@Suite("Hostile strings in text") struct HostileTextTests {
    private let setter = TextRasterizer(language: "en")
    private let box = PixelSize(width: 200, height: 40)

    private func visible(
        _ string: String, lines: Int = 1, truncation: TextContent.Truncation = .end, room: Int = 100
    ) -> String {
        TextSanitizer.of(.plain(string, truncation: truncation), lineLimit: lines, scalarLimit: room)
    }

    @Test(
        "Characters that draw nothing, or mislead, are replaced",
        arguments: [
            ("A film", "A film"), ("", ""), ("a\tb", "a b"), ("a\nb", "a b"), ("a\r\nb", "a b"), ("a\r\n\nb", "a  b"),
            ("a\rb", "a b"), ("a\u{85}b\u{2028}c\u{2029}d", "a b c d"), ("a\u{0}b", "a\u{FFFD}b"),
            ("\u{1B}[31m", "\u{FFFD}[31m"), ("a\u{7F}\u{9F}", "a\u{FFFD}\u{FFFD}"),
            ("a\u{202E}gpj.exe", "a\u{FFFD}gpj.exe"), ("e\u{301}\u{200D}", "e\u{301}\u{200D}"),
        ])
    func replaced(string: String, expected: String) {
        #expect(visible(string).unicodeScalars.elementsEqual(expected.unicodeScalars))
    }

    @Test("Line breaks are kept as long as lines are allowed")
    func lineBreaks() {
        #expect(visible("a\nb\r\nc\nd", lines: 3) == "a\u{2028}b\u{2028}c d")
        #expect(TextSanitizer.joiningLines(of: "é\u{2028}b\u{2028}c", from: 5) == "é\u{2028}b c")
        #expect(TextSanitizer.joiningLines(of: "é\u{2028}bc", from: 5) == nil)
        #expect(TextSanitizer.joiningLines(of: "bc", from: 50) == nil)
    }

    @Test("Text that can never be visible is cut before shaping")
    func cut() {
        #expect(visible("12345678", room: 8) == "12345678")
        #expect(visible("123456789", room: 8) == "12345678…")
        #expect(visible("123456789", truncation: .middle, room: 8) == "1234…6789")
        // The marks of a letter that was cut do not go to the ellipsis.
        #expect(visible("123456e\u{301}89a", truncation: .middle, room: 8) == "1234…89a")
    }

    @Test("The number of combining marks on a letter is limited")
    func marks() {
        let text = visible("a" + String(repeating: "\u{301}", count: 1000) + "b\u{301}", room: 2000)
        #expect(text.unicodeScalars.count == 1 + 30 + 2)
    }

    static let bombs: [(name: String, string: String)] = [
        ("letters", String(repeating: "a", count: 100_000)),
        ("marks", "a" + String(repeating: "\u{301}", count: 100_000)),
        ("joiners", String(repeating: "\u{200D}", count: 100_000)),
        ("joined emoji", String(repeating: "👨\u{200D}", count: 50_000)),
        ("regional indicators", String(repeating: "🇩", count: 100_000)),
        ("isolates", String(repeating: "\u{2067}", count: 100_000) + "a"),
        ("NUL", String(repeating: "\0", count: 100_000)),
        ("line breaks", String(repeating: "\n", count: 100_000)),
        ("spaces", String(repeating: " ", count: 100_000)),
        ("noncharacters", String(repeating: "\u{FFFE}\u{10FFFF}", count: 1000)),
        ("specials", "\u{FFF9}\u{FFFA}\u{FFFB}\u{FFFC}\u{FEFF}\u{E0001}\u{FE0F}"),
        ("five scripts", String(repeating: "a中م🎬ไ", count: 20_000)),
    ]

    @Test("Any string can be laid out", arguments: bombs.map(\.name))
    func survived(name: String) throws {
        let string = try #require(Self.bombs.first { $0.name == name }).string
        for truncation in [TextContent.Truncation.end, .middle] {
            for lines in [1, 3] {
                let text = TextContent.plain(string, lines: lines, truncation: truncation)
                #expect(setter.measure(text, maxWidth: 200, scale: 1).width <= 200)
                let bitmap = setter.bitmap(of: text, box: box, scale: 1)
                #expect(bitmap.size == box)
                #expect(bitmap.isPremultiplied)
            }
        }
        #expect(setter.measure(.plain(string), maxWidth: nil, scale: 1).width.isFinite)
    }
}
