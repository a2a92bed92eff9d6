import GlissadeGeometry
import GlissadeLayers
import GlissadeNavigation
import GlissadeSubtitles
import GlissadeTime

/// The floating subtitle lines: the previous, the current and the next line.
///
/// Main thread.
@MainActor final class SubtitleLinesElement: FloatingElement {
    let layer = Layer(content: .gradient(Theme.stage))
    let title = "Subtitles"
    var aspect: Size? { nil }
    let preferredSize = Size(width: 560, height: 220)
    let redrawInterval: Duration? = nil
    var onNeedsDisplay: (@MainActor () -> Void)?

    /// The height of a row of text, as a multiple of the font size, in fonts with tall characters.
    private static let rowHeight = 1.4
    private let previous = Layer()
    private let current = Layer()
    private let next = Layer()
    private var lines = SubtitleLines()
    private var hint: String?
    private var size = Size.zero
    private let look: Look

    /// The font size and the colors.
    struct Look: Hashable {
        /// The font size as a multiple of the normal size.
        var scale = 1.0
        var color = Theme.text
        /// The color of the previous and the next line.
        var otherColor = Theme.secondaryText
    }

    init(look: Look = Look()) {
        self.look = look
        layer.isHitTestable = false
        for line in [previous, current, next] {
            line.isHitTestable = false
            layer.add(line)
        }
    }

    /// Shows `lines`, or `hint` if there are none. Returns whether either has changed.
    @discardableResult func show(_ lines: SubtitleLines, hint: String?) -> Bool {
        guard lines != self.lines || hint != self.hint else { return false }
        self.lines = lines
        self.hint = hint
        setTexts()
        setNeedsDisplay()
        return true
    }

    /// The lines that were last passed to `show`.
    var shown: SubtitleLines { lines }

    func layout(size: Size, scale: Double) {
        guard size != self.size else { return }
        self.size = size
        let margin = min(24, size.width * 0.06)
        let width = max(0, size.width - 2 * margin)
        // At most sizes, the current subtitle has half of the window: space for two or three rows. Large text gets
        // more.
        let large = min(max(size.height * 0.5, 2 * fontSize * Self.rowHeight), size.height * 0.8)
        let small = (size.height - large) / 2
        previous.frame = Rect(x: margin, y: 0, width: width, height: small.rounded())
        current.frame = Rect(x: margin, y: small.rounded(), width: width, height: large.rounded())
        next.frame = Rect(x: margin, y: (small + large).rounded(), width: width, height: small.rounded())
        setTexts()
    }

    /// The font size of the current subtitle, in points.
    private var fontSize: Double {
        max(10, (min(size.height * 0.15, size.width * 0.055) * look.scale).rounded())
    }

    private func setTexts() {
        let large = fontSize
        let small = max(9, (large * 0.62).rounded())
        let isEmpty = lines.previous == nil && lines.current == nil && lines.next == nil
        set(previous, lines.previous, small, .regular, look.otherColor)
        set(
            current, isEmpty ? hint : lines.current, isEmpty ? small : large, isEmpty ? .regular : .semibold,
            isEmpty ? look.otherColor : look.color)
        set(next, lines.next, small, .regular, look.otherColor)
    }

    /// Shows as many rows of `text` in `layer` as there is space for, but at most three. The current subtitle has at
    /// least one.
    private func set(_ layer: Layer, _ text: String?, _ size: Double, _ weight: TextStyle.Weight, _ color: Color) {
        let space = Int(min(layer.frame.size.height / (size * Self.rowHeight), 3))
        let limit = layer === current ? max(space, 1) : space
        layer.content =
            text.flatMap { limit > 0 ? $0 : nil }.map {
                .text(
                    TextContent(
                        $0, style: TextStyle(size: size, weight: weight, color: color), alignment: .center,
                        lineLimit: limit))
            } ?? .none
    }

    func advance(to now: HostTime) -> Bool { false }
    func nextWake(now: HostTime) -> HostTime? { nil }
}
