import GlissadeGeometry
import GlissadeLayers
import GlissadePicture
import Testing

@testable import GlissadeText

@Suite("Scripts and symbols") struct ScriptTests {
    private let setter = TextRasterizer(language: "en")
    private let box = PixelSize(width: 300, height: 40)

    @Test(
        "Every common script finds a font and draws something",
        arguments: [
            "Žluťoučký kůň", "Ελληνικά", "Русский", "Việt Nam Ữ", "中文文件名", "電影檔案", "日本語のファイル名・映画", "한국어 파일 이름",
            "ملف الفيديو العربي", "قابل فارسی", "קובץ וידאו בעברית", "ไฟล์วิดีโอ", "हिन्दी फ़िल्म", "বাংলা", "தமிழ்", "తెలుగు",
            "ქართული", "Հայերեն", "🎬🍿", "“—…©™½”", "\u{FFFD}",
        ])
    func fallback(string: String) {
        for weight in [TextStyle.Weight.regular, .medium, .semibold, .bold] {
            let text = TextContent.plain(string, weight: weight)
            #expect(setter.missingGlyphs(in: text) == 0)
            #expect(setter.bitmap(of: text, box: box, scale: 1).ink != nil)
        }
    }

    @Test("A character without a font is drawn as a box and counted")
    func missing() {
        // The last code point for private use.
        let text = TextContent.plain("\u{10FFFD}")
        #expect(setter.missingGlyphs(in: text) == 1)
        #expect(setter.bitmap(of: text, box: box, scale: 1).ink != nil)
    }

    @Test("Emoji have their own colors, and letters the text's")
    func emoji() {
        #expect(setter.bitmap(of: .plain("🍿"), box: box, scale: 1).hasColour)
        #expect(!setter.bitmap(of: .plain("Film"), box: box, scale: 1).hasColour)
    }

    @Test("Emoji fade with the text")
    func fadedEmoji() {
        let faded = setter.bitmap(
            of: .plain("🍿", color: Color(red: 1, green: 1, blue: 1, alpha: 0.5)), box: box, scale: 1)
        let alphas = stride(from: 3, to: faded.pixels.count, by: 4).map { faded.pixels[$0] }
        #expect(alphas.contains { $0 > 100 } && alphas.allSatisfy { $0 <= 128 })
        #expect(faded.isPremultiplied)
    }

    @Test("Font weights differ in the amount of ink")
    func weights() {
        let ink = [TextStyle.Weight.regular, .medium, .semibold, .bold].map { weight in
            setter.bitmap(of: .plain("Film film film", size: 24, weight: weight), box: box, scale: 1).amountOfInk
        }
        #expect(zip(ink, ink.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test(
        "A locale determines the language",
        arguments: [
            ("ja_JP.UTF-8", "ja-jp"), ("zh_TW", "zh-tw"), ("sr_RS@latin", "sr-rs"), ("de", "de"), ("C", "en"),
            ("C.UTF-8", "en"), ("POSIX", "en"), ("", "en"), (".UTF-8", "en"), ("../../x", "en"), ("日本", "en"),
        ])
    func languages(locale: String, tag: String) {
        #expect(TextLanguage.tag(ofLocale: locale) == tag)
    }

    @Test("Any string is accepted as a language", arguments: ["", "nonsense nonsense", "\0", "zh-tw", "日本"])
    func anyLanguage(tag: String) {
        let setter = TextRasterizer(language: tag)
        #expect(setter.bitmap(of: .plain("A film 中文"), box: box, scale: 1).ink != nil)
    }
}
