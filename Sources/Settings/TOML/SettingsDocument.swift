/// The contents of a TOML document, read as completely as possible despite mistakes.
///
/// toml++ stops at the first error. To continue, `init` records the error, blanks the statement that contains the
/// error, and parses the text again.
struct SettingsDocument {
    /// The number of mistakes after which the rest of the text is ignored, to limit the number of parses.
    static let mistakeLimit = 50
    /// The maximum number of dots in a statement. The parser recurses for each part of a dotted key, so a line full of
    /// dots could overflow the stack.
    private static let dotLimit = 200

    /// The top-level keys and their values, in the order of the text.
    private(set) var items: [SettingsItem] = []
    /// The mistakes in the TOML syntax. Line numbers start at 1.
    private(set) var mistakes: [(line: Int, reason: String)] = []

    init(_ bytes: [UInt8]) {
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        var lines = text.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
            Array(line.last == 0x0D ? line.dropLast() : line)
        }
        for index in lines.indices {
            guard let fault = Self.fault(of: lines[index]) else { continue }
            if mistakes.count == Self.mistakeLimit {
                lines.removeSubrange(index...)
                break
            }
            mistakes.append((index + 1, fault))
            lines[index] = []
        }
        while true {
            let statements = TOMLStatementScanner.all(in: lines)
            do throws(TOMLError) {
                items = try Self.parse(lines, statements)
                return
            } catch {
                // The reported line can be past the end of the text.
                let line = min(max(error.line - 1, 0), lines.count - 1)
                if mistakes.count < Self.mistakeLimit {
                    mistakes.append(Self.blank(line, because: error.message, statements, in: &lines))
                } else {
                    let start = statements.last { $0.lines.lowerBound <= line }?.lines.lowerBound ?? line
                    mistakes.append((start + 1, "too many errors; the rest of the file is ignored"))
                    lines.removeSubrange(start...)
                    items = (try? Self.parse(lines, TOMLStatementScanner.all(in: lines))) ?? []
                    return
                }
            }
        }
    }

    private static func parse(
        _ lines: [[UInt8]], _ statements: [TOMLStatementScanner]
    ) throws(TOMLError) -> [SettingsItem] {
        for statement in statements {
            if let fault = statement.fault {
                throw TOMLError(line: statement.lines.lowerBound + 1, message: fault)
            }
            if statement.dotCount(lines) > dotLimit {
                throw TOMLError(
                    line: statement.lines.lowerBound + 1, message: "more than \(dotLimit) dots in one statement")
            }
        }
        return try TOMLParser.items(in: Array(lines.joined(separator: [0x0A])))
    }

    /// Returns a description of the fault if `line` contains control characters or invalid UTF-8; otherwise nil. toml++
    /// does not report the lines of such faults precisely enough.
    private static func fault(of line: [UInt8]) -> String? {
        if line.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) {
            return "control characters are not allowed"
        }
        return String(validating: line, as: UTF8.self) == nil ? "not UTF-8" : nil
    }

    /// Blanks the statement with an error on line number `line`, counted from 0. If the statement is a header, blanks
    /// its whole section. Returns the mistake to report.
    ///
    /// Always blanks at least one nonempty line, so that the next parse gets further.
    private static func blank(
        _ line: Int, because message: String, _ statements: [TOMLStatementScanner], in lines: inout [[UInt8]]
    ) -> (line: Int, reason: String) {
        guard let index = statements.lastIndex(where: { $0.lines.lowerBound <= line }) else {
            // The error is in the comments before the first statement.
            for index in 0...line { lines[index] = [] }
            return (line + 1, "invalid TOML: \(message)")
        }
        let statement = statements[index]
        let first = statement.lines.lowerBound
        let name = statement.path.last ?? ""
        let twin =
            statement.path.isEmpty
            ? nil
            : statements[..<index].first { $0.path == statement.path && $0.isHeader == statement.isHeader }
        if statement.isHeader {
            // Without its header, the section's options would seem to belong to the previous section.
            let next = statements[(index + 1)...].first { $0.isHeader }?.lines.lowerBound ?? lines.count
            for index in first..<next { lines[index] = [] }
            let reason =
                twin.map { "[\(name)] is already defined on line \($0.lines.lowerBound + 1)" }
                ?? "invalid TOML: \(message)"
            return (first + 1, "\(reason); everything up to the next section is ignored")
        }
        // An unclosed value extends to the end of the text, but only its first line is certainly wrong.
        for index in statement.isClosed ? statement.lines : first...first { lines[index] = [] }
        if let twin { return (first + 1, "'\(name)' is already defined on line \(twin.lines.lowerBound + 1)") }
        if !statement.isClosed { return (first + 1, "the value of '\(name)' is never closed") }
        let hint = statement.path.first == "keys" ? " (put key names in quotes, such as \"Ctrl+LEFT\")" : ""
        return (line + 1, "invalid TOML: \(message)\(hint)")
    }
}
