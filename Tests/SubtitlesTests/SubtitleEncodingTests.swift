import Foundation
import Testing
import GlissadeCFFmpeg
import GlissadeTestSupport

@testable import GlissadeMedia
@testable import GlissadeSubtitles

@Suite("Encodings of subtitles") struct SubtitleEncodingTests {
    /// Returns `text` in an encoding, by the name that iconv has for it; nil if it cannot be written so.
    private static func encoded(_ text: String, _ name: String) -> [UInt8]? {
        let converter = iconv_open(name, "UTF-8")
        guard converter != UnsafeMutableRawPointer(bitPattern: -1) else { return nil }
        defer { iconv_close(converter) }
        var input = text.utf8.map { CChar(bitPattern: $0) }
        var output = [CChar](repeating: 0, count: input.count * 4 + 16)
        let count = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output -> Int? in
                var (source, rest) = (input.baseAddress, input.count)
                var (target, room) = (output.baseAddress, output.count)
                guard iconv(converter, &source, &rest, &target, &room) != -1,
                    iconv(converter, nil, nil, &target, &room) != -1
                else { return nil }
                return output.count - room
            }
        }
        return count.map { output[..<$0].map { UInt8(bitPattern: $0) } }
    }

    private static func read(
        _ bytes: [UInt8], as encoding: SubtitleEncoding? = nil, name: String? = nil, locale: String? = nil
    ) -> String {
        let hints = EncodingHints(name: name, locale: locale)
        return String(decoding: TextEncoding.utf8(bytes, as: encoding, hints), as: UTF8.self)
    }

    private static let russian = "Привет, как твои дела сегодня? Что мы будем делать завтра вечером?"
    private static let japanese = "こんにちは、今日はいい天気ですね。字幕テスト"
    private static let czech = "Příliš žluťoučký kůň úpěl ďábelské ódy, dělání"

    /// A line in each encoding of a language.
    private static let lines: [(encoding: String, text: String)] = [
        ("CP1251", russian), ("KOI8-R", russian), ("IBM866", russian),
        ("KOI8-U", "Привіт, як твої справи сьогодні? Що ми будемо робити завтра ввечері?"),
        ("GBK", "你好，今天天气很好，我们去公园散步吧。中文字幕测试"), ("GB18030", "你好，今天天气很好，我们去公园散步吧。"),
        ("BIG5", "你好，今天天氣很好，我們去公園散步吧"), ("CP932", japanese), ("EUC-JP", japanese), ("ISO-2022-JP", japanese),
        ("CP949", "안녕하세요 오늘은 날씨가 좋네요 자막 테스트"), ("CP1256", "مرحبا كيف حالك اليوم هذا اختبار"),
        ("CP1250", czech), ("ISO-8859-2", czech),
        ("CP1252", "Où est-il allé, près de la forêt ? Ça va très bien, mon garçon."),
        ("CP1253", "Γεια σου, τι κάνεις σήμερα; Θα πάμε μια βόλτα το βράδυ"),
        ("CP1254", "Merhaba, bugün nasılsın? Akşam yürüyüşe çıkalım mı, güzel olur"),
        ("CP1255", "שלום, מה שלומך היום? בוא נלך לטייל בערב"),
        ("CP1257", "Labdien, kā jums šodien klājas? Ejam vakarā pastaigāties"),
        ("CP874", "สวัสดีครับ วันนี้อากาศดีมาก ไปเดินเล่นกันเถอะ"),
    ]

    @Test("The encoding of a file is found out from its text", arguments: lines)
    @MainActor func detection(encoding: String, text: String) throws {
        let bytes = try #require(Self.encoded(Script.srt([(0, 5, text)]), encoding))
        let harness = SubtitleHarness()
        #expect(harness.open(try Clips.file("encoding-\(encoding).srt", data: Data(bytes))) == .ready)
        #expect(harness.current(1) == text)
    }

    @Test(
        "UTF-16 and UTF-32 are read with and without a byte order mark",
        arguments: ["UTF-16LE", "UTF-16BE"], ["Hello, how are you?", russian, japanese, "😀"])
    @MainActor func unicode(encoding: String, text: String) throws {
        let script = Script.srt([(0, 5, text)])
        for (name, content) in [
            (encoding, script), (encoding, "\u{FEFF}" + script),
            (encoding.replacing("16", with: "32"), "\u{FEFF}" + script),
        ] {
            let bytes = try #require(Self.encoded(content, name))
            let harness = SubtitleHarness()
            #expect(harness.open(try Clips.file("unicode-\(UUID().uuidString).srt", data: Data(bytes))) == .ready)
            #expect(harness.current(1) == text, "\(name)")
        }
    }

    @Test(
        "The language in a file's name decides what little text leaves open",
        arguments: [
            ("Да", "CP1251", "film.ru.srt"), ("Да", "KOI8-U", "film.UKR.srt"), ("ąę", "CP1250", "film.pl.forced.srt"),
            ("Ναι", "CP1253", "Film (2024) - Greek.srt"), ("はい", "CP932", "film_ja.srt"),
            ("好", "BIG5", "film.zh-TW.srt"),
            ("好", "GBK", "film.zh.srt"), ("네", "CP949", "film.kor.sdh.srt"), ("é", "CP1252", "film.fr.srt"),
        ])
    func named(text: String, encoding: String, name: String) throws {
        var wanted = text
        let bytes = try #require(Self.encoded(text, encoding))
        // What the most common encoding of Ukrainian makes of the bytes of another is as good.
        if encoding == "KOI8-U" { wanted = Self.read(bytes, as: .windows1251) }
        let read = Self.read(bytes, name: name)
        #expect(read == text || read == wanted)
    }

    @Test("A title that looks like the code of a language does not change what the text shows")
    func misnamed() throws {
        let text = String(repeating: Self.russian, count: 3)
        let bytes = try #require(Self.encoded(text, "CP1251"))
        for name in ["Give it.srt", "film.en.srt", "It.srt", "film.ja.srt"] {
            #expect(Self.read(bytes, name: name) == text, "\(name)")
        }
    }

    @Test("The user's locale decides if the text tells nothing")
    func locale() throws {
        // No language is written like this.
        let bytes: [UInt8] = [0xE4]
        #expect(Self.read(bytes, locale: "de_DE.UTF-8") == "ä")
        #expect(Self.read(bytes, locale: "ru_RU.UTF-8") == "д")
        #expect(Self.read(bytes, locale: "C") == Self.read(bytes, locale: nil))
    }

    @Test("A given encoding is used for all text that is not Unicode")
    func given() throws {
        let bytes = try #require(Self.encoded(Self.russian, "KOI8-R"))
        #expect(Self.read(bytes, as: .koi8r) == Self.russian)
        #expect(Self.read(bytes, as: .windows1251) != Self.russian)
        #expect(Self.read(Array("Grüße".utf8), as: .koi8r) == "Grüße")
        #expect(Self.read(try #require(Self.encoded("Grüße\n", "UTF-16LE")), as: .utf16LittleEndian) == "Grüße\n")
    }

    @Test("Each encoding has a converter and its own title", arguments: SubtitleEncoding.allCases)
    func converter(encoding: SubtitleEncoding) {
        let converter = iconv_open("UTF-8", encoding.iconvName)
        #expect(converter != UnsafeMutableRawPointer(bitPattern: -1), "\(encoding.iconvName)")
        if converter != UnsafeMutableRawPointer(bitPattern: -1) { iconv_close(converter) }
        #expect(SubtitleEncoding.allCases.filter { $0.title == encoding.title } == [encoding])
        #expect(String(validating: TextEncoding.utf8(Array(0...255), as: encoding), as: UTF8.self) != nil)
    }

    @Test("Invalid bytes of a legacy encoding become U+FFFD, also at the end")
    func damaged() throws {
        let bytes = try #require(Self.encoded(Self.japanese, "CP932"))
        let damaged = bytes.prefix(10) + [0x80] + bytes.dropFirst(10).dropLast()
        let read = Self.read(Array(damaged), as: .shiftJIS)
        #expect(read.hasPrefix(Self.japanese.prefix(5)) && read.contains("天気") && read.hasSuffix("\u{FFFD}"))
    }

    @Test("An ASS script and a SAMI file in a legacy encoding are read")
    @MainActor func formats() throws {
        let ass = Script.ass(["0:00:00.00,0:00:05.00,\(Self.russian)"])
        let sami = """
            <SAMI><HEAD></HEAD><BODY>
            <SYNC Start=0><P Class=RUCC>\(Self.russian)
            <SYNC Start=5000><P Class=RUCC>&nbsp;
            </BODY></SAMI>
            """
        for (name, text) in [("legacy.ass", ass), ("legacy.smi", sami)] {
            let harness = SubtitleHarness()
            #expect(
                harness.open(try Clips.file(name, data: Data(try #require(Self.encoded(text, "CP1251"))))) == .ready)
            #expect(harness.current(1) == Self.russian, "\(name)")
        }
    }

    /// A Matroska file whose subtitle packets, in the form of `codec`, are in a legacy encoding: FFmpeg writes them in
    /// UTF-8 with placeholders of the same length, which are then replaced.
    private static func film(_ codec: String, _ lines: [String], _ encoding: String, video: Bool) throws -> String {
        let bytes = lines.map { encoded($0, encoding) ?? [] }
        let placeholders = bytes.enumerated().map { number, bytes in
            String(repeating: Character(Unicode.Scalar(UInt8(0x41 + number))), count: bytes.count)
        }
        let script = Script.srt(placeholders.enumerated().map { (Double($0), Double($0) + 0.9, $1) })
        let text = try Script.file("placeholders-\(codec).srt", script)
        let made = try Clips.file(
            "placeholders-\(codec)-\(video).mkv",
            ffmpeg: (video
                ? NumberedFrames.source(seconds: Double(lines.count)) + ["-i", text, "-map", "0", "-map", "1"]
                : ["-i", text])
                + (video ? NumberedFrames.h264 : []) + ["-c:s", codec])
        var data = try Data(contentsOf: URL(fileURLWithPath: made))
        for (placeholder, bytes) in zip(placeholders, bytes) {
            let range = try #require(data.range(of: Data(placeholder.utf8)))
            data.replaceSubrange(range, with: bytes)
        }
        return try Clips.file("legacy-\(codec).\(video ? "mkv" : "mks")", data: data)
    }

    private static let packets = [
        "Нет.", "Привет, как твои дела сегодня?", "Что мы будем делать завтра вечером?",
        "Мне кажется, что сегодня будет дождь.",
    ]

    @Test(
        "The encoding of a track is found out from all packets so far, also for those before",
        arguments: ["srt", "ass"])
    @MainActor func track(codec: String) throws {
        let path = try Self.film(codec, Self.packets, "CP1251", video: true)
        let harness = SubtitleHarness()
        let feed = try SubtitleFeed(path, to: harness.subtitles)
        feed.feed(harness.subtitles)
        for (number, text) in Self.packets.enumerated() { #expect(harness.current(Double(number) + 0.5) == text) }
        #expect(harness.problems.isEmpty)
    }

    @Test("The encoding of a subtitle file in a container is found out from all of its packets")
    @MainActor func container() throws {
        let path = try Self.film("srt", Self.packets, "CP1251", video: false)
        let harness = SubtitleHarness()
        #expect(harness.open(path) == .ready)
        for (number, text) in Self.packets.enumerated() { #expect(harness.current(Double(number) + 0.5) == text) }
    }

    @Test("All packets of a track are read in the encoding that is found out in the end")
    @MainActor func reread() throws {
        var parameters = avcodec_parameters_alloc()
        defer { avcodec_parameters_free(&parameters) }
        let described = try #require(parameters)
        described.pointee.codec_type = AVMEDIA_TYPE_SUBTITLE
        described.pointee.codec_id = AV_CODEC_ID_SUBRIP
        var random = SeededGenerator(seed: 7)
        var changes = 0
        for (encoding, text) in Self.lines where !encoding.hasPrefix("ISO-2022") {
            // Few words at a time, so that the answer changes more than once.
            for _ in 0..<8 {
                let words = text.split(separator: " ").map(String.init).shuffled(using: &random)
                let pieces = (words + words + words).compactMap { Self.encoded($0, encoding) }
                let reader = try SubtitleStreamReader(described, encoding: StreamEncoding())
                var shown: [Int64: String] = [:]
                for (number, piece) in pieces.enumerated() {
                    let packet = try Packet()
                    try #require(av_new_packet(packet.pointer, CInt(piece.count)) >= 0)
                    for (index, byte) in piece.enumerated() { packet.pointer.pointee.data[index] = byte }
                    packet.pointer.pointee.pts = Int64(number) * 1_000_000_000
                    packet.pointer.pointee.duration = 1_000_000_000
                    let outputs = reader.readAgain(packet.pointer, report: { _ in }) {
                        shown = [:]
                        changes += 1
                    }
                    for event in outputs.flatMap(\.events) {
                        if case .line(let line) = event.content { shown[event.start] = line.plainText }
                    }
                }
                for (number, piece) in pieces.enumerated() {
                    let wanted = String(decoding: TextEncoding.utf8(piece, as: reader.encoding), as: UTF8.self)
                    #expect(shown[Int64(number) * 1_000_000_000] == wanted, "\(encoding): \(pieces.count)")
                }
            }
        }
        #expect(changes > 10)
    }

    @Test(
        "The encoding that an XML document declares is used",
        arguments: [("KOI8-R", russian), ("ISO-8859-2", czech), ("windows-1251", "Да"), ("Shift_JIS", japanese)])
    @MainActor func declared(encoding: String, text: String) throws {
        let document =
            "<?xml version=\"1.0\" encoding=\"\(encoding)\"?><tt xmlns=\"http://www.w3.org/ns/ttml\"><body>"
            + "<p begin=\"0s\" end=\"5s\">\(text)</p></body></tt>"
        let harness = SubtitleHarness()
        let bytes = try #require(Self.encoded(document, encoding))
        #expect(harness.open(try Clips.file("declared-\(encoding).ttml", data: Data(bytes))) == .ready)
        #expect(harness.current(1) == text)
    }

    @Test("The encoding that the user sets applies to files and tracks opened afterwards")
    @MainActor func chosen() throws {
        let harness = SubtitleHarness()
        let bytes = try #require(Self.encoded(Script.srt([(0, 5, "Да")]), "KOI8-R"))
        let path = try Clips.file("chosen.srt", data: Data(bytes))
        harness.subtitles.encoding = .koi8r
        #expect(harness.open(path) == .ready && harness.current(1) == "Да")
        harness.subtitles.encoding = .windows1251
        #expect(harness.open(path) == .ready && harness.current(1) == "дБ")
    }
}
