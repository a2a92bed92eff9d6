/// Reads the text of a settings file. Any thread; a large file takes a while.
package enum SettingsReader {
    /// Returns the settings in a file's text, and the mistakes in order of their lines.
    ///
    /// A mistake invalidates only its own option or section. After 50 mistakes in the TOML syntax, the rest of the text
    /// is ignored. If there are more than 51 mistakes, only the first 50 are returned, followed by a diagnostic with
    /// the number of the other mistakes.
    ///
    /// - Parameters:
    ///   - bytes: UTF-8 with or without a byte order mark. Lines end with LF or CR LF.
    ///   - file: The file's name, for messages about mistakes.
    package static func read(_ bytes: [UInt8], file: String, vocabulary: SettingsVocabulary) -> (
        settings: Settings, mistakes: [SettingsDiagnostic]
    ) {
        var reading = Reading(document: SettingsDocument(bytes), vocabulary: vocabulary)
        reading.readAll()
        var mistakes = reading.mistakes.sorted { $0.line < $1.line }.map {
            SettingsDiagnostic(file: file, line: $0.line, reason: $0.reason, isSyntaxError: $0.isSyntaxError)
        }
        let rest = mistakes.count - SettingsDocument.mistakeLimit
        if rest > 1 {
            let hasSyntaxErrors = mistakes.suffix(rest).contains(where: \.isSyntaxError)
            mistakes.removeLast(rest)
            mistakes.append(
                SettingsDiagnostic(file: file, reason: "\(rest) more errors", isSyntaxError: hasSyntaxErrors))
        }
        return (reading.settings, mistakes)
    }

    private struct Reading {
        let items: [SettingsItem]
        let vocabulary: SettingsVocabulary
        var settings = Settings()
        var mistakes: [(line: Int, reason: String, isSyntaxError: Bool)]

        init(document: SettingsDocument, vocabulary: SettingsVocabulary) {
            mistakes = document.mistakes.map { ($0.line, $0.reason, true) }
            items = document.items
            self.vocabulary = vocabulary
        }

        mutating func readAll() {
            for section in items {
                guard SettingsOption.sections.contains(section.name) else {
                    report(section.line, unknownSection(section))
                    continue
                }
                guard case .table(let options) = section.value else {
                    report(section.line, "'\(section.name)' is a section: write [\(section.name)]")
                    continue
                }
                for option in options { read(option, in: section.name) }
            }
        }

        private mutating func report(_ line: Int, _ reason: String) { mistakes.append((line, reason, false)) }

        private func unknownSection(_ item: SettingsItem) -> String {
            if case .table = item.value {
                return "unknown section [\(item.name)]"
                    + Suggestion.words(for: item.name, among: SettingsOption.sections)
            }
            let home = SettingsOption.all.first { $0.name == item.name }
            return "'\(item.name)' is outside any section"
                + (home.map { "; does it belong to [\($0.section)]?" } ?? "")
        }

        private mutating func read(_ item: SettingsItem, in section: String) {
            let value = item.value
            switch section {
            case "keys": readKey(item, value)
            case "gestures": readGesture(item, value)
            default:
                guard let option = SettingsOption.named(item.name, in: section) else {
                    let known = SettingsOption.all.filter { $0.section == section }.map(\.name)
                    report(
                        item.line,
                        "\(section): unknown option '\(item.name)'" + Suggestion.words(for: item.name, among: known))
                    return
                }
                do {
                    try option.set(value, &settings, vocabulary)
                } catch {
                    report(item.line, "\(section): '\(item.name)' must be \(error.expected), not \(value.words)")
                }
            }
        }

        private mutating func readGesture(_ item: SettingsItem, _ value: SettingsValue) {
            guard vocabulary.gestures.contains(item.name) else {
                let suggestion = Suggestion.words(for: item.name, among: vocabulary.gestures)
                report(item.line, "gestures: unknown gesture '\(item.name)'" + suggestion)
                return
            }
            guard case .flag(let isOn) = value else {
                report(item.line, "gestures: '\(item.name)' must be true or false, not \(value.words)")
                return
            }
            settings.gestures[item.name] = isOn
        }

        private mutating func readKey(_ item: SettingsItem, _ value: SettingsValue) {
            let chord: KeyChord
            do {
                chord = try KeyChord(name: item.name)
            } catch {
                report(item.line, "keys: \(error.reason)")
                return
            }
            guard case .text(let text) = value else {
                report(item.line, "keys: '\(item.name)' needs a command in quotes, not \(value.words)")
                return
            }
            guard settings.keys[chord] == nil else {
                report(item.line, "keys: '\(item.name)' is already bound, as \(chord)")
                return
            }
            if let fault = fault(of: text) {
                report(item.line, "keys: \(fault)")
                return
            }
            settings.keys[chord] = text == "none" ? Settings.KeyBinding.none : .command(text)
        }

        private func fault(of command: String) -> String? {
            if command == "none" { return nil }
            guard let word = command.split(separator: " ").first else { return "the command is empty" }
            guard vocabulary.commands.contains(String(word)) || vocabulary.formerCommands.contains(String(word)) else {
                return "unknown command '\(word)'" + Suggestion.words(for: word, among: vocabulary.commands + ["none"])
            }
            return vocabulary.fault(command)
        }
    }
}
