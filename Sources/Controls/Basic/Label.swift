public import GlissadeGeometry
public import GlissadeLayers

/// A label that shows one or more lines of text.
///
/// The text is rasterized only when the text or style changes. Use a style with tabular digits for times. Main thread.
@MainActor public final class Label {
    /// The maximum number of characters shown.
    public nonisolated static let longestText = 1000

    /// The label's layer; `layout` sets its frame.
    public let layer = Layer()
    /// The text. Only the first `longestText` characters are shown.
    public var text: String { didSet { if text != oldValue { show() } } }
    /// The size, weight and color of the text.
    public var style: TextStyle { didSet { if style != oldValue { show() } } }
    /// The horizontal alignment of the lines.
    public let alignment: TextContent.Alignment
    /// Where text that does not fit is truncated.
    public let truncation: TextContent.Truncation
    /// The maximum number of lines.
    public let lineLimit: Int

    /// Creates a label. Hit testing ignores the label's layer.
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

    /// Places the label in `frame`, in its parent's coordinates. The text is centered vertically.
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
