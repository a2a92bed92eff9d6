import GlissadeSettings
import Testing
import GlissadeTestSupport

/// Texts that nobody would write for their own good.
@Suite("Hostile settings")
struct HostileTextTests {
    @Test("After 50 mistakes the rest is ignored, and what comes before is applied")
    func many() {
        let wrong = (0..<200).map { "a\($0) = =" }.joined(separator: "\n")
        let (settings, mistakes) = read("[playback]\nvolume = 5\n\(wrong)\nspeed = 2\n")
        #expect(settings.playback.volume == 5)
        #expect(settings.playback.speed == 1)
        #expect(mistakes.count == 51)
        #expect(mistakes.last?.description == "config.toml:53: too many errors; the rest of the file is ignored")
    }

    @Test("Very many unknown options are reported in a few lines")
    func unknown() {
        let options = (0..<2000).map { "a\($0) = 1" }.joined(separator: "\n")
        let (settings, mistakes) = read("[playback]\n\(options)\nvolume = 5\n")
        #expect(settings.playback.volume == 5)
        #expect(mistakes.count == 51)
        #expect(mistakes.last?.description == "config.toml: 1950 more errors")
    }

    @Test("Deeply nested tables are a mistake and no crash")
    func depth() {
        for text in [
            String(repeating: "[", count: 100_000), "[playback]\nvolume = " + String(repeating: "[", count: 100_000),
        ] {
            let (settings, mistakes) = read(text)
            #expect(settings == Settings())
            #expect(!mistakes.isEmpty)
        }
        let path = Array(repeating: "a", count: 50_000).joined(separator: ".")
        for text in ["\(path) = 1", "[\(path)]", "x = {\(path) = 1}", "x = [\n{\(path) = [\n{\(path) = 1}]}]"] {
            let reason = read(text).mistakes.first?.reason ?? ""
            #expect(reason.hasPrefix("invalid TOML: more than 200 dots in one statement"))
        }
    }

    @Test(
        "Headers without a name are mistakes",
        arguments: [
            "[", "[=]", "[ü]", "[[", "[[[a]]]", "[ [a]]", "[[]]", "[]", "[.a]", "[#", "[ ", "[a.=]", "[a..b]",
            "\u{A0}[=]",
        ])
    func nameless(header: String) {
        for text in ["[playback]\nvolume = 5\n\(header)\nspeed = 2\n", "[playback]\nvolume = 5\n\(header)"] {
            let (settings, mistakes) = read(text)
            #expect(mistakes.map(\.line) == [3])
            #expect(settings.playback.volume == 5)
            #expect(header.hasPrefix("\u{A0}") || settings.playback.speed == 1)
        }
    }

    @Test(
        "A malformed value is one mistake and costs only its own statement",
        arguments: [
            "[ }", "[1, }", "[ \u{2028} ]", "[\u{85}]", "[\u{A0}1]", "}", "]", ",", "[,]", "{ a = }", "{ , }", "é",
            "[{]}", "[[}]]", "[\n}\n]", "[\n, ]", #""""a"""""", }"#, #"["""a"""", }]"#, "['''a''''', }]",
        ])
    func values(value: String) {
        let (settings, mistakes) = read("[playback]\nmuted = \(value)\n[subtitles]\nscale = 2\n")
        #expect(!mistakes.isEmpty)
        #expect(!settings.playback.isMuted)
        #expect(settings.subtitles.scale == 2)
    }

    @Test("Mistakes are single lines, whatever the file contains")
    func terminal() {
        let (_, mistakes) = read(
            "[playback]\n\"a\\u001B[31m\\nb\" = 1\n\"\\u0000\" = 2\n[keys]\nx = \"\\u001B]0;t\\u0007\"\n")
        #expect(mistakes.count == 3, "\(mistakes)")
        for mistake in mistakes {
            #expect(
                !mistake.description.unicodeScalars.contains { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) })
        }
    }

    @Test(
        "Any text is read to its end: 300 damaged samples, 1000 texts of punctuation and 100 of random bytes"
    )
    func fuzz() {
        var numbers = SeededGenerator(seed: 7)
        for _ in 0..<300 {
            var bytes = Array(Settings.sample.utf8)
            for _ in 0..<Int.random(in: 1...20, using: &numbers) {
                let place = Int.random(in: 0..<bytes.count, using: &numbers)
                switch Int.random(in: 0..<4, using: &numbers) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &numbers)
                case 1: bytes.removeSubrange(place..<min(place + 30, bytes.count))
                case 2: bytes.insert(contentsOf: bytes[place..<min(place + 60, bytes.count)], at: place)
                default: bytes[place] = Array("[]{}\"'=.#\\\n,".utf8).randomElement(using: &numbers) ?? 0
                }
            }
            let (_, mistakes) = SettingsReader.read(bytes, file: "config.toml", vocabulary: vocabulary)
            #expect(mistakes.count <= 51)
        }
        let marks = Array("[[]]{}\"\"\"'''==..##\\\n\n,, aa11é\r\t".utf8)
        for _ in 0..<1000 {
            var bytes = Array("[playback]\n".utf8)
            for _ in 0..<40 {
                if Bool.random(using: &numbers), Bool.random(using: &numbers) { bytes += Array("a = [".utf8) }
                bytes.append(marks.randomElement(using: &numbers) ?? 0)
            }
            #expect(SettingsReader.read(bytes, file: "x", vocabulary: vocabulary).settings == Settings())
        }
        for _ in 0..<100 {
            let bytes = (0..<2000).map { _ in UInt8.random(in: 0...255, using: &numbers) }
            #expect(SettingsReader.read(bytes, file: "x", vocabulary: vocabulary).settings == Settings())
        }
    }
}
