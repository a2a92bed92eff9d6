import TOMLKit

/// Reads the text of a settings file. Any thread; takes its time.
public enum SettingsReader {
    /// What the text says, and what of it is not used. Nothing in it makes it fail as a whole.
    ///
    /// - Parameters:
    ///   - file: its name, for the mistakes.
    ///   - bytes: UTF-8, with or without a byte order mark, lines ended by LF or CR LF.
    public static func read(_ bytes: [UInt8], file: String, vocabulary: SettingsVocabulary) -> (
        settings: Settings, mistakes: [SettingsDiagnostic]
    ) {
        var reading = Reading(document: SettingsDocument(bytes), vocabulary: vocabulary)
        reading.readAll()
        var mistakes = reading.mistakes.sorted { $0.line < $1.line }.map {
            SettingsDiagnostic(file: file, line: $0.line + 1, reason: $0.reason)
        }
        let rest = mistakes.count - SettingsDocument.mistakeLimit
        if rest > 1 {
            mistakes.removeLast(rest)
            mistakes.append(SettingsDiagnostic(file: file, reason: "\(rest) more mistakes"))
        }
        return (reading.settings, mistakes)
    }

    /// One pass over a document.
    private struct Reading: ~Copyable {
        let document: SettingsDocument
        let vocabulary: SettingsVocabulary
        var settings = Settings()
        var mistakes: [(line: Int, reason: String)]

        init(document: consuming SettingsDocument, vocabulary: SettingsVocabulary) {
            mistakes = document.mistakes
            self.document = document
            self.vocabulary = vocabulary
        }

        mutating func readAll() {
            for section in inOrder(document.table, []) where !document.isPlaceholder(section.name) {
                guard SettingsOption.sections.contains(section.name) else {
                    note(section.line, unknownSection(section.name, section.value))
                    continue
                }
                guard let table = section.value.table else {
                    note(section.line, "'\(section.name)' is a section: write [\(section.name)]")
                    continue
                }
                for option in inOrder(table, [section.name]) { read(option, in: section.name) }
            }
        }

        private struct Item {
            var name: String
            var line: Int
            var value: any TOMLValueConvertible
        }

        /// What a table holds, in the order of the text.
        private func inOrder(_ table: TOMLTable, _ path: [String]) -> [Item] {
            let items = table.keys.compactMap { name in
                table[name].map { Item(name: name, line: document.line(of: path + [name]), value: $0) }
            }
            return items.sorted { $0.line < $1.line }
        }

        private mutating func note(_ line: Int, _ reason: String) { mistakes.append((line, reason)) }

        private func unknownSection(_ name: String, _ value: any TOMLValueConvertible) -> String {
            if value.type == .table {
                return "unknown section [\(name)]" + Suggestion.words(for: name, among: SettingsOption.sections)
            }
            let home = SettingsOption.all.first { $0.name == name }
            return "'\(name)' stands in no section" + (home.map { ", perhaps it belongs to [\($0.section)]?" } ?? "")
        }

        private mutating func read(_ item: Item, in section: String) {
            let value = SettingsValue(item.value)
            switch section {
            case "keys": readKey(item, value)
            case "gestures": readGesture(item, value)
            default:
                guard let option = SettingsOption.named(item.name, in: section) else {
                    let known = SettingsOption.all.filter { $0.section == section }.map(\.name)
                    note(
                        item.line,
                        "\(section): unknown option '\(item.name)'" + Suggestion.words(for: item.name, among: known))
                    return
                }
                do {
                    try option.set(value, &settings, vocabulary)
                } catch {
                    note(item.line, "\(section): '\(item.name)' is \(error.expected), not \(value.words)")
                }
            }
        }

        private mutating func readGesture(_ item: Item, _ value: SettingsValue) {
            guard vocabulary.gestures.contains(item.name) else {
                let suggestion = Suggestion.words(for: item.name, among: vocabulary.gestures)
                note(item.line, "gestures: unknown gesture '\(item.name)'" + suggestion)
                return
            }
            guard case .flag(let isOn) = value else {
                note(item.line, "gestures: '\(item.name)' is true or false, not \(value.words)")
                return
            }
            settings.gestures[item.name] = isOn
        }

        private mutating func readKey(_ item: Item, _ value: SettingsValue) {
            let chord: KeyChord
            do {
                chord = try KeyChord(name: item.name)
            } catch {
                note(item.line, "keys: \(error.reason)")
                return
            }
            guard case .text(let text) = value else {
                note(item.line, "keys: '\(item.name)' is given a command in quotes, not \(value.words)")
                return
            }
            guard settings.keys[chord] == nil else {
                note(item.line, "keys: '\(item.name)' has a command already, as \(chord)")
                return
            }
            if let fault = fault(of: text) {
                note(item.line, "keys: \(fault)")
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
