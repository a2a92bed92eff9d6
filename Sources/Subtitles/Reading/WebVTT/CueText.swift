extension WebVTT {
    /// The colors of a file's style blocks, and its regions.
    struct Style {
        /// The color of all text, as a tag of SubStation Alpha; nil for the built-in style's.
        fileprivate(set) var color: String?
        /// Colors by the selector of a part of a cue: `.class`, or an element such as `b`.
        fileprivate(set) var colors: [Substring: String] = Self.ofClasses
        private(set) var regions: [Substring: CueSettings.Region] = [:]

        private static let mostEntries = 1000

        /// The classes that have a color without any style (section 5.1 of the standard).
        private static let ofClasses: [Substring: String] = Dictionary(
            uniqueKeysWithValues: ["white", "lime", "cyan", "red", "yellow", "magenta", "blue", "black"].compactMap {
                name in
                Self.color(name).map { (Substring("." + name), $0) }
            })

        /// Adds the colors of a style sheet.
        mutating func addColors(_ sheet: String) {
            for rule in Self.withoutComments(sheet).split(separator: "}") {
                guard let brace = rule.firstIndex(of: "{"), colors.count < Self.mostEntries else { continue }
                let declarations = rule[rule.index(after: brace)...].split(separator: ";")
                let values = declarations.compactMap { declaration -> String? in
                    guard let colon = declaration.firstIndex(of: ":"),
                        declaration[..<colon].filter({ !$0.isWhitespace }).lowercased() == "color"
                    else { return nil }
                    return Self.color(
                        declaration[declaration.index(after: colon)...].filter { !$0.isWhitespace }.lowercased())
                }
                guard let value = values.last else { continue }
                for selector in rule[..<brace].split(separator: ",") {
                    let selector = selector.filter { !$0.isWhitespace }
                    guard selector.hasPrefix("::cue") else { continue }
                    let part = selector.dropFirst(5)
                    if part.isEmpty {
                        color = value
                    } else if part.hasPrefix("("), part.hasSuffix(")") {
                        // `c.class` is the same as `.class`.
                        let inner = part.dropFirst().dropLast()
                        colors[inner.hasPrefix("c.") ? inner.dropFirst() : inner] = value
                    }
                }
            }
        }

        private static func withoutComments(_ sheet: String) -> String {
            let parts = sheet.split(separator: "/*", omittingEmptySubsequences: false)
            return parts.dropFirst().reduce(into: String(parts.first ?? "")) { rest, part in
                if let end = part.firstRange(of: "*/") { rest += " " + part[end.upperBound...] }
            }
        }

        mutating func addRegion(_ text: String) {
            var region = CueSettings.Region()
            var name: Substring?
            for word in text.split(whereSeparator: \.isWhitespace) {
                guard let colon = word.firstIndex(of: ":") else { continue }
                let value = word[word.index(after: colon)...]
                let pair = value.split(separator: ",").compactMap { CueSettings.percentage($0) }
                switch word[..<colon] {
                case "id": name = value
                case "width": region.width = CueSettings.percentage(value) ?? region.width
                case "lines": region.lineCount = Int(value).map { min(100, max(0, $0)) } ?? region.lineCount
                case "regionanchor": if pair.count == 2 { region.anchor = (pair[0], pair[1]) }
                case "viewportanchor": if pair.count == 2 { region.viewportAnchor = (pair[0], pair[1]) }
                default: break
                }
            }
            if let name, regions.count < Self.mostEntries { regions[name] = region }
        }

        /// Returns the tag for a color of CSS: a name, `#rgb`, `#rrggbb` or `rgb(…)`; nil for any other.
        static func color(_ text: String) -> String? {
            var digits = names[text] ?? (text.hasPrefix("#") ? String(text.dropFirst()) : "")
            if digits.count == 3 || digits.count == 4 { digits = digits.prefix(3).map { "\($0)\($0)" }.joined() }
            if text.hasPrefix("rgb"), let open = text.firstIndex(of: "(") {
                let parts = text[text.index(after: open)...].dropLast().split(separator: ",").prefix(3).compactMap {
                    UInt8($0)
                }
                guard parts.count == 3 else { return nil }
                digits = parts.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            }
            guard digits.count >= 6, let value = UInt32(digits.prefix(6), radix: 16) else { return nil }
            let (red, green, blue) = (value >> 16, value >> 8 & 0xFF, value & 0xFF)
            return "\\c&H\(String(blue << 16 | green << 8 | red, radix: 16, uppercase: true))&"
        }

        private static let names = [
            "white": "ffffff", "lime": "00ff00", "cyan": "00ffff", "aqua": "00ffff", "red": "ff0000",
            "yellow": "ffff00",
            "magenta": "ff00ff", "fuchsia": "ff00ff", "blue": "0000ff", "black": "000000", "green": "008000",
            "gray": "808080", "silver": "c0c0c0", "maroon": "800000", "olive": "808000", "navy": "000080",
            "purple": "800080", "teal": "008080", "orange": "ffa500",
        ]
    }
}

/// Converts the text of a cue (section 4.2.2 of the standard) into that of SubStation Alpha.
struct CueText {
    private let style: WebVTT.Style

    init(_ style: WebVTT.Style) { self.style = style }

    /// Returns the text without tags that are not known, with `\N` for line feeds; empty if nothing of it is seen.
    func ass(_ text: String) -> String {
        var ass = ""
        var isSeen = false
        var colors = [style.color]
        var open: [(name: Substring, hasColor: Bool)] = []
        // By scalars: a combining character does not make another one of a sign before it.
        var rest = text.unicodeScalars[...]
        var mayClose = true
        while let sign = rest.first {
            // An unclosed tag is ordinary text. Looking for its end again and again would take long.
            let close = sign == "<" && mayClose ? rest.firstIndex(of: ">") : nil
            if sign == "<", close == nil { mayClose = false }
            if let end = close {
                let tag = Substring(rest[rest.index(after: rest.startIndex)..<end])
                rest = rest[rest.index(after: end)...]
                if tag.hasPrefix("/") {
                    // Only the last tag that is open can be closed. Others are left alone.
                    guard let last = open.last, last.name == tag.dropFirst() else { continue }
                    open.removeLast()
                    if Self.plainTags.contains(last.name) { ass += "{\\\(last.name)0}" }
                    if last.hasColor {
                        colors.removeLast()
                        ass += "{\(colors.last.flatMap { $0 } ?? "\\c")}"
                    }
                } else {
                    let words = tag.prefix { !$0.isWhitespace }.split(separator: ".", omittingEmptySubsequences: false)
                    guard let name = words.first, Self.knownTags.contains(name) else { continue }
                    let color =
                        words.dropFirst().reversed().lazy.compactMap { style.colors["." + $0] }.first
                        ?? style.colors[name]
                    open.append((name, color != nil))
                    if Self.plainTags.contains(name) { ass += "{\\\(name)1}" }
                    if let color {
                        colors.append(color)
                        ass += "{\(color)}"
                    }
                }
                continue
            }
            if sign == "&", let (character, length) = Self.reference(rest) {
                Self.append(character, to: &ass)
                isSeen = true
                rest = rest.dropFirst(length)
                continue
            }
            rest.removeFirst()
            isSeen = isSeen || !sign.properties.isWhitespace
            Self.append(sign, to: &ass)
        }
        while ass.hasSuffix("\\N") { ass.removeLast(2) }
        return isSeen ? (style.color.map { "{\($0)}" } ?? "") + ass : ""
    }

    private static let plainTags: Set<Substring> = ["b", "i", "u"]
    /// All others are left out, also those with a time, from which on karaoke shows what follows.
    private static let knownTags: Set<Substring> = ["b", "c", "i", "lang", "rt", "ruby", "u", "v"]

    /// Appends a character of the text as it must be written in SubStation Alpha.
    static func append(_ sign: Unicode.Scalar, to ass: inout String) {
        switch sign {
        case "\n": ass += "\\N"
        case "{": ass += "\\{"
        // Otherwise it would be part of a tag of SubStation Alpha. The word joiner has no width.
        case "\\": ass += "\\\u{2060}"
        default: ass.unicodeScalars.append(sign)
        }
    }

    /// Returns the character of the reference at the start of `text`, and the reference's length; nil if it is none.
    private static func reference(_ text: Substring.UnicodeScalarView) -> (Unicode.Scalar, Int)? {
        guard let end = text.prefix(12).firstIndex(of: ";") else { return nil }
        let name = text[text.index(after: text.startIndex)..<end]
        let length = name.count + 2
        if let character = references[Substring(name)] { return (character, length) }
        guard name.first == "#" else { return nil }
        let digits = Substring(name.dropFirst())
        let isHexadecimal = digits.first == "x" || digits.first == "X"
        let value = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        guard let value, value >= 0x20, let scalar = Unicode.Scalar(value) else { return nil }
        return (scalar, length)
    }

    private static let references: [Substring: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}", "lrm": "\u{200E}",
        "rlm": "\u{200F}",
    ]
}
