import GlissadeInput
import Testing

@testable import GlissadeSettings

@Suite("Every option of the settings file") struct EveryOptionTests {
    /// A value that differs from the option's default, as TOML.
    private static func otherValue(_ option: SettingsOption) -> String {
        switch option.kind {
        case .number(let range):
            let least = SettingsValue.number(range.lowerBound).toml
            return option.defaultText == least ? SettingsValue.number(range.upperBound).toml : least
        case .flag: return option.defaultText == "true" ? "false" : "true"
        case .choice(let choices):
            return choices.map { SettingsValue.text($0).toml }.first { $0 != option.defaultText } ?? "none"
        case .decoder: return "\"auto\""
        case .encoding: return "\"koi8-r\""
        case .languages: return "[\"fi\"]"
        case .texts: return "[\"a word\"]"
        case .color: return "\"#123abc\""
        case .format: return "\"HH.mm\""
        }
    }

    private static let vocabulary = SettingsVocabulary(
        commands: [], formerCommands: [], gestures: [], decoders: ["no", "auto"], encodings: ["auto", "koi8-r"],
        fault: { _ in nil })

    @Test("Each option changes its own setting and no other", arguments: SettingsOption.all.indices)
    func changesItsSetting(index: Int) {
        let option = SettingsOption.all[index]
        let value = Self.otherValue(option)
        #expect(value != option.defaultText)
        let (settings, mistakes) = SettingsReader.read(
            Array("[\(option.section)]\n\(option.name) = \(value)\n".utf8), file: "test", vocabulary: Self.vocabulary)
        #expect(mistakes.isEmpty, "\(option.section).\(option.name) = \(value)")
        #expect(option.text(in: settings) == value)
        for other in SettingsOption.all where other.section != option.section || other.name != option.name {
            #expect(other.text(in: settings) == other.defaultText, "\(other.section).\(other.name)")
        }
    }

    @Test(
        "A color or a format that is none is refused, and the default stays",
        arguments: [
            "[progress-bar]\ncolor = \"red\"", "[progress-bar]\ncolor = \"#12345\"",
            "[progress-bar]\ncolor = \"#12345g\"",
            "[progress-bar]\ncolor = \"#+12345\"", "[floating]\nclock = \"\"", "[floating]\nclock = \"time\"",
            "[danmaku]\nlimit = 0", "[danmaku]\nhidden-words = [1]", "[pages]\nstyle = \"cube\"",
        ])
    func refusesNonsense(text: String) {
        let (settings, mistakes) = SettingsReader.read(
            Array(text.utf8), file: "test", vocabulary: Self.vocabulary)
        #expect(mistakes.count == 1 && settings == Settings())
    }
}
