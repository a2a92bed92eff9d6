import Foundation
import Testing
import GlissadeTestSupport

@testable import GlissadeSettings

/// What is made of a settings file's text, right and wrong.
@Suite("Reading settings")
struct ReadingTests {
    @Test("An empty file gives the defaults")
    func empty() {
        for text in ["", "\n", "# nothing\n", "\u{FEFF}", "\r\n\r\n"] {
            let (settings, mistakes) = read(text)
            #expect(settings == Settings())
            #expect(mistakes.isEmpty)
        }
    }

    @Test("Mistakes in the TOML syntax are told from others, also among those that are only counted")
    func kinds() {
        #expect(read("[library\nview = 3\n").mistakes.map(\.isSyntaxError) == [true])
        #expect(read("[library]\nview = \n").mistakes.map(\.isSyntaxError) == [true])
        #expect(read("[library]\nview = 3\nwiew = 3\n[x]\n").mistakes.map(\.isSyntaxError) == [false, false, false])
        let unknown = "[library]\n" + (0..<60).map { "x\($0) = 1\n" }.joined()
        #expect(read(unknown).mistakes.count == 51)
        #expect(read(unknown).mistakes.last?.isSyntaxError == false)
        #expect(read(unknown + "[interface\n").mistakes.last?.isSyntaxError == true)
    }

    @Test("Every option is read")
    func options() throws {
        let (settings, mistakes) = read(
            """
            [playback]
            volume = 80
            muted = true
            speed = 1.5
            resume = false
            history = false
            loop = true
            hwdec = "vaapi"
            audio-languages = ["ja", "pt-BR"]
            [subtitles]
            visible = false
            scale = 2
            languages = ["en"]
            [interface]
            controls-timeout = 4.5
            fullscreen = true
            on-top = true
            [gestures]
            pinch = false
            click = true
            [keys]
            "Ctrl+RIGHT" = "seek 10"
            x = "none"
            """)
        #expect(mistakes.isEmpty)
        var expected = Settings()
        expected.playback.volume = 80
        expected.playback.isMuted = true
        expected.playback.speed = 1.5
        expected.playback.resumes = false
        expected.playback.keepsHistory = false
        expected.playback.loops = true
        expected.playback.hardware = "vaapi"
        expected.playback.audioLanguages = ["ja", "pt-BR"]
        expected.subtitles.isShown = false
        expected.subtitles.scale = 2
        expected.subtitles.languages = ["en"]
        expected.interface.controlsTimeout = .seconds(4.5)
        expected.interface.isFullscreen = true
        expected.interface.isOnTop = true
        expected.gestures = ["pinch": false, "click": true]
        expected.keys = [
            try KeyChord(name: "Ctrl+RIGHT"): .command("seek 10"), try KeyChord(name: "x"): Settings.KeyBinding.none,
        ]
        #expect(settings == expected)
        #expect(settings.disabledGestures == ["pinch"])
    }

    @Test("Each option is read into its own setting, and changes no other")
    func everyOption() {
        for option in SettingsOption.all {
            let values =
                switch option.kind {
                case .number(let range): [range.lowerBound, range.upperBound].map { SettingsValue.number($0).toml }
                case .flag: ["true", "false"]
                case .choice(let choices): choices.map { "\"\($0)\"" }
                case .decoder: ["\"vaapi\""]
                case .encoding: ["\"auto\"", "\"koi8-r\""]
                case .languages, .texts: ["[\"ja\"]"]
                case .color: ["\"#123456\""]
                case .format: ["\"HH:mm\""]
                }
            for value in values {
                let (settings, mistakes) = read("[\(option.section)]\n\(option.name) = \(value)")
                #expect(mistakes.isEmpty, "\(option.name) = \(value)")
                for other in SettingsOption.all {
                    let isThis = other.section == option.section && other.name == option.name
                    #expect(
                        other.read(settings).toml == (isThis ? value : other.defaultText),
                        "\(option.name), \(other.name)")
                }
            }
        }
    }

    @Test("The sample has every option with its default and no mistake")
    func sample() {
        let (settings, mistakes) = read(Settings.sample)
        #expect(mistakes.isEmpty)
        var expected = Settings()
        expected.gestures = Dictionary(uniqueKeysWithValues: vocabulary.gestures.map { ($0, true) })
        #expect(settings == expected)
        let lines = Set(Settings.sample.split(separator: "\n").map(String.init))
        for option in SettingsOption.all { #expect(lines.contains("\(option.name) = \(option.defaultText)")) }
        #expect(SettingsOption.gestures.map(\.name).sorted() == vocabulary.gestures.sorted())
        #expect(lines.allSatisfy { $0.count <= 120 })
    }

    @Test("The manual's table has a row for every option and gesture, and the help names each choice")
    func table() {
        let rows = Set(SettingsOption.markdownTable.split(separator: "\n").map { $0.split(separator: " ").prefix(4) })
        for option in SettingsOption.all {
            #expect(rows.contains(["|", "`\(option.section)`", "|", "`\(option.name)`"]))
            guard case .choice(let choices) = option.kind else { continue }
            for choice in choices { #expect(option.help.contains("\"\(choice)\""), "\(option.name)") }
        }
        for name in SettingsOption.gestures.map(\.name) {
            #expect(rows.contains(["|", "`gestures`", "|", "`\(name)`"]))
        }
        #expect(rows.count == SettingsOption.all.count + SettingsOption.gestures.count + 2)
    }

    @Test(
        "Each mistake is reported with its line, and the rest is applied",
        arguments: [
            ("[keys]\nx = \"foo\"", 2, "keys: unknown command 'foo'"),
            ("[keys]\nx = \"sek 5\"", 2, "keys: unknown command 'sek'; did you mean 'seek'?"),
            ("[keys]\nx = \"seek\"", 2, "keys: seek: a number of seconds is missing"),
            ("[keys]\nx = \"\"", 2, "keys: the command is empty"),
            ("[keys]\nx = 5", 2, "keys: 'x' needs a command in quotes, not 5"),
            ("[keys]\n\n\"Ctrl+RIHGT\" = \"none\"", 3, "keys: unknown key 'RIHGT'; did you mean 'RIGHT'?"),
            ("[keys]\nA = \"pause\"\n\"Shift+a\" = \"none\"", 3, "keys: 'Shift+a' is already bound, as A"),
            ("[gestures]\npinch = 1", 2, "gestures: 'pinch' must be true or false, not 1"),
            ("[gestures]\npich = true", 2, "gestures: unknown gesture 'pich'; did you mean 'pinch'?"),
            ("[playback]\nvolum = 1", 2, "playback: unknown option 'volum'; did you mean 'volume'?"),
            ("[playback]\nbeauty = 1", 2, "playback: unknown option 'beauty'"),
            ("[playback]\nvolume = 131", 2, "playback: 'volume' must be a number from 0 to 130, not 131"),
            ("[playback]\nvolume = -0.5", 2, "playback: 'volume' must be a number from 0 to 130, not -0.5"),
            ("[playback]\nvolume = nan", 2, "playback: 'volume' must be a number from 0 to 130, not nan"),
            ("[playback]\nspeed = inf", 2, "playback: 'speed' must be a number from 0.1 to 8, not inf"),
            ("[playback]\nvolume = \"80\"", 2, "playback: 'volume' must be a number from 0 to 130, not '80'"),
            ("[playback]\nmuted = 1979-05-27", 2, "playback: 'muted' must be true or false, not a date"),
            ("[playback]\nhwdec = \"vappi\"", 2, #"playback: 'hwdec' must be "auto", "no" or "vaapi", not 'vappi'"#),
            ("[playback]\nhwdec = \"\"", 2, #"playback: 'hwdec' must be "auto", "no" or "vaapi", not ''"#),
            ("[playback]\nhwdec = true", 2, #"playback: 'hwdec' must be "auto", "no" or "vaapi", not true"#),
            (
                "[playback]\naudio-languages = [1]", 2,
                #"playback: 'audio-languages' must be a list of languages, like ["en", "de"], not a list"#
            ),
            (
                "[playback]\naudio-languages = {a = 1}", 2,
                #"playback: 'audio-languages' must be a list of languages, like ["en", "de"], not a table"#
            ),
            ("[playbak]\nvolume = 5", 1, "unknown section [playbak]; did you mean 'playback'?"),
            ("volume = 5", 1, "'volume' is outside any section; does it belong to [playback]?"),
            ("colour = 5", 1, "'colour' is outside any section"),
            ("keys = 5", 1, "'keys' is a section: write [keys]"),
            ("[[playback]]\nvolume = 5", 1, "'playback' is a section: write [playback]"),
            ("playback.volume = 500", 1, "playback: 'volume' must be a number from 0 to 130, not 500"),
            ("[playback]\nvolume = 5\nspeed = 2\nvolume = 6", 4, "'volume' is already defined on line 2"),
        ])
    func mistakes(text: String, line: Int, reason: String) {
        let (settings, mistakes) = read(text + "\n[subtitles]\nscale = 3\n")
        #expect(mistakes.map(\.description) == ["config.toml:\(line): \(reason)"])
        #expect(settings.subtitles.scale == 3)
    }

    @Test("If an option is defined twice the first counts")
    func twice() {
        let (settings, mistakes) = read("[playback]\nvolume = 5\nvolume = 6\n[playback]\nvolume = 7\nspeed = 2\n")
        #expect(settings.playback.volume == 5)
        #expect(settings.playback.speed == 1)
        #expect(mistakes.map(\.line) == [3, 4])
        #expect(
            mistakes.last?.reason
                == "[playback] is already defined on line 1; everything up to the next section is ignored")
    }

    @Test("Invalid TOML is reported with its line, and what comes before and after is applied")
    func syntax() {
        let (settings, mistakes) = read(
            """
            [playback]
            volume = = 5
            speed = 2
            muted
            [interface
            on-top = true
            [keys]
            Ctrl+RIGHT = "seek 10"
            x = "none"
            [subtitles]
            languages = ["en",
              "de"
            scale = 3
            visible = \"""
            """)
        #expect(mistakes.map(\.line) == [2, 4, 5, 8, 11, 12, 14])
        #expect(mistakes.first { $0.line == 8 }?.reason.contains("in quotes") ?? false)
        #expect(mistakes.first { $0.line == 11 }?.reason == "the value of 'languages' is never closed")
        #expect(settings.playback.volume == 100)
        #expect(settings.playback.speed == 2)
        #expect(!settings.interface.isOnTop)
        #expect(settings.keys.count == 1)
        #expect(settings.subtitles.scale == 3)
    }

    @Test("An invalid value over several lines is skipped completely")
    func manyLines() {
        let (settings, mistakes) = read(
            "[playback]\naudio-languages = [\n  'en', # ]\n  = ,\n  'de'\n]\nspeed = 2\n[keys]\nx = '''no\nne'''\n")
        #expect(mistakes.map(\.line) == [4, 9])
        #expect(settings.playback.speed == 2)
    }

    @Test("CR LF line endings and a byte order mark are accepted")
    func lineEnds() {
        let (settings, mistakes) = read("\u{FEFF}[playback]\r\nvolume = 5\r\n\r\nspeed = x\r\nmuted = true\r\n")
        #expect(settings.playback.volume == 5)
        #expect(settings.playback.isMuted)
        #expect(mistakes.map(\.line) == [4])
    }

    @Test("Bytes that are not valid text cost only their own line")
    func junk() {
        var bytes = Array("[playback]\nvolume = 5\n# ".utf8)
        bytes += [0xFF, 0xFE, 0x0A, 0x00, 0x01, 0x0A]
        bytes += Array("speed = 2\nmuted = true # \u{7}\nloop = true\n".utf8)
        let (settings, mistakes) = SettingsReader.read(bytes, file: "config.toml", vocabulary: vocabulary)
        #expect(settings.playback.volume == 5)
        #expect(settings.playback.speed == 2)
        #expect(!settings.playback.isMuted)
        #expect(settings.playback.loops)
        #expect(
            mistakes.map(\.description) == [
                "config.toml:3: not UTF-8", "config.toml:4: control characters are not allowed",
                "config.toml:6: control characters are not allowed",
            ])
    }

    @Test("The manual lists every option and gesture as the program knows them")
    func manual() throws {
        let manual = try String(contentsOfFile: Repository.path("Docs/Manual.md"), encoding: .utf8)
        #expect(manual.contains(SettingsOption.markdownTable), "expected:\n\(SettingsOption.markdownTable)")
    }
}
