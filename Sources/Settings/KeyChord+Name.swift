import GlissadeInput

/// Conversion of chords to and from their names in the settings file, such as `Ctrl+RIGHT`.
extension KeyChord: CustomStringConvertible {
    /// The error for a string that is not the name of a chord.
    package struct NameError: Error, Hashable, Sendable {
        /// The reason, as it appears at the end of an error message: "unknown key 'RIHGT'; did you mean 'RIGHT'?".
        package var reason: String
    }

    /// Parses a chord name: any modifiers and then a key, joined by `+`. Case matters only for a key that is a single
    /// character.
    package init(name: String) throws(NameError) {
        var rest = Substring(name)
        var modifiers: Modifiers = []
        while let plus = rest.dropFirst().firstIndex(of: "+"), rest.index(after: plus) < rest.endIndex {
            let word = rest[..<plus]
            guard let held = Self.modifierNames.first(where: { Self.isAlike($0.name, word) }) else {
                throw NameError(
                    reason: "unknown modifier '\(word)'"
                        + Suggestion.words(for: word, among: Self.modifierNames.map(\.name)))
            }
            modifiers.insert(held.modifier)
            rest = rest[rest.index(after: plus)...]
        }
        guard !rest.isEmpty else { throw NameError(reason: "the key is missing") }
        guard let key = Self.key(rest) else {
            throw NameError(
                reason: "unknown key '\(rest)'" + Suggestion.words(for: rest, among: Self.keyNames.map(\.name)))
        }
        if modifiers.contains(.shift), modifiers.isDisjoint(with: [.control, .alt]),
            case .character(let character) = key,
            !character.isLetter
        {
            throw NameError(
                reason: "'\(name)' depends on the keyboard layout; use the character it types, without Shift")
        }
        self.init(key: key, modifiers: modifiers)
    }

    /// The chord's name, in the form that `init(name:)` accepts.
    package var description: String {
        let held = Self.modifierNames.filter { modifiers.contains($0.modifier) }.map { $0.name + "+" }.joined()
        switch key {
        case .character(let character): return held + String(character)
        case .function(let number): return held + "F\(number)"
        // `keyNames` contains all other keys.
        default: return held + (Self.keyNames.first { $0.key == key }?.name ?? "?")
        }
    }

    private static let modifierNames: [(name: String, modifier: Modifiers)] = [
        ("Ctrl", .control), ("Alt", .alt), ("Shift", .shift), ("Meta", .command),
    ]

    /// The names of special keys, and alternative names for the characters `+` and `#`. `description` does not use the
    /// alternative names.
    private static let keyNames: [(name: String, key: Key)] = [
        ("SPACE", .space), ("ESC", .escape), ("ENTER", .enter), ("BS", .backspace), ("TAB", .tab), ("DEL", .delete),
        ("INS", .insert), ("LEFT", .left), ("RIGHT", .right), ("UP", .up), ("DOWN", .down), ("HOME", .home),
        ("END", .end), ("PGUP", .pageUp), ("PGDWN", .pageDown),
        ("PLAYPAUSE", .media(.playPause)), ("PLAY", .media(.play)), ("PAUSE", .media(.pause)), ("STOP", .media(.stop)),
        ("NEXT", .media(.next)), ("PREV", .media(.previous)), ("VOLUME_UP", .media(.volumeUp)),
        ("VOLUME_DOWN", .media(.volumeDown)), ("MUTE", .media(.mute)),
        ("PLUS", .character("+")), ("SHARP", .character("#")),
    ]

    private static func key(_ name: Substring) -> Key? {
        if name.count == 1, let character = name.first {
            if character == " " { return .space }
            return character.unicodeScalars.contains { $0.properties.generalCategory == .control }
                ? nil : .character(character)
        }
        if let named = keyNames.first(where: { isAlike($0.name, name) }) { return named.key }
        guard name.first == "F" || name.first == "f", let number = Int(name.dropFirst()),
            (1...35).contains(number), name.utf8.dropFirst().first != UInt8(ascii: "+")
        else { return nil }
        return .function(number)
    }

    private static func isAlike(_ name: String, _ word: Substring) -> Bool { name.lowercased() == word.lowercased() }
}
