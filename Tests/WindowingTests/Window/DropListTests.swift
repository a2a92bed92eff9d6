import Testing

@testable import GlissadeWindowing

@Suite("Drop lists") struct DropListTests {
    private func parse(_ text: String) -> [String] { DropList.parse(Array(text.utf8)) }

    @Test("File URLs lose their host name, other URLs stay unchanged, and comments and empty lines are skipped")
    func items() {
        let list = """
            # from a file manager\r
            file:///home/a%20film.mkv\r
            \r
            file://localhost/b.mkv\r
            file://elsewhere/c.mkv\r
            file:/d.mkv\r
            FILE://LOCALHOST/D.mkv\r
            https://example.org/e%20f.mkv?x=file://\r
            /g h.mkv
            """
        #expect(
            parse(list) == [
                "file:///home/a%20film.mkv", "file:///b.mkv", "file:///c.mkv", "file:///d.mkv", "file:///D.mkv",
                "https://example.org/e%20f.mkv?x=file://", "/g h.mkv",
            ])
    }

    @Test(
        "A file URL without a path is ignored", arguments: ["file://", "file://host", "file:", "file:x", "#"])
    func pathless(line: String) {
        #expect(parse(line) == [])
        #expect(parse("\(line)\r\n/a.mkv\r\n\(line)") == ["/a.mkv"])
    }

    @Test("Any bytes are parsed, and a list that is too long gives nothing")
    func hostile() {
        var generator = SystemRandomNumberGenerator()
        for length in 0..<300 {
            let bytes = (0..<length).map { _ in "file:/#%\r\n\0é\u{FF}".utf8.randomElement(using: &generator) ?? 0 }
            #expect(DropList.parse(bytes).allSatisfy { !$0.isEmpty })
        }
        #expect(DropList.parse([UInt8](repeating: 97, count: DropList.longest + 1)) == [])
        #expect(DropList.parse([UInt8](repeating: 10, count: DropList.longest)) == [])
        #expect(DropList.parse(Array(repeatElement("a\n", count: 100_000).joined().utf8)).count == 10_000)
    }
}
