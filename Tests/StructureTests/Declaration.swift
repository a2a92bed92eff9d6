/// A declaration as it stands in a source file, found by looking at lines alone.
///
/// That suffices because `swift format` fixes their form: a declaration begins a line, after attributes and modifiers
/// that are separated by single spaces, and members are indented further than their type.
struct Declaration: Sendable {
    var keyword: String
    /// Without parameters; `init` and `subscript` are called so.
    var name: String
    var modifiers: Set<String>
    /// The names of an initializer's parameters inside of it.
    var parameters: [String] = []
    /// The superclass and protocols that it names.
    var inherited: [String] = []
    /// The types that it is nested in, the innermost last.
    var owners: [Owner] = []
    var hasComment: Bool
    /// Counted from 1.
    var line: Int

    /// A type, protocol or extension that contains a declaration.
    struct Owner: Sendable {
        var keyword: String
        var name: String
        var isPublic: Bool
        fileprivate var indentation: Int
    }

    var isPublic: Bool { modifiers.contains("public") || modifiers.contains("open") }
    var isType: Bool { Self.typeKeywords.contains(keyword) }

    private static let typeKeywords: Set = ["struct", "class", "enum", "protocol", "actor", "extension"]
    private static let keywords = typeKeywords.union(["var", "let", "func", "typealias", "associatedtype"])
    private static let modifiers: Set = [
        "public", "open", "package", "internal", "fileprivate", "private", "final", "static", "class", "mutating",
        "nonmutating", "override", "convenience", "required", "indirect", "nonisolated", "isolated", "unowned", "weak",
        "lazy",
    ]

    /// The declarations of types and of their members in a file of Swift, without locals.
    static func all(in lines: [Substring]) -> [Declaration] {
        var found: [Declaration] = []
        var owners: [Owner] = []
        for (index, line) in lines.enumerated() {
            let text = line.drop { $0 == " " }
            guard let first = text.first, first == "@" || first.isLowercase || first == "}" else { continue }
            let indentation = line.utf8.count - text.utf8.count
            while let last = owners.last, indentation <= last.indentation { owners.removeLast() }
            guard indentation == (owners.last?.indentation ?? -4) + 4,
                var declaration = Declaration(text, line: index + 1)
            else { continue }
            declaration.owners = owners
            declaration.hasComment = hasComment(above: index, in: lines)
            if declaration.isType {
                declaration.inherited = inherited(wholeText(from: index, in: lines) { $0.contains("{") })
                owners.append(
                    Owner(
                        keyword: declaration.keyword, name: declaration.name, isPublic: declaration.isPublic,
                        indentation: indentation))
            } else if declaration.keyword == "init" {
                declaration.parameters = parameters(wholeText(from: index, in: lines) { isBalanced($0) })
            }
            found.append(declaration)
        }
        return found
    }

    /// Nil for a line that begins no declaration.
    private init?(_ text: Substring, line: Int) {
        var words = text.split(separator: " ")[...]
        var modifiers: Set<String> = []
        while let word = words.first {
            let letters = String(word.prefix { $0.isLetter })
            // `class` is a keyword too.
            let isModifier =
                Self.modifiers.contains(letters)
                && (letters != "class" || words.dropFirst().first.map { ["func", "var"].contains($0) } == true)
            guard word.hasPrefix("@") || isModifier else { break }
            // With what it is restricted to: `private(set)` says nothing of who may read.
            if isModifier { modifiers.insert(String(word)) }
            words.removeFirst()
        }
        guard let word = words.popFirst() else { return nil }
        keyword = String(word.prefix { $0.isLetter })
        self.modifiers = modifiers
        self.line = line
        hasComment = false
        if ["init", "subscript"].contains(keyword) {
            name = keyword
        } else {
            guard keyword == word, Self.keywords.contains(keyword), let next = words.first else { return nil }
            let isOperator = next.first.map { !$0.isLetter && $0 != "_" && $0 != "`" } ?? false
            let whole = isOperator ? next : next.prefix { !":(<,".contains($0) }
            // Of an extended type, the innermost name.
            name = String(whole.split(separator: ".").last ?? whole)
        }
    }

    /// Whether a documentation comment ends above a line; attributes and other comments may be between.
    private static func hasComment(above index: Int, in lines: [Substring]) -> Bool {
        for line in lines[..<index].reversed() {
            let text = line.drop { $0 == " " }
            if text.hasPrefix("///") { return true }
            let isAttribute = text.hasPrefix("@") && Declaration(text, line: 0) == nil
            if !isAttribute && !text.hasPrefix("//") { return false }
        }
        return false
    }

    /// The text of a declaration that may go over several lines.
    private static func wholeText(from index: Int, in lines: [Substring], until isWhole: (String) -> Bool) -> String {
        var text = ""
        for line in lines[index...].prefix(20) {
            text += line
            if isWhole(text) { break }
        }
        return text
    }

    private static func isBalanced(_ text: String) -> Bool {
        var depth = 0
        for character in text.utf8 {
            if character == UInt8(ascii: "(") { depth += 1 }
            if character == UInt8(ascii: ")") { depth -= 1 }
        }
        return depth == 0
    }

    private static func inherited(_ text: String) -> [String] {
        let head = text.prefix { $0 != "{" }
        guard
            let colon = head.lastIndex(of: ">").flatMap({ head[$0...].firstIndex(of: ":") }) ?? head.firstIndex(of: ":")
        else { return [] }
        return head[head.index(after: colon)...].split(separator: ",").compactMap { part in
            // An isolated conformance has an attribute: `@MainActor GestureTarget`.
            let name = part.split(separator: " ").first { !$0.hasPrefix("@") }
            return name?.prefix { $0 != "<" }.split(separator: ".").last.map(String.init)
        }
    }

    /// The last word before each parameter's colon.
    private static func parameters(_ text: String) -> [String] {
        var (depth, names, part) = (0, [String](), "")
        for character in text.drop(while: { $0 != "(" }) {
            if "([".contains(character) { depth += 1 }
            if ")]".contains(character) { depth -= 1 }
            if depth == 0 || depth == 1 && character == "," {
                if let name = part.split(separator: ":").first?.split(separator: " ").last {
                    names.append(String(name))
                }
                part = ""
                if depth == 0 { break }
            } else if depth > 1 || character != "(" {
                part.append(character)
            }
        }
        return names
    }
}
