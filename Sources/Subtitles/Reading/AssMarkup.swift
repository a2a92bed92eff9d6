/// The text of an Advanced SubStation Alpha event, with its override tags.
struct AssMarkup {
    private let text: Substring

    init(_ text: Substring) { self.text = text }

    /// The text without tags and drawings. `\N` and `\n` become line feeds, and `\h` becomes a space. White space at
    /// the start and end of each line is dropped, and so are empty lines.
    var plain: String {
        var plain = String.UnicodeScalarView()
        var isDrawing = false
        forEachPiece { piece in
            switch piece {
            case .tags(let tags): isDrawing = Self.drawing(in: tags) ?? isDrawing
            case .sign(let sign): if !isDrawing { plain.append(sign) }
            }
        }
        return String(plain).split(separator: "\n", omittingEmptySubsequences: true)
            .map { $0.trimming { $0.isWhitespace } }.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// Whether a tag makes the text move, fade or change. Such tags are `\move`, `\fad`, `\fade` and `\t`, and the
    /// karaoke tags that start with `\k` or `\K`.
    var isAnimated: Bool {
        var isAnimated = false
        forEachPiece { piece in
            guard case .tags(let tags) = piece, !isAnimated else { return }
            isAnimated = tags.split(separator: "\\", omittingEmptySubsequences: false).dropFirst().contains { tag in
                tag.hasPrefix("move") || tag.hasPrefix("fad") || tag.hasPrefix("t(") || tag.hasPrefix("t ")
                    || tag.hasPrefix("k") || tag.hasPrefix("K")
            }
        }
        return isAnimated
    }

    private enum Piece {
        case tags(Substring)
        case sign(Unicode.Scalar)
    }

    private func forEachPiece(_ body: (Piece) -> Void) {
        var rest = text
        var mayClose = true
        while let sign = rest.unicodeScalars.first {
            // An unclosed brace is an ordinary character.
            if sign == "{", mayClose {
                if let end = rest.utf8.firstIndex(of: UInt8(ascii: "}")) {
                    body(.tags(rest[rest.utf8.index(after: rest.startIndex)..<end]))
                    rest = rest[rest.utf8.index(after: end)...]
                    continue
                }
                mayClose = false
            }
            rest.unicodeScalars.removeFirst()
            guard sign == "\\", let next = rest.unicodeScalars.first else {
                body(.sign(sign))
                continue
            }
            switch next {
            case "N", "n": body(.sign("\n"))
            case "h": body(.sign(" "))
            case "{", "}": body(.sign(next))
            default:
                body(.sign(sign))
                continue
            }
            rest.unicodeScalars.removeFirst()
        }
    }

    /// Whether the last `\p` tag in `tags` turns drawing on; nil if there is no such tag.
    private static func drawing(in tags: Substring) -> Bool? {
        var answer: Bool?
        for tag in tags.split(separator: "\\", omittingEmptySubsequences: false).dropFirst() where tag.hasPrefix("p") {
            if let scale = Int(tag.dropFirst().prefix { $0.isNumber }) { answer = scale > 0 }
        }
        return answer
    }
}

extension Substring {
    fileprivate func trimming(_ isLeftOut: (Character) -> Bool) -> Substring {
        var rest = drop(while: isLeftOut)
        while let last = rest.last, isLeftOut(last) { rest.removeLast() }
        return rest
    }
}
