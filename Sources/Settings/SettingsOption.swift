/// An option of the settings file: its name, type, help text and property in `Settings`.
///
/// An option's default value comes from `Settings`. `SettingsReader` looks options up in `all`. The sample file and the
/// table in the manual are generated from `all`.
struct SettingsOption: Sendable {
    /// The type of an option's value.
    enum Kind: Hashable, Sendable {
        case number(ClosedRange<Double>)
        case flag
        case choice([String])
        /// One of the names in `SettingsVocabulary.decoders`.
        case decoder
        /// One of the names in `SettingsVocabulary.encodings`.
        case encoding
        case languages
        case texts
        /// A color as `#rrggbb`.
        case color
        /// A pattern of date and time fields.
        case format
    }

    /// The error for a value that the option does not accept.
    struct Refusal: Error {
        /// A description of the accepted values, such as "a number from 0 to 130".
        var expected: String
    }

    let section: String
    let name: String
    let kind: Kind
    /// The help text for users. For a choice, it explains each value.
    let help: String
    let read: @Sendable (Settings) -> SettingsValue
    /// Stores a value in the settings if the option accepts the value. Returns whether the value was stored.
    private let assign: @Sendable (SettingsValue, inout Settings, SettingsVocabulary) -> Bool

    /// The default value, as TOML.
    var defaultText: String { text(in: Settings()) }

    /// The value in `settings`, as TOML.
    func text(in settings: Settings) -> String { read(settings).toml }

    /// Stores `value` in `settings`. Throws if the option does not accept the value.
    func set(
        _ value: SettingsValue, _ settings: inout Settings, _ vocabulary: SettingsVocabulary
    ) throws(Refusal) {
        if assign(value, &settings, vocabulary) { return }
        switch kind {
        case .number(let range):
            let (low, high) = (SettingsValue.number(range.lowerBound), SettingsValue.number(range.upperBound))
            throw Refusal(expected: "a number from \(low.toml) to \(high.toml)")
        case .flag: throw Refusal(expected: "true or false")
        case .choice(let choices): throw Refusal(expected: Self.alternatives(choices))
        case .decoder: throw Refusal(expected: Self.alternatives(vocabulary.decoders))
        case .encoding: throw Refusal(expected: Self.alternatives(vocabulary.encodings))
        case .color: throw Refusal(expected: ##"a color, like "#7aa8ff""##)
        case .format: throw Refusal(expected: #"1 to 40 characters with yyyy, MM, dd, HH, mm, ss or S"#)
        case .texts: throw Refusal(expected: #"a list of strings, like ["one", "two"]"#)
        case .languages: throw Refusal(expected: #"a list of languages, like ["en", "de"]"#)
        }
    }

    static func alternatives(_ texts: [String]) -> String {
        let quoted = texts.map { SettingsValue.text($0).toml }
        guard quoted.count > 1, let last = quoted.last else { return quoted.first ?? "" }
        return quoted.dropLast().joined(separator: ", ") + " or " + last
    }

    static func named(_ name: String, in section: String) -> SettingsOption? {
        all.first { $0.section == section && $0.name == name }
    }
}

extension SettingsOption {
    typealias Path<Value> = WritableKeyPath<Settings, Value> & Sendable

    static func number(
        _ section: String, _ name: String, _ range: ClosedRange<Double>, _ path: Path<Double>, _ help: String
    ) -> SettingsOption {
        SettingsOption(section: section, name: name, kind: .number(range), help: help) {
            .number($0[keyPath: path])
        } assign: { value, settings, _ in
            guard case .number(let number) = value, range.contains(number) else { return false }
            settings[keyPath: path] = number
            return true
        }
    }

    static func flag(_ section: String, _ name: String, _ path: Path<Bool>, _ help: String) -> SettingsOption {
        SettingsOption(section: section, name: name, kind: .flag, help: help) {
            .flag($0[keyPath: path])
        } assign: { value, settings, _ in
            guard case .flag(let flag) = value else { return false }
            settings[keyPath: path] = flag
            return true
        }
    }

    static func choice<Choice: RawRepresentable & CaseIterable & Sendable>(
        _ section: String, _ name: String, _ path: Path<Choice>, _ help: String
    ) -> SettingsOption where Choice.RawValue == String {
        SettingsOption(section: section, name: name, kind: .choice(Choice.allCases.map(\.rawValue)), help: help) {
            .text($0[keyPath: path].rawValue)
        } assign: { value, settings, _ in
            guard case .text(let text) = value, let choice = Choice(rawValue: text) else { return false }
            settings[keyPath: path] = choice
            return true
        }
    }

    static func decoder(_ section: String, _ name: String, _ path: Path<String>, _ help: String) -> SettingsOption {
        SettingsOption(section: section, name: name, kind: .decoder, help: help) {
            .text($0[keyPath: path])
        } assign: { value, settings, vocabulary in
            guard case .text(let text) = value, vocabulary.decoders.contains(text) else { return false }
            settings[keyPath: path] = text
            return true
        }
    }

    static func encoding(_ section: String, _ name: String, _ path: Path<String>, _ help: String) -> SettingsOption {
        SettingsOption(section: section, name: name, kind: .encoding, help: help) {
            .text($0[keyPath: path])
        } assign: { value, settings, vocabulary in
            guard case .text(let text) = value, vocabulary.encodings.contains(text.lowercased()) else { return false }
            settings[keyPath: path] = text.lowercased()
            return true
        }
    }

    static func languages(
        _ section: String, _ name: String, _ path: Path<[String]>, _ help: String
    ) -> SettingsOption {
        SettingsOption(section: section, name: name, kind: .languages, help: help) {
            .texts($0[keyPath: path])
        } assign: { value, settings, _ in
            guard case .texts(let texts) = value, texts.count <= 32, texts.allSatisfy(isLanguage) else { return false }
            settings[keyPath: path] = texts
            return true
        }
    }

    static func texts(_ section: String, _ name: String, _ path: Path<[String]>, _ help: String) -> SettingsOption {
        SettingsOption(section: section, name: name, kind: .texts, help: help) {
            .texts($0[keyPath: path])
        } assign: { value, settings, _ in
            guard case .texts(let texts) = value, texts.count <= 1000, texts.allSatisfy({ $0.utf8.count <= 200 })
            else { return false }
            settings[keyPath: path] = texts
            return true
        }
    }

    static func color(_ section: String, _ name: String, _ path: Path<Int>, _ help: String) -> SettingsOption {
        SettingsOption(section: section, name: name, kind: .color, help: help) {
            let digits = String($0[keyPath: path], radix: 16)
            return .text("#" + String(repeating: "0", count: 6 - digits.count) + digits)
        } assign: { value, settings, _ in
            guard case .text(let text) = value, text.utf8.count == 7, text.first == "#",
                text.dropFirst().allSatisfy(\.isHexDigit), let color = Int(text.dropFirst(), radix: 16)
            else { return false }
            settings[keyPath: path] = color
            return true
        }
    }

    static func format(_ section: String, _ name: String, _ path: Path<String>, _ help: String) -> SettingsOption {
        SettingsOption(section: section, name: name, kind: .format, help: help) {
            .text($0[keyPath: path])
        } assign: { value, settings, _ in
            guard case .text(let text) = value, (1...40).contains(text.unicodeScalars.count),
                ["yyyy", "MM", "dd", "HH", "mm", "ss", "S"].contains(where: text.contains),
                text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
            else { return false }
            settings[keyPath: path] = text
            return true
        }
    }

    /// Whether a string can be an ISO 639 code or a BCP 47 tag: 2 to 35 ASCII letters, digits and hyphens.
    private static func isLanguage(_ text: String) -> Bool {
        (2...35).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                let character = Character(Unicode.Scalar(byte))
                return character.isASCII && (character.isLetter || character.isNumber || character == "-")
            }
    }
}
