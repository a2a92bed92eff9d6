public import Geometry
public import Layers

/// One or more lines of text that occasionally change.
///
/// Its layer changes only when the text does: a time that is set sixty times a second is rasterized once a second. Use
/// a style with tabular digits for times. Main thread.
@MainActor public final class Label {
    /// The longest text, in characters; no label has space for more.
    public nonisolated static let longestText = 1000

    /// The layer that shows the text; `layout` sets its frame.
    public let layer = Layer()
    /// The text; an empty one is not drawn. Shortened to `longestText`.
    public var text: String { didSet { if text != oldValue { show() } } }
    /// Size, weight and color of the text.
    public var style: TextStyle { didSet { if style != oldValue { show() } } }
    /// Where lines shorter than the frame are placed.
    public let alignment: TextContent.Alignment
    /// Where text that does not fit is shortened.
    public let truncation: TextContent.Truncation
    /// The largest number of lines.
    public let lineLimit: Int

    /// It takes no hits; the element that it labels does.
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

    /// Places it in `frame`, in points of its parent, vertically centered.
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
