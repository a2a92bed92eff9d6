import GlissadeLayers
import Testing
import GlissadeTime

@Suite("Text content") struct TextContentTests {
    private func shown(_ text: String) -> String { TextContent(text, style: TextStyle(size: 12, color: .white)).string }

    @Test(
        "Long text is cut at the end of a Unicode scalar to a length that can be compared each frame",
        arguments: ["a", "é", "e\u{301}", "語", "👩‍👩‍👧‍👦", "\u{301}"])
    func longest(letter: String) {
        let limit = TextContent.longestText
        let text = String(repeating: letter, count: 100_000)
        let cut = shown(text)
        #expect(cut.utf8.count <= limit && cut.utf8.count > limit - 8)
        #expect(text.utf8.starts(with: cut.utf8))
        #expect(!cut.unicodeScalars.contains("\u{FFFD}"))
    }

    @Test("Text truncated in the middle keeps its beginning and end", arguments: ["a", "é", "語", "👩‍👩‍👧‍👦"])
    func middle(letter: String) {
        let text = "begin" + String(repeating: letter, count: 100_000) + "end.mkv"
        let style = TextStyle(size: 12, color: .white)
        let cut = TextContent(text, style: style, truncation: .middle).string
        #expect(cut.utf8.count <= TextContent.longestText)
        #expect(cut.hasPrefix("begin") && cut.hasSuffix("end.mkv"))
        #expect(!cut.unicodeScalars.contains("\u{FFFD}"))
    }

    @Test("Short text is kept as it is")
    func short() {
        for length in [0, 5, TextContent.longestText] {
            let text = String(repeating: "x", count: length)
            #expect(shown(text) == text)
        }
    }
}
