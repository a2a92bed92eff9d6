public import Motion

/// Text to be set and drawn: what it says and how it is to look. A value; whoever draws keeps what it has made of it.
public struct TextContent: Hashable, Sendable {
    public enum Alignment: Hashable, Sendable { case leading, center, trailing }
    /// Where text that does not fit loses what is replaced by an ellipsis.
    public enum Truncation: Hashable, Sendable { case end, middle }

    /// In any script; line breaks are spaces where only one line is wanted.
    public var string: String
    public var style: TextStyle
    public var alignment: Alignment
    /// At most so many lines; words are wrapped where it is more than one.
    public var lineLimit: Int
    public var truncation: Truncation

    public init(
        _ string: String, style: TextStyle, alignment: Alignment = .leading, lineLimit: Int = 1,
        truncation: Truncation = .end
    ) {
        self.string = string
        self.style = style
        self.alignment = alignment
        self.lineLimit = lineLimit
        self.truncation = truncation
    }
}

/// How text looks.
public struct TextStyle: Hashable, Sendable {
    public enum Weight: Hashable, Sendable { case regular, medium, semibold, bold }

    /// The font's size, in points.
    public var size: Double
    public var weight: Weight
    public var color: Color
    /// Whether all digits are equally wide, so that times do not jitter.
    public var hasTabularDigits: Bool

    public init(size: Double, weight: Weight = .regular, color: Color, hasTabularDigits: Bool = false) {
        self.size = size
        self.weight = weight
        self.color = color
        self.hasTabularDigits = hasTabularDigits
    }
}
