import Animation
public import Geometry
public import Layers
public import Time

/// A panel of items to pick from, which opens beside what it belongs to, above everything else.
///
/// Main thread; time is told. Its layer catches the whole of the room that it may open in: put it above all that it is to
/// cover, in a layer that is no gesture's element, or ask `elements(at:)` before anything else. While it is open every
/// pointer event is its own: a press beside the panel closes it, and does nothing else. Closed, it costs nothing.
///
/// Only the rows in view have layers. It scrolls where it is higher than the room.
@MainActor public final class Menu {
    /// How many characters of a text are set.
    public nonisolated static let longestText = 200

    /// To be added above everything that it may cover; hidden while there is nothing to be seen.
    public let layer = Layer()
    /// How it looks.
    public let style: Style
    /// Whether it is there to be picked from; false as soon as it begins to close.
    public private(set) var isOpen = false
    /// An item was picked; where that closes the menu, it is closing already, and `onClose` comes next.
    public var onPick: (@MainActor (Item, HostTime) -> Void)?
    /// It closes: by a pick, a press beside it, Escape or `close`.
    public var onClose: (@MainActor (HostTime) -> Void)?

    let panel = Layer()
    let list: ListView
    private(set) var rows: [Row] = []
    private var hasSigns = false
    private var anchor = Rect.zero
    private(set) var isAbove = false
    /// Where the pointer was last; keys that move the selection are not undone by a pointer at rest.
    var pointer: Point?

    public init(style: Style = Style()) {
        self.style = style
        list = ListView(rowHeight: style.rowHeight)
        list.source = self
        list.insets = (style.padding, style.padding)
        layer.isHidden = true
        layer.add(panel)
        panel.content = .color(style.background)
        panel.cornerRadius = style.cornerRadius
        panel.shadow = style.shadow
        panel.opacity = 0
        panel.add(list.layer)
    }

    // MARK: - Opening and closing

    /// Opens beside `anchor`, or shows other entries there.
    ///
    /// - Parameters:
    ///   - anchor: what it belongs to, in points of the layer's parent.
    ///   - bounds: the room that it may take, and whose pointer events it catches; the window, as a rule.
    ///   - selectsFirst: whether the first item is ready to be picked by Enter: for a menu opened by a key.
    public func open(
        _ entries: [Entry], at anchor: Rect, in bounds: Rect, selectsFirst: Bool = false, now: HostTime
    ) {
        guard anchor.isFinite, bounds.isFinite else { return }
        pointer = nil
        layer.isHidden = false
        setHit(true)
        show(entries, keepsPlace: false)
        layout(at: anchor, in: bounds)
        list.jump(to: 0)
        if let checked = rows.firstIndex(where: { $0.pickable?.isChecked == true }) {
            list.jump(toShow: checked)
            if selectsFirst { list.setSelection(checked) }
        } else if selectsFirst {
            moveSelection(to: 0, by: 1, now: now)
        }
        guard !isOpen else { return }
        isOpen = true
        let time = LocalTime(now)
        // From where it is seen, where it had not quite closed.
        if panel.animatedOpacity.presentation(at: time) == 0 {
            panel.animatedTranslation.removeAnimations()
            panel.translation = closedTranslation
        }
        panel.animatedOpacity.animate(to: 1, now: time, duration: style.duration, curve: .easeOut)
        panel.animatedTranslation.animate(to: .zero, now: time, duration: style.duration, curve: .easeOut)
    }

    /// Closes; nothing where it is not open.
    public func close(now: HostTime) {
        guard isOpen else { return }
        beginClosing(now: now)
        onClose?(now)
    }

    private func beginClosing(now: HostTime) {
        isOpen = false
        list.press(nil)
        list.stopScrolling(now: now)
        setHit(false)
        let time = LocalTime(now)
        panel.animatedTranslation.animate(to: closedTranslation, now: time, duration: style.duration, curve: .easeIn)
        panel.animatedOpacity.animate(to: 0, now: time, duration: style.duration, curve: .easeIn) {
            [weak self] isOver in
            if let self, isOver, !isOpen { layer.isHidden = true }
        }
    }

    private var closedTranslation: Point { Point(x: 0, y: isAbove ? style.travel : -style.travel) }

    /// What is on its way out takes nothing any more.
    private func setHit(_ isHit: Bool) {
        layer.owner = isHit ? self : nil
        list.layer.owner = isHit ? list : nil
        layer.isHitTestable = isHit
        panel.isHitTestable = isHit
    }

    // MARK: - Content

    /// Shows other entries in the same place: another page of it, or what has changed on this one.
    ///
    /// A press under way is void.
    /// - Parameter keepsPlace: whether it stays scrolled to where it is, with the selection on the item that it was on, as
    ///   far as there still is one; else it begins at the top.
    public func setEntries(_ entries: [Entry], keepsPlace: Bool = false, now: HostTime) {
        let hadSelection = list.selection != nil
        show(entries, keepsPlace: keepsPlace)
        layout(at: anchor, in: layer.frame)
        guard !keepsPlace else { return }
        list.jump(to: 0)
        // A page that was opened by a key goes on by key.
        if hadSelection, pointer == nil { moveSelection(to: 0, by: 1, now: now) }
    }

    private func show(_ entries: [Entry], keepsPlace: Bool) {
        let selected = keepsPlace ? list.selection.flatMap { row($0)?.pickable?.id } : nil
        rows = Row.rows(of: entries)
        hasSigns = rows.contains { row in
            if case .item(let item) = row.kind {
                item.isChecked || item.icon != nil || item.effect == .goesBack
            } else {
                false
            }
        }
        list.setSelection(nil)
        list.setHovered(nil)
        list.reload()
        if let selected { list.setSelection(rows.firstIndex { $0.pickable?.id == selected }) }
    }

    func row(_ index: Int) -> Row? { rows.indices.contains(index) ? rows[index] : nil }

    static func shortened(_ text: String) -> String {
        text.utf8.count <= longestText ? text : String(text.prefix(longestText))
    }

    // MARK: - Layout and time

    /// What it belongs to has moved, or the room is another: it goes along at once.
    public func layout(at anchor: Rect, in bounds: Rect) {
        guard anchor.isFinite, bounds.isFinite else { return }
        self.anchor = anchor
        layer.frame = bounds
        let height = Double(rows.count) * list.heights.usual + 2 * style.padding
        let placement = MenuPlacement(
            anchor: anchor, bounds: bounds, size: Size(width: style.width, height: height), gap: style.gap,
            margin: style.margin)
        isAbove = placement.isAbove
        panel.frame = Rect(
            x: placement.frame.minX - bounds.minX, y: placement.frame.minY - bounds.minY,
            width: placement.frame.size.width, height: placement.frame.size.height)
        list.layout(Rect(origin: .zero, size: panel.frame.size))
    }

    /// Whether something of it moves.
    public var isAnimating: Bool {
        panel.animatedOpacity.isMoving || panel.animatedTranslation.isMoving || (isOpen && list.isAnimating)
    }

    /// When it wants to be told the time again though nothing moves.
    public var nextWake: HostTime? { isOpen ? list.nextWake : nil }

    /// Moves to where it is at `now`. True where something is to be drawn anew.
    @discardableResult public func advance(to now: HostTime) -> Bool {
        guard !layer.isHidden else { return false }
        let wasMoving = isAnimating
        panel.advance(to: LocalTime(now))
        return list.advance(to: now) || wasMoving
    }
}

extension Menu: ListSource {
    public var rowCount: Int { rows.count }
    public func makeRow() -> ListRow { MenuRow(style: style) }

    public func configure(_ row: ListRow, at index: Int) {
        guard let shown = self.row(index) else { return }
        (row as? MenuRow)?.show(shown, hasSigns: hasSigns)
    }

    /// Picks what is at `index`; nothing where that is a title, or disabled.
    public func activate(_ index: Int, now: HostTime) {
        guard isOpen, let item = row(index)?.pickable else { return }
        let closes = item.effect == .closes
        if closes { beginClosing(now: now) }
        onPick?(item, now)
        // Whoever was told may have opened it again.
        if closes, !isOpen { onClose?(now) }
    }
}
