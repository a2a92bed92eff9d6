public import GlissadeGeometry

/// Text with its style and layout options. Renderers rasterize it and cache the result.
public struct TextContent: Hashable, Sendable {
    /// The horizontal placement of a line that is narrower than the box. `leading` is the left edge, even for
    /// right-to-left text.
    public enum Alignment: Hashable, Sendable { case leading, center, trailing }
    /// Where an ellipsis replaces characters if the text does not fit.
    public enum Truncation: Hashable, Sendable { case end, middle }

    /// The maximum length of the text, in bytes of UTF-8. Longer text is cut at its end or in its middle, depending on
    /// `truncation`. The limit bounds the cost of comparing and hashing text in every frame.
    public static let longestText = 8192

    /// The text, in any script. The first `lineLimit` - 1 line breaks are drawn as line breaks; all others become
    /// spaces.
    public let string: String
    /// The size, weight and color of the text.
    public var style: TextStyle
    /// The horizontal placement of lines that are narrower than the box.
    public var alignment: Alignment
    /// The maximum number of lines. If it exceeds 1, lines wrap between words, or inside a word that is too long for a
    /// line.
    public var lineLimit: Int
    /// Where an ellipsis replaces characters if the text does not fit.
    public var truncation: Truncation

    public init(
        _ string: String, style: TextStyle, alignment: Alignment = .leading, lineLimit: Int = 1,
        truncation: Truncation = .end
    ) {
        self.string = string.utf8.count <= Self.longestText ? string : Self.cut(string, truncation)
        self.style = style
        self.alignment = alignment
        self.lineLimit = lineLimit
        self.truncation = truncation
    }

    private static func cut(_ string: String, _ truncation: Truncation) -> String {
        let (utf8, scalars) = (string.utf8, string.unicodeScalars)
        func beginning(_ count: Int) -> Substring {
            // Does not cut inside a Unicode scalar.
            Substring(scalars[..<scalars.index(before: utf8.index(utf8.startIndex, offsetBy: count))])
        }
        switch truncation {
        case .end: return String(beginning(longestText))
        case .middle:
            let end = utf8.index(utf8.endIndex, offsetBy: -longestText / 2)
            return String(beginning(longestText / 2)) + String(scalars[scalars.index(after: end)...])
        }
    }
}

/// The style of text: size, weight, colors and the width of digits.
public struct TextStyle: Hashable, Sendable {
    /// The thickness of the strokes. The cases correspond to the CSS font weights 400, 500, 600 and 700.
    public enum Weight: Hashable, Sendable { case regular, medium, semibold, bold }

    /// The font size, in points.
    public var size: Double
    /// The thickness of the strokes.
    public var weight: Weight
    /// The color of the glyphs.
    public var color: Color
    /// Whether all digits have the same width, so that a displayed time does not shift as its digits change.
    public var hasTabularDigits: Bool
    /// The color of an outline around the glyphs, which keeps them readable over any video; nil for none.
    public var outline: Color?

    public init(
        size: Double, weight: Weight = .regular, color: Color, hasTabularDigits: Bool = false, outline: Color? = nil
    ) {
        self.size = size
        self.weight = weight
        self.color = color
        self.hasTabularDigits = hasTabularDigits
        self.outline = outline
    }

    /// The width of the outline outside of the glyphs, as a fraction of the font size.
    public static let outlineWidth = 0.07
}
