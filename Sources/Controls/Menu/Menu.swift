import Animation
public import Geometry
public import Layers
public import Time

/// A panel of items to pick from, which opens beside its anchor, above everything else.
///
/// Its layer covers the whole area in which it may open. Add it above everything that it may cover, in a layer that is
/// not a gesture target, or call `elements(at:)` first. While open, it takes all pointer events: a press outside of the
/// panel only closes it. Closed, it costs nothing. Only visible rows have layers. It scrolls if it is taller than the
/// area.
///
/// Threads: main thread. Pure: the time is passed in.
@MainActor public final class Menu {
    /// The longest text, in characters.
    public nonisolated static let longestText = 200

    /// Its layer, to be added above everything that it may cover; hidden while closed.
    public let layer = Layer()
    /// Its appearance.
    public let style: Style
    /// Whether it is open; false as soon as it begins to close.
    public private(set) var isOpen = false
    /// Called when an item was picked. If that closes the menu, it is already closing and `onClose` follows.
    public var onPick: (@MainActor (Item, HostTime) -> Void)?
    /// Called when it closes: after a pick, a press outside, Escape or `close`.
    public var onClose: (@MainActor (HostTime) -> Void)?

    let panel = Layer()
    let list: ListView
    private(set) var rows: [Row] = []
    private var hasSigns = false
    private var anchor = Rect.zero
    private(set) var isAbove = false
    /// The pointer's last position: a pointer at rest does not undo selection by keys.
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
    ///   - anchor: In points of the layer's parent.
    ///   - bounds: The area that it may use and whose pointer events it takes, usually the window.
    ///   - selectsFirst: Whether the first item is selected for Enter: for a menu opened by a key.
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
        // If it was still closing, it continues from its current appearance.
        if panel.animatedOpacity.presentation(at: time) == 0 {
            panel.animatedTranslation.removeAnimations()
            panel.translation = closedTranslation
        }
        panel.animatedOpacity.animate(to: 1, now: time, duration: style.duration, curve: .easeOut)
        panel.animatedTranslation.animate(to: .zero, now: time, duration: style.duration, curve: .easeOut)
    }

    /// Closes it; does nothing if it is not open.
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

    /// Sets whether the menu takes input; a closing menu does not.
    private func setHit(_ isHit: Bool) {
        layer.owner = isHit ? self : nil
        list.layer.owner = isHit ? list : nil
        layer.isHitTestable = isHit
        panel.isHitTestable = isHit
    }

    // MARK: - Content

    /// Shows other entries in the same place: another page, or updated items. Cancels a press.
    ///
    /// - Parameter keepsPlace: Whether to keep the scroll offset and the selected item, if it still exists; otherwise
    ///   starts at the top.
    public func setEntries(_ entries: [Entry], keepsPlace: Bool = false, now: HostTime) {
        let hadSelection = list.selection != nil
        show(entries, keepsPlace: keepsPlace)
        layout(at: anchor, in: layer.frame)
        guard !keepsPlace else { return }
        list.jump(to: 0)
        // If a page was opened by a key, the user continues with keys.
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

    /// Moves without an animation to an anchor or area that has changed.
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

    /// Whether something is animating.
    public var isAnimating: Bool {
        panel.animatedOpacity.isMoving || panel.animatedTranslation.isMoving || (isOpen && list.isAnimating)
    }

    /// When it must be advanced even if nothing is animating.
    public var nextWake: HostTime? { isOpen ? list.nextWake : nil }

    /// Advances to `now`. True if something must be redrawn.
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

    /// Picks the item at `index`; does nothing for titles and disabled items.
    public func activate(_ index: Int, now: HostTime) {
        guard isOpen, let item = row(index)?.pickable else { return }
        let closes = item.effect == .closes
        if closes { beginClosing(now: now) }
        onPick?(item, now)
        // The callback may have reopened it.
        if closes, !isOpen { onClose?(now) }
    }
}
