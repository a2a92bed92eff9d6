import GlissadeControls
import GlissadeGeometry
import GlissadeGestures
import GlissadeInput
import GlissadeLayers
import GlissadeLibrary
import GlissadeNavigation
import GlissadeTime

/// A page of labeled values in sections: the details of a file, or the list of keys. Main thread.
@MainActor final class InfoPage: Page, ProgramPage {
    let list = ListView(rowHeight: Theme.detailRowHeight)
    let toast = Toast(style: Theme.toast)
    private var rows: [InfoRow.Content] = []

    init(title: String, back: @escaping @MainActor () -> Void) {
        super.init()
        layer.content = .color(Theme.background)
        layer.owner = self
        layer.add(list.layer)
        layer.add(toast.layer)
        list.source = self
        scrollContainers = [list]
        bar = NavigationBar(
            title: title, background: Theme.raised, height: Theme.barHeight,
            leadingItems: [Button(.back, style: Theme.barButton, action: back)])
    }

    func show(_ sections: [MediaDetails.Section]) {
        rows = sections.flatMap { section in
            [.gap, .title(section.title)] + section.lines.map { .line($0.label, $0.value) }
        }
        list.reload()
    }

    override func layout(size: Size, insets: PageInsets) {
        list.insets = (insets.top, insets.bottom + Theme.margin)
        list.layout(Rect(origin: .zero, size: size))
        toast.layout(
            top: Point(x: size.width / 2, y: insets.top + 20), maxWidth: max(0, size.width - 2 * Theme.margin))
    }

    func advance(to now: HostTime, isMoving: Bool) -> Bool {
        let hasListChanged = list.advance(to: now)
        return toast.advance(to: now) || hasListChanged
    }

    var isAnimating: Bool { list.isAnimating || toast.isAnimating }
    var nextWake: HostTime? { .earliest(list.nextWake, toast.nextWake) }

    var keyContexts: [KeyContext] { [.list] }

    func moveInList(_ move: Command.ListMove, now: HostTime) {
        let step = Theme.detailRowHeight * 3
        let page = list.scroll.viewportLength * 0.9
        switch move {
        case .up: list.scroll(by: -step, now: now)
        case .down: list.scroll(by: step, now: now)
        case .pageUp: list.scroll(by: -page, now: now)
        case .pageDown: list.scroll(by: page, now: now)
        case .start: list.scroll(by: -list.scroll.contentLength, now: now)
        case .end: list.scroll(by: list.scroll.contentLength, now: now)
        }
    }
}

extension InfoPage: ListSource {
    var rowCount: Int { rows.count }
    func makeRow() -> ListRow { InfoRow() }
    func configure(_ row: ListRow, at index: Int) { (row as? InfoRow)?.show(rows[index]) }
    func activate(_ index: Int, now: HostTime) {}
}

extension InfoPage: @MainActor GestureTarget {
    var recognizers: [GestureRecognizer] { [] }
}

/// A row of an `InfoPage`: the title of a section, a label with its value, or a gap.
@MainActor final class InfoRow: ListRow {
    enum Content: Hashable {
        case gap
        case title(String)
        case line(String, String)
    }

    private let label = Layer()
    private let value = Layer()

    override init() {
        super.init()
        for part in [label, value] {
            part.isHitTestable = false
            layer.add(part)
        }
    }

    func show(_ content: Content) {
        switch content {
        case .gap:
            label.content = .none
            value.content = .none
        case .title(let text):
            label.content = .text(TextContent(text.uppercased(), style: Theme.sectionTitle))
            value.content = .none
        case .line(let name, let text):
            label.content = .text(TextContent(name, style: Theme.detailLabel))
            value.content = .text(TextContent(text, style: Theme.detailValue, truncation: .middle))
        }
    }

    override func layout(size: Size) {
        let width = min(size.width, Theme.readableWidth)
        let left = (size.width - width) / 2 + Theme.margin
        let labelWidth = min(180, width * 0.32)
        label.frame = Rect(x: left, y: 0, width: labelWidth, height: size.height)
        let start = left + labelWidth + Theme.margin
        let end = (size.width + width) / 2 - Theme.margin
        value.frame = Rect(x: start, y: 0, width: max(0, end - start), height: size.height)
    }
}
