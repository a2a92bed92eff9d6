public import Geometry
public import Layers

/// A line of text, or a few, that changes now and then.
///
/// Main thread. What it shows is touched only where it says something else: what is told the time sixty times a second
/// is set once a second. For times take a style with tabular digits, so that they stand still.
@MainActor public final class Label {
    /// How many characters of a text are set; no label has room for more.
    public nonisolated static let longestText = 1000

    public let layer = Layer()
    public var text: String { didSet { if text != oldValue { show() } } }
    public var style: TextStyle { didSet { if style != oldValue { show() } } }
    public let alignment: TextContent.Alignment
    public let truncation: TextContent.Truncation
    public let lineLimit: Int

    /// It takes no hits: what it names does.
    public init(
        _ text: String = "", style: TextStyle, alignment: TextContent.Alignment = .leading, lineLimit: Int = 1,
        truncation: TextContent.Truncation = .end
    ) {
        self.text = text
        self.style = style
        self.alignment = alignment
        self.lineLimit = lineLimit
        self.truncation = truncation
        layer.isHitTestable = false
        show()
    }

    /// Puts it in `frame`, in points of its parent; centred from top to bottom.
    public func layout(_ frame: Rect) {
        if layer.frame != frame { layer.frame = frame }
    }

    private func show() {
        guard !text.isEmpty else { return layer.content = .none }
        let shown = text.utf8.count <= Self.longestText ? text : String(text.prefix(Self.longestText))
        layer.content = .text(
            TextContent(shown, style: style, alignment: alignment, lineLimit: lineLimit, truncation: truncation))
    }
}
