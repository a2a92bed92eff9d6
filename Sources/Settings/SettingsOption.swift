/// An option of a section with a fixed set of them: its name, what it takes, and where it goes.
struct SettingsOption: Sendable {
    var section: String
    var name: String
    /// Uses a value; the error says what the option takes ("a number from 0 to 130").
    var set:
        @Sendable (_ value: SettingsValue, _ settings: inout Settings, _ vocabulary: SettingsVocabulary) throws(Refusal)
            -> Void

    struct Refusal: Error {
        /// What would have been taken.
        var expected: String
    }

    /// All of them, in the file's order.
    static let all: [SettingsOption] = [
        number("playback", "volume", 0...130) { $0.playback.volume = $1 },
        flag("playback", "muted") { $0.playback.isMuted = $1 },
        number("playback", "speed", 0.1...8) { $0.playback.speed = $1 },
        flag("playback", "resume") { $0.playback.resumes = $1 },
        flag("playback", "history") { $0.playback.keepsHistory = $1 },
        flag("playback", "loop") { $0.playback.loops = $1 },
        decoder("playback", "hwdec") { $0.playback.hardware = $1 },
        languages("playback", "audio-languages") { $0.playback.audioLanguages = $1 },
        flag("subtitles", "visible") { $0.subtitles.isShown = $1 },
        number("subtitles", "scale", 0.25...4) { $0.subtitles.scale = $1 },
        languages("subtitles", "languages") { $0.subtitles.languages = $1 },
        number("interface", "controls-timeout", 0.5...60) { $0.interface.controlsTimeout = .seconds($1) },
        flag("interface", "fullscreen") { $0.interface.isFullscreen = $1 },
        flag("interface", "on-top") { $0.interface.isOnTop = $1 },
        flag("interface", "fullscreen-turns") { $0.interface.turnsInFullscreen = $1 },
        choice("interface", "renderer") { $0.interface.renderer = $1 },
        flag("floating", "leaves-page") { $0.floating.leavesPage = $1 },
        choice("library", "view") { $0.library.view = $1 },
        flag("library", "sound") { $0.library.hasSound = $1 },
        choice("library", "out-of-view") { $0.library.leaving = $1 },
        flag("library", "next") { $0.library.playsNext = $1 },
    ]

    /// The sections, those whose names of options are free among them.
    static let sections = ["keys", "gestures", "playback", "subtitles", "interface", "floating", "library"]

    static func named(_ name: String, in section: String) -> SettingsOption? {
        all.first { $0.section == section && $0.name == name }
    }

    private static func number(
        _ section: String, _ name: String, _ range: ClosedRange<Double>,
        _ set: @escaping @Sendable (inout Settings, Double) -> Void
    ) -> SettingsOption {
        SettingsOption(section: section, name: name) { value, settings, _ throws(Refusal) in
            guard case .number(let number) = value, range.contains(number) else {
                throw Refusal(expected: "a number from \(short(range.lowerBound)) to \(short(range.upperBound))")
            }
            set(&settings, number)
        }
    }

    private static func flag(
        _ section: String, _ name: String, _ set: @escaping @Sendable (inout Settings, Bool) -> Void
    ) -> SettingsOption {
        SettingsOption(section: section, name: name) { value, settings, _ throws(Refusal) in
            guard case .flag(let flag) = value else { throw Refusal(expected: "true or false") }
            set(&settings, flag)
        }
    }

    private static func choice<Choice: RawRepresentable & CaseIterable & Sendable>(
        _ section: String, _ name: String, _ set: @escaping @Sendable (inout Settings, Choice) -> Void
    ) -> SettingsOption where Choice.RawValue == String {
        SettingsOption(section: section, name: name) { value, settings, _ throws(Refusal) in
            guard case .text(let text) = value, let choice = Choice(rawValue: text) else {
                throw Refusal(expected: Choice.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: " or "))
            }
            set(&settings, choice)
        }
    }

    /// One of the vocabulary's decoders.
    private static func decoder(
        _ section: String, _ name: String, _ set: @escaping @Sendable (inout Settings, String) -> Void
    ) -> SettingsOption {
        SettingsOption(section: section, name: name) { value, settings, vocabulary throws(Refusal) in
            guard case .text(let text) = value, vocabulary.decoders.contains(text) else {
                throw Refusal(expected: vocabulary.decoders.map { "\"\($0)\"" }.joined(separator: " or "))
            }
            set(&settings, text)
        }
    }

    private static func languages(
        _ section: String, _ name: String, _ set: @escaping @Sendable (inout Settings, [String]) -> Void
    ) -> SettingsOption {
        SettingsOption(section: section, name: name) { value, settings, _ throws(Refusal) in
            guard case .texts(let texts) = value, texts.count <= 32, texts.allSatisfy(isLanguage) else {
                throw Refusal(expected: #"a list of languages, like ["en", "de"]"#)
            }
            set(&settings, texts)
        }
    }

    /// A code of ISO 639 or a tag of BCP 47, by its looks.
    private static func isLanguage(_ text: String) -> Bool {
        (2...35).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                let character = Character(Unicode.Scalar(byte))
                return character.isASCII && (character.isLetter || character.isNumber || character == "-")
            }
    }

    private static func short(_ number: Double) -> String {
        Int(exactly: number).map { String($0) } ?? String(number)
    }
}
