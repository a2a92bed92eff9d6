/// Sets one option in the text of a settings file. Comments, order and indentation stay the same. Any thread.
enum SettingsEdit {
    /// Returns the file's text with the option `name` in `section` set to `value`.
    ///
    /// Returns nil if the option spans several lines or is set in an inline table. Also returns nil if the edit would
    /// change the meaning of anything else.
    ///
    /// - Parameters:
    ///   - value: The string to write in quotes. If it contains quotes, backslashes or control characters, the result
    ///     is nil.
    ///   - bytes: The current text; empty if there is no file yet.
    static func setting(
        _ name: String, in section: String, to value: String, of bytes: [UInt8], vocabulary: SettingsVocabulary
    ) -> [UInt8]? {
        guard !value.utf8.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) else {
            return nil
        }
        var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
        let ending: [UInt8] = lines.first?.last == 0x0D ? [0x0D] : []
        let line = Array("\(name) = \"\(value)\"".utf8)
        let statements = TOMLStatementScanner.all(in: lines.map { $0.last == 0x0D ? $0.dropLast() : $0 })
        if let old = statements.first(where: { !$0.isHeader && $0.path == [section, name] }) {
            guard old.lines.count == 1, let new = replaced(lines[old.lines.lowerBound], by: line) else { return nil }
            lines[old.lines.lowerBound] = new
        } else if let header = statements.first(where: { $0.isHeader && $0.path == [section] }) {
            lines.insert(line + ending, at: header.lines.upperBound + 1)
        } else {
            // TOML forbids a header for a section that an inline table or dotted keys have already defined.
            if statements.contains(where: { $0.path.first == section }) { return nil }
            if lines.last?.isEmpty != false { lines = lines.dropLast() } else { lines[lines.count - 1] += ending }
            if !lines.isEmpty { lines.append(ending) }
            lines += [Array("[\(section)]".utf8) + ending, line + ending, []]
        }
        let text = Array(lines.joined(separator: [0x0A]))
        return isSame(text, as: bytes, but: name, in: section, being: value, vocabulary) ? text : nil
    }

    /// Returns `line` with its option replaced by `new`. Keeps the indentation and a trailing comment. Returns nil if
    /// the end of the old value is unclear.
    private static func replaced(_ line: [UInt8], by new: [UInt8]) -> [UInt8]? {
        guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        let indentation = line.prefix(while: isSpace)
        var rest = line[(equals + 1)...].drop(while: isSpace)
        if let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            rest = rest.dropFirst()
            guard let end = rest.firstIndex(of: quote), !rest[..<end].contains(UInt8(ascii: "\\")) else { return nil }
            rest = rest[(end + 1)...]
        } else {
            rest = rest.drop { !isSpace($0) && $0 != UInt8(ascii: "#") && $0 != 0x0D }
        }
        let note = rest.drop(while: isSpace)
        guard note.isEmpty || note.first == UInt8(ascii: "#") || note.first == 0x0D else { return nil }
        return indentation + new + rest
    }

    /// Whether `text` contains no more mistakes than `old` and has the same meaning, except that the option `name` has
    /// the value `value`.
    private static func isSame(
        _ text: [UInt8], as old: [UInt8], but name: String, in section: String, being value: String,
        _ vocabulary: SettingsVocabulary
    ) -> Bool {
        let (before, oldMistakes) = SettingsReader.read(old, file: "", vocabulary: vocabulary)
        let (after, mistakes) = SettingsReader.read(text, file: "", vocabulary: vocabulary)
        var expected = before
        do {
            try SettingsOption.named(name, in: section)?.set(.text(value), &expected, vocabulary)
        } catch { return false }
        return after == expected && mistakes.count <= oldMistakes.count
    }
}
