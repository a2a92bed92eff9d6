import TOMLKit

/// A TOML text of which everything is used that can be: where the parser stops, the statement it stopped at is named and
/// taken out, and the rest is parsed again.
///
/// On one thread, at reading. (TOMLKit never frees a table's own shell, nor the names it hands out: some kilobytes each time
/// that a file is read. What the table holds is freed.)
struct SettingsDocument: ~Copyable {
    /// After so many mistakes, what follows them is not read.
    static let mistakeLimit = 50
    /// A statement with more dots is not read.
    private static let dotLimit = 200

    let table: TOMLTable
    let mistakes: [(line: Int, reason: String)]
    /// Where the text first speaks of an option or a section, from 0.
    private let places: [[String]: Int]
    /// Names of sections that stand in the place of headers that could not be used.
    private let placeholders: Set<String>

    init(_ bytes: [UInt8]) {
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        var lines = text.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
            Array(line.last == 0x0D ? line.dropLast() : line)
        }
        var placeholders: Set<String> = []
        var mistakes: [(line: Int, reason: String)] = []
        for number in lines.indices {
            guard let fault = Self.fault(of: lines[number]) else { continue }
            if mistakes.count == Self.mistakeLimit {
                lines.removeSubrange(number...)
                break
            }
            mistakes.append((number, fault))
            lines[number] = []
        }
        var parsed: TOMLTable?
        var statements = TOMLStatementScanner.all(in: lines)
        while parsed == nil {
            do throws(Stop) {
                parsed = try Self.table(lines, statements)
            } catch {
                let line = error.line
                if mistakes.count >= Self.mistakeLimit {
                    let place = statements.last { $0.lines.lowerBound <= line }?.lines.lowerBound ?? line
                    mistakes.append((place, "too many mistakes: from here on nothing is read"))
                    lines.removeSubrange(place...)
                    statements = TOMLStatementScanner.all(in: lines)
                    parsed = (try? Self.table(lines, statements)) ?? TOMLTable()
                } else {
                    mistakes.append(
                        Self.repair(line, words: error.words, statements, &lines, &placeholders))
                }
                statements = TOMLStatementScanner.all(in: lines)
            }
        }
        var places: [[String]: Int] = [:]
        for statement in statements {
            for length in statement.path.indices {
                let head = Array(statement.path[...length])
                if places[head] == nil { places[head] = statement.lines.lowerBound }
            }
        }
        self.mistakes = mistakes
        self.places = places
        self.placeholders = placeholders
        table = parsed ?? TOMLTable()
    }

    deinit { table.clear() }

    func isPlaceholder(_ section: String) -> Bool { placeholders.contains(section) }

    /// From 0: where an option of a section, or a section, stands first.
    func line(of path: [String]) -> Int {
        // A key in a table that is written in one line is found where the table is.
        for length in stride(from: path.count, to: 0, by: -1) {
            if let line = places[Array(path.prefix(length))] { return line }
        }
        return 0
    }

    /// Where the parser stopped, from 0, and why.
    private struct Stop: Error {
        var line: Int
        var words: String
    }

    private static func table(_ lines: [[UInt8]], _ statements: [TOMLStatementScanner]) throws(Stop) -> TOMLTable {
        for statement in statements {
            if let fault = statement.fault { throw Stop(line: statement.lines.lowerBound, words: fault) }
        }
        // Each dot is a table in a table, and the parser takes its stack for each: a line of them would end the program.
        if let deep = statements.first(where: { $0.dotCount(lines) > dotLimit }) {
            throw Stop(line: deep.lines.lowerBound, words: "more than \(dotLimit) dots")
        }
        do {
            return try TOMLTable(string: String(decoding: Array(lines.joined(separator: [0x0A])), as: UTF8.self))
        } catch let error as TOMLParseError {
            // The parser counts from 1; at the text's end, its line may be one too many.
            let line = min(max(error.source.begin.line - 1, 0), max(lines.count - 1, 0))
            throw Stop(line: line, words: error.description)
        } catch {
            throw Stop(line: 0, words: "\(error)")
        }
    }

    /// Why a line is no text at all. The parser would stop at a zero without a word.
    private static func fault(of line: [UInt8]) -> String? {
        if line.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) {
            return "control characters are not allowed"
        }
        guard let text = String(validating: line, as: UTF8.self) else { return "not UTF-8" }
        // Names and texts come out of the parser as C has them, which end at a zero.
        return text.contains("\\u0000") || text.contains("\\U00000000") ? "a zero is no text" : nil
    }

    /// Takes out what stopped the parser in a line; at least one line that was not empty is empty after it, or is a header
    /// that had not been replaced.
    private static func repair(
        _ line: Int, words: String, _ statements: [TOMLStatementScanner], _ lines: inout [[UInt8]],
        _ placeholders: inout Set<String>
    ) -> (line: Int, reason: String) {
        guard let index = statements.lastIndex(where: { $0.lines.lowerBound <= line }) else {
            // Not within any: everything up to there, which is a comment.
            for number in 0...line { lines[number] = [] }
            return (line, "not TOML: \(words)")
        }
        let statement = statements[index]
        let first = statement.lines.lowerBound
        let name = statement.path.last ?? ""
        let twin =
            statement.path.isEmpty
            ? nil
            : statements[..<index].first { $0.path == statement.path && $0.isHeader == statement.isHeader }
        if statement.isHeader {
            let placeholder = "glissade-unread-\(first)"
            lines[first] = placeholders.insert(placeholder).inserted ? Array("[\(placeholder)]".utf8) : []
            let consequence = "what follows up to the next section is not read"
            if let twin {
                return (first, "[\(name)] is already defined on line \(twin.lines.lowerBound + 1); \(consequence)")
            }
            return (first, "not TOML: \(words); \(consequence)")
        }
        // What is not closed runs to the end of the text: its first line is to blame, and the others may be good.
        for number in statement.isClosed ? statement.lines : first...first { lines[number] = [] }
        if let twin { return (first, "'\(name)' is already defined on line \(twin.lines.lowerBound + 1)") }
        if !statement.isClosed { return (first, "'\(name)' begins something that is never closed") }
        let hint = statement.path.first == "keys" ? " (names of keys stand in quotes, like \"Ctrl+LEFT\")" : ""
        return (line, "not TOML: \(words)\(hint)")
    }
}
