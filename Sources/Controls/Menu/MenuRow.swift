import GlissadeGeometry
import GlissadeLayers

/// The view of a menu row: a heading, or an item with icon, label and detail.
@MainActor final class MenuRow: ListRow {
    private static let signSide = 16.0
    private static let inset = 12.0

    private let style: Menu.Style
    private let highlight = Layer()
    private let line = Layer()
    private let sign = Layer()
    private let label = Layer()
    private let detail = Layer()
    private let lead = Layer()
    private var row: Menu.Row?
    /// Whether any item of the menu has an icon or check mark. If so, the labels of all items are indented.
    private var hasSigns = false
    /// The estimated width of the detail's text, in points.
    private var wantedDetail = 0.0
    private var size = Size.zero

    init(style: Menu.Style) {
        self.style = style
        super.init()
        for part in [highlight, line, sign, label, detail, lead] {
            part.isHitTestable = false
            layer.add(part)
        }
        line.content = .color(style.separator)
    }

    func show(_ row: Menu.Row, hasSigns: Bool) {
        self.row = row
        self.hasSigns = hasSigns
        line.isHidden = !row.hasLineAbove
        switch row.kind {
        case .title(let title):
            label.content = .text(TextContent(Menu.shortened(title), style: style.title))
            for part in [sign, detail, lead] { part.content = .none }
            wantedDetail = 0
            for part in [sign, label, detail, lead] { part.opacity = 1 }
        case .item(let item):
            let signIcon = item.isChecked ? .check : item.effect == .goesBack ? item.icon ?? .back : item.icon
            sign.content = signIcon.map { .icon($0, item.isChecked ? style.accent : style.label.color) } ?? .none
            label.content = .text(TextContent(Menu.shortened(item.label), style: style.label))
            let text = item.detail.map(Menu.shortened)
            wantedDetail = text.map(style.detail.roomyWidth) ?? 0
            detail.content =
                text.map { .text(TextContent($0, style: style.detail, alignment: .trailing)) } ?? .none
            lead.content = item.effect == .opensPage ? .icon(.chevronRight, style.detail.color) : .none
            for part in [sign, label, detail, lead] { part.opacity = item.isEnabled ? 1 : style.disabledOpacity }
        }
        place()
    }

    override func layout(size: Size) {
        self.size = size
        place()
    }

    private func place() {
        let inner = max(0, size.width - 2 * style.padding)
        highlight.frame = Rect(x: style.padding, y: 1, width: inner, height: max(0, size.height - 2))
        highlight.cornerRadius = max(0, min(style.cornerRadius - 4, size.height / 2))
        line.frame = Rect(x: 0, y: 0, width: size.width, height: 1)
        let side = min(Self.signSide, size.height)
        let top = ((size.height - side) / 2).rounded()
        var left = style.padding + Self.inset
        var right = size.width - style.padding - Self.inset
        sign.frame = Rect(x: left - 2, y: top, width: side, height: side)
        if hasSigns, row?.pickable != nil || row?.isItem == true { left += side + 8 }
        lead.frame = Rect(x: right - side + 4, y: top, width: side, height: side)
        if lead.content != .none { right -= side }
        let width = max(0, right - left)
        // The detail gets the width that it needs, up to 45 %. The label gets the rest.
        let detailWidth = min(wantedDetail, (width * 0.45).rounded())
        detail.frame = Rect(x: right - detailWidth, y: 0, width: detailWidth, height: size.height)
        let gap = detailWidth > 0 ? min(8, width - detailWidth) : 0
        label.frame = Rect(x: left, y: 0, width: max(0, width - detailWidth - gap), height: size.height)
    }

    /// Highlights the row if it is pressed or selected. The hovered state is ignored, because hovering selects the row.
    override func setState(_ state: State) {
        guard row?.pickable != nil else {
            highlight.content = .none
            return
        }
        highlight.content =
            state.contains(.pressed)
            ? .color(style.press) : state.contains(.selected) ? .color(style.highlight) : .none
    }
}

extension Menu.Row {
    fileprivate var isItem: Bool { if case .item = kind { true } else { false } }
}
