import Foundation
import Testing

@testable import GlissadeSubtitles

@Suite("Subtitle text") struct SubtitleTextTests {
    @Test(
        "Tags and drawings are removed from the text, and escapes are resolved",
        arguments: [
            ("Plain", "Plain"), ("{\\b1}Bold{\\b0} not", "Bold not"), ("One\\NTwo\\nThree", "One\nTwo\nThree"),
            ("a\\hb", "a b"), ("{\\p1}m 0 0 l 9 9{\\p0}Word", "Word"), ("{\\pos(1,2)}Here", "Here"),
            ("Open { brace", "Open { brace"), ("{unclosed", "{unclosed"), ("\\{kept\\}", "{kept}"),
            ("  a \\N\\N b ", "a\nb"),
            ("", ""), ("{\\an8}", ""), ("back\\slash", "back\\slash"), ("ends\\", "ends\\"),
        ])
    func plain(text: String, plain: String) {
        #expect(AssMarkup(text[...]).plain == plain)
    }

    @Test(
        "Animated lines are told from still ones",
        arguments: [
            ("{\\move(1,2,3,4)}x", true), ("{\\fad(1,2)}x", true), ("{\\fade(1,2,3,4,5,6,7)}x", true),
            ("{\\t(0,100,\\fs20)}x", true), ("{\\k20}ka{\\kf30}ra", true), ("{\\K20}x", true), ("{\\pos(1,2)}x", false),
            ("{\\fs20\\bord2}x", false), ("\\move", false), ("{move}x", false), ("x", false),
        ])
    func animation(text: String, isAnimated: Bool) {
        #expect(AssMarkup(text[...]).isAnimated == isAnimated)
    }

    @Test("A line's text may contain commas, and malformed lines are refused")
    func fields() {
        #expect(SubtitleLine(event: "7,0,Default,,0,0,0,,One, two, three")?.plainText == "One, two, three")
        #expect(SubtitleLine(event: "7,0,Default,,0,0,0,Scroll up;0;0;10,Credits")?.isAnimated == true)
        for event in ["", "7", "7,0", "7,0,Default,,0,0,0,", "7,0,Default,,0,0,0,,"] {
            #expect(SubtitleLine(event: event) == nil, "\(event)")
        }
        #expect(SubtitleLine(text: "a {b}\nc")?.plainText == "a {b}\nc")
    }

    @Test("Very long lines are cut between characters, and unclosed braces cost no time")
    func long() throws {
        let line = try #require(SubtitleLine(event: "0,0,Default,,0,0,0,," + String(repeating: "é世", count: 300_000)))
        #expect(line.fields.utf8.count <= SubtitleLine.longestText && !line.fields.contains("\u{FFFD}"))
        #expect(AssMarkup(String(repeating: "{", count: 60_000)[...]).plain.count == 60_000)
    }

    @Test("Text is decoded as UTF-8, as UTF-16 with a byte order mark, and else as Windows-1252")
    func encodings() throws {
        func read(_ bytes: [UInt8]) -> String { String(decoding: TextEncoding.utf8(bytes), as: UTF8.self) }
        let text = "Grüße – 世界 😀"
        #expect(read(Array(text.utf8)) == text)
        #expect(read([0xEF, 0xBB, 0xBF] + Array(text.utf8)) == text)
        let units = Array(text.utf16)
        #expect(read([0xFF, 0xFE] + units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }) == text)
        #expect(read([0xFE, 0xFF] + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }) == text)
        #expect(read([0x47, 0x72, 0xFC, 0xDF, 0x65, 0x20, 0x96, 0x20, 0x80, 0x93]) == "Grüße – €“")
        #expect(read([0x81]) == "\u{FFFD}")
        // Cut within a sign: still what it was.
        #expect(read(Array("世界人".utf8.dropLast())).hasPrefix("世界"))
        #expect(read([]) == "" && read([0xFF, 0xFE, 0x41]) == "" && read([0xEF, 0xBB, 0xBF]) == "")
        #expect(
            TextEncoding.isText([0x41]) && TextEncoding.isText([0xFF, 0xFE, 0x41, 0])
                && !TextEncoding.isText([0x41, 0]))
    }

    @Test(
        "Overlong forms, surrogates and values beyond Unicode do not pass as UTF-8",
        arguments: [
            [0xE0, 0x80, 0x80], [0xF0, 0x80, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
        ] as [[UInt8]])
    func malformed(_ bytes: [UInt8]) {
        let text = TextEncoding.utf8(Array("世界人".utf8) + bytes + Array("人".utf8))
        #expect(String(validating: text, as: UTF8.self)?.hasPrefix("世界人\u{FFFD}") == true)
        #expect(!bytes.withUnsafeBufferPointer(TextEncoding.isUTF8))
    }

    @Test(
        "Text without spaces is wrapped where a line is full, but not before closing punctuation",
        arguments: [
            ("字字字字字字", "字字字字\\N字字"), ("字字字字。字", "字字字字。\\N字"), ("字字 字字字字", "字字 字字字字"),
            ("字字字（字字", "字字字（字\\N字"), ("{\\i1}字字{字字字字}字字字", "{\\i1}字字{字字字字}字字\\N字"),
            ("字字字\\N字字字字", "字字字\\N字字字字"), ("words are left alone", "words are left alone"), ("", ""),
        ])
    func breaking(text: String, broken: String) {
        let head = "0,Default,字字字字字字字,0,0,0,,"
        #expect(LineBreaking.broken(head + text, columns: 4) == head + broken)
    }
}
