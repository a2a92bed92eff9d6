import GlissadeAnimation
public import GlissadeGeometry
public import GlissadeLayers
public import GlissadeTime

/// A panel of items for the user to pick from. It opens below or above an anchor element.
///
/// The menu's layer covers the whole area in which the panel may open. If an enclosing layer is a gesture target, call
/// `elements(at:now:)` before hit testing the layers. An open menu takes all pointer events. A press outside the panel
/// closes the menu and has no other effect. If the panel is not high enough for all items, they scroll.
///
/// Threads: main thread. Pure: the time is passed in.
@MainActor public final class Menu {
    /// The maximum length of a heading, label or detail, in characters. Longer texts are cut off.
    public nonisolated static let longestText = 200

    /// The menu's layer, which is hidden while the menu is closed. Add it above all layers that the menu may cover.
    public let layer = Layer()
    /// The menu's appearance, fixed at creation.
    public let style: Style
    /// Whether the menu is open. A closing menu is not open.
    public private(set) var isOpen = false
    /// Called when the user picks an item. If the item's effect is `closes`, `isOpen` is already false. In that case,
    /// `onClose` is called next, unless this closure reopens the menu.
    public var onPick: (@MainActor (Item, HostTime) -> Void)?
    /// Called when the menu begins to close: after a pick that closes it, a press outside the panel, Escape or
    /// `close`.
    public var onClose: (@MainActor (HostTime) -> Void)?

    let panel = Layer()
    let list: ListView
    private(set) var rows: [Row] = []
    private var hasSigns = false
    private var anchor = Rect.zero
    private(set) var isAbove = false
    /// The last position passed to `hover`, in layout points. `hover` ignores a repeated position, so that a pointer at
    /// rest does not override a selection made with the keyboard.
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

    /// Opens the menu below or above `anchor`. If the menu is already open, replaces its entries and moves it to
    /// `anchor`.
    ///
    /// - Parameters:
    ///   - anchor: The frame to open below or above, in the coordinates of the layer's parent.
    ///   - bounds: The area that the menu's layer covers, usually the window, in the same coordinates as `anchor`. The
    ///     panel stays inside this area.
    ///   - selectsFirst: Whether to select the checked item, or the first enabled item if none is checked. Pass true if
    ///     the user opened the menu with a key.
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
        // A menu that is still closing reopens from its current appearance.
        if panel.animatedOpacity.presentation(at: time) == 0 {
            panel.animatedTranslation.removeAnimations()
            panel.translation = closedTranslation
        }
        panel.animatedOpacity.animate(to: 1, now: time, duration: style.duration, curve: .easeOut)
        panel.animatedTranslation.animate(to: .zero, now: time, duration: style.duration, curve: .easeOut)
    }

    /// Closes the menu. Does nothing if the menu is already closed or closing.
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

    /// Makes the menu's layers hit-testable or not. Those of a closing menu are not hit-testable.
    private func setHit(_ isHit: Bool) {
        layer.owner = isHit ? self : nil
        list.layer.owner = isHit ? list : nil
        layer.isHitTestable = isHit
        panel.isHitTestable = isHit
    }

    // MARK: - Content

    /// Replaces the entries of an open menu, for example to show a submenu or updated items. Cancels a press in
    /// progress.
    ///
    /// - Parameter keepsPlace: Whether to keep the scroll offset, and the selected item if it still exists. If false,
    ///   the list scrolls to the top.
    public func setEntries(_ entries: [Entry], keepsPlace: Bool = false, now: HostTime) {
        let hadSelection = list.selection != nil
        show(entries, keepsPlace: keepsPlace)
        layout(at: anchor, in: layer.frame)
        guard !keepsPlace else { return }
        list.jump(to: 0)
        // If the user opened the page by a key, the next key needs a selection too.
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

    /// How much to leave free at the area's upper edge, in points: what lies there is drawn over the menu.
    public var ceiling = 0.0

    /// Moves the menu to another anchor or area without animation. `open` describes the parameters.
    public func layout(at anchor: Rect, in bounds: Rect) {
        guard anchor.isFinite, bounds.isFinite else { return }
        self.anchor = anchor
        layer.frame = bounds
        let height = Double(rows.count) * list.heights.usual + 2 * style.padding
        let free = min(max(0, ceiling), bounds.size.height)
        let room = Rect(
            x: bounds.minX, y: bounds.minY + free, width: bounds.size.width, height: bounds.size.height - free)
        let placement = MenuPlacement(
            anchor: anchor, bounds: room, size: Size(width: style.width, height: height), gap: style.gap,
            margin: style.margin)
        isAbove = placement.isAbove
        panel.frame = Rect(
            x: placement.frame.minX - bounds.minX, y: placement.frame.minY - bounds.minY,
            width: placement.frame.size.width, height: placement.frame.size.height)
        list.layout(Rect(origin: .zero, size: panel.frame.size))
    }

    /// Whether the menu is opening, closing or scrolling.
    public var isAnimating: Bool {
        panel.animatedOpacity.isMoving || panel.animatedTranslation.isMoving || (isOpen && list.isAnimating)
    }

    /// When `advance` must be called next to hide the scroll indicator. Nil if the menu is closed or no such call is
    /// needed.
    public var nextWake: HostTime? { isOpen ? list.nextWake : nil }

    /// Advances the menu to `now`. Returns whether it must be redrawn.
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

    /// Picks the item in row `index`. Does nothing for headings and disabled items.
    public func activate(_ index: Int, now: HostTime) {
        guard isOpen, let item = row(index)?.pickable else { return }
        let closes = item.effect == .closes
        if closes { beginClosing(now: now) }
        onPick?(item, now)
        // The callback may have reopened the menu.
        if closes, !isOpen { onClose?(now) }
    }
}
