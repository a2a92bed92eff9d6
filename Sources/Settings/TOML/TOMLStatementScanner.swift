/// A statement in a TOML document: a section header, or a key and its value.
///
/// Supplements toml++, which stops at the first error and does not report which lines a statement spans. The lines are
/// needed to blank a statement with an error, so that all other statements can be read and all errors reported. The
/// scanner accepts any text, even if it is not valid TOML.
struct TOMLStatementScanner {
    /// The indices of the statement's lines, starting at 0.
    var lines: ClosedRange<Int>
    /// Whether all brackets and multi-line strings of the statement are closed.
    var isClosed = true
    var isHeader: Bool
    /// The parts of the section's dotted name. Unless this statement is a header, the parts of the key's dotted name
    /// follow. Ends before the first invalid part.
    var path: [String]
    /// Why toml++ must not parse this statement; nil if it may.
    ///
    /// Such a statement could fail an assertion in toml++ 3.3 or 3.4. Headers without a name fail in `parse_key`. Stray
    /// brackets and non-ASCII characters fail in `parse_value`. `CTOML` survives a failed assertion, but cannot report
    /// the line.
    var fault: String?

    /// The number of dots in the statement's lines, including those in strings and comments.
    func dotCount(_ text: [[UInt8]]) -> Int {
        text[self.lines].reduce(0) { count, line in count + line.reduce(0) { $0 + ($1 == UInt8(ascii: ".") ? 1 : 0) } }
    }

    static func all(in lines: [[UInt8]]) -> [TOMLStatementScanner] {
        var statements: [TOMLStatementScanner] = []
        var section: [String] = []
        var number = 0
        while number < lines.count {
            var cursor = Cursor(lines[number])
            cursor.skipSpace()
            switch cursor.byte {
            case nil, UInt8(ascii: "#"): break
            case UInt8(ascii: "["):
                cursor.advance()
                if cursor.byte == UInt8(ascii: "[") { cursor.advance() }
                cursor.skipSpace()
                let fault = cursor.isAtName || cursor.byte == UInt8(ascii: "]") ? nil : "a section's name is missing"
                section = cursor.path()
                statements.append(
                    TOMLStatementScanner(lines: number...number, isHeader: true, path: section, fault: fault))
            default:
                var statement = TOMLStatementScanner(
                    lines: number...number, isHeader: false, path: section + cursor.path())
                var value = ValueScan()
                value.read(cursor.rest)
                while value.isOpen, number + 1 < lines.count {
                    number += 1
                    value.read(lines[number][...])
                }
                statement.lines = statement.lines.lowerBound...number
                statement.isClosed = !value.isOpen
                statement.fault = value.fault
                statements.append(statement)
            }
            number += 1
        }
        return statements
    }

    private struct Cursor {
        private(set) var rest: ArraySlice<UInt8>
        var byte: UInt8? { rest.first }
        var isAtName: Bool {
            byte.map { Self.isBare($0) || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") } ?? false
        }

        init(_ line: [UInt8]) { rest = line[...] }

        mutating func advance() { rest = rest.dropFirst() }

        mutating func skipSpace() { rest = rest.drop { $0 == 0x20 || $0 == 0x09 } }

        /// Reads a dotted key. Returns its parts, or an empty array if there is no key.
        mutating func path() -> [String] {
            var parts: [String] = []
            while true {
                skipSpace()
                guard let part = part() else { return parts }
                parts.append(part)
                skipSpace()
                guard byte == UInt8(ascii: ".") else { return parts }
                advance()
            }
        }

        private mutating func part() -> String? {
            var bytes: [UInt8] = []
            if let quote = byte, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
                advance()
                while let next = byte, next != quote {
                    if next == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") { advance() }
                    guard let next = byte else { break }
                    bytes.append(next)
                    advance()
                }
                advance()
                return String(decoding: bytes, as: UTF8.self)
            }
            while let next = byte, Self.isBare(next) {
                bytes.append(next)
                advance()
            }
            return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
        }

        private static func isBare(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
    }

    /// Tracks the open brackets and strings of a value across lines.
    private struct ValueScan {
        /// The open brackets, outermost first.
        private var open: [UInt8] = []
        private(set) var fault: String?
        /// The quotation mark of the open multi-line string; nil if none is open.
        private var longQuote: UInt8?

        var isOpen: Bool { !open.isEmpty || longQuote != nil }

        mutating func read(_ line: ArraySlice<UInt8>) {
            var index = line.startIndex
            while index < line.endIndex {
                let byte = line[index]
                if let quote = longQuote {
                    if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
                        index += 1
                    } else if Self.isTriple(quote, line, index) {
                        longQuote = nil
                        index += 2
                        // Up to two quotes right before the closing delimiter belong to the string.
                        for _ in 0..<2 where index + 1 < line.endIndex && line[index + 1] == quote { index += 1 }
                    }
                } else {
                    switch byte {
                    case UInt8(ascii: "#"): return
                    case UInt8(ascii: "["), UInt8(ascii: "{"): open.append(byte)
                    case UInt8(ascii: "]"), UInt8(ascii: "}"):
                        // In ASCII, each opening bracket is two below its closing bracket.
                        if let last = open.popLast(), last != byte - 2 { fault = "brackets do not match" }
                    case 0x80...: fault = "non-ASCII characters need quotes"
                    case UInt8(ascii: "\""), UInt8(ascii: "'"):
                        if Self.isTriple(byte, line, index) {
                            longQuote = byte
                            index += 2
                        } else {
                            index = Self.endOfString(byte, line, index + 1)
                        }
                    default: break
                    }
                }
                index += 1
            }
        }

        private static func isTriple(_ quote: UInt8, _ line: ArraySlice<UInt8>, _ index: Int) -> Bool {
            index + 2 < line.endIndex && line[index...].prefix(3).allSatisfy { $0 == quote }
        }

        /// Returns the index of the closing quote. If there is none, returns the end index of the line or a larger
        /// index.
        private static func endOfString(_ quote: UInt8, _ line: ArraySlice<UInt8>, _ start: Int) -> Int {
            var index = start
            while index < line.endIndex, line[index] != quote {
                index += line[index] == UInt8(ascii: "\\") && quote == UInt8(ascii: "\"") ? 2 : 1
            }
            return index
        }
    }
}
