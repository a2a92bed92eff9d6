import GlissadePlatform
import Testing

@Suite("What of an XML document is parsed") struct XMLBoundsTests {
    private func length(_ text: String) -> Int { XMLBounds.prefix(of: Array(text.utf8)) }

    @Test("A document ends before an element that is inside a thousand others")
    func depth() {
        for tag in ["<a>", "<a b='/>'>", "<a b=\"'/>\">"] {
            let text = String(repeating: tag, count: 100_000)
            #expect((900...1100).contains(length(text) / tag.utf8.count), "\(tag)")
        }
    }

    @Test(
        "Elements beside each other may be any number",
        arguments: ["<a></a>", "<a/>", "<a b='c'/>", "<a><b/><c></c></a>", "<a>></a>", "<?a?>", "<!-- a -->"])
    func siblings(element: String) {
        let text = "<all>" + String(repeating: element, count: 10_000) + "</all>"
        #expect(length(text) == text.utf8.count)
    }
}
