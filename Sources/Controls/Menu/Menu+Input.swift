import GlissadeAnimation
public import GlissadeGeometry
public import GlissadeGestures
public import GlissadeInput
public import GlissadeLayers
public import GlissadeTime

// Input of a menu. The list scrolls, and activates items. A press outside the panel closes the menu.

extension Menu: @MainActor GestureTarget {
    public var recognizers: [GestureRecognizer] { [] }
    public var excludesPagePan: Bool { true }

    public func receive(_ event: PointerEvent) {
        guard isOpen, event.phase == .pressed, !isOnPanel(event.position, now: event.time) else { return }
        close(now: event.time)
    }

    /// While the menu is open, consumes every scroll that the list has not handled, so that no element beneath receives
    /// it.
    public func receive(_ event: ScrollEvent) -> Bool { isOpen }

    /// Returns the gesture targets for a press at `point`, in layout points. They are the list and the menu if the
    /// point is on the panel, and otherwise only the menu. Returns nil while the menu is closed.
    public func elements(at point: Point, now: HostTime) -> [any GestureTarget]? {
        guard isOpen else { return nil }
        return isOnPanel(point, now: now) ? [list, self] : [self]
    }

    private func isOnPanel(_ point: Point, now: HostTime) -> Bool {
        let local = panel.convert(fromLayout: point, at: LocalTime(now))
        return Rect(origin: .zero, size: panel.frame.size).contains(local)
    }
}

extension Menu: HoverTarget {
    public func hover(_ point: Point?, now: HostTime) {
        guard isOpen, point != pointer else { return }
        pointer = point
        let index = point.flatMap { list.row(at: list.layer.convert(fromLayout: $0, at: LocalTime(now))) }
        let picked = index.flatMap { row($0)?.pickable == nil ? nil : $0 }
        if picked != list.selection { list.setSelection(picked) }
    }
}

extension Menu: Focusable {
    public var focusLayer: Layer { panel }
    public var canFocus: Bool { isOpen }
    /// Does nothing: the highlight of the selected item shows the focus.
    public func setFocused(_ isFocused: Bool, now: HostTime) {}

    /// While the menu is open, consumes all keys except media keys and combinations with Control, Alt or Command.
    public func handle(_ key: KeyEvent) -> Bool {
        guard isOpen, key.modifiers.subtracting(.shift).isEmpty else { return false }
        let now = key.time
        switch key.key {
        case .up: moveSelection(to: (list.selection ?? rows.count) - 1, by: -1, wraps: true, now: now)
        case .down: moveSelection(to: (list.selection ?? -1) + 1, by: 1, wraps: true, now: now)
        case .home: moveSelection(to: 0, by: 1, now: now)
        case .end: moveSelection(to: rows.count - 1, by: -1, now: now)
        case .pageUp: moveSelection(to: max(0, (list.selection ?? 0) - list.rowsPerPage), by: 1, now: now)
        case .pageDown:
            moveSelection(to: min(rows.count - 1, (list.selection ?? 0) + list.rowsPerPage), by: -1, now: now)
        case .enter, .space: if !key.isRepeat, let index = list.selection { activate(index, now: now) }
        case .right:
            if !key.isRepeat, let index = list.selection, row(index)?.pickable?.effect == .opensPage {
                activate(index, now: now)
            }
        case .left:
            if !key.isRepeat, let index = rows.firstIndex(where: { $0.pickable?.effect == .goesBack }) {
                activate(index, now: now)
            }
        case .escape: close(now: now)
        case .character(let character): jump(to: character, now: now)
        // The player handles media keys.
        case .media: return false
        default: break
        }
        return true
    }

    /// Selects the first enabled item at or after `index` in the direction of `step`, which is 1 or -1. If `wraps` is
    /// true, the search continues from the other end. If no item is found, the selection does not change.
    func moveSelection(to index: Int, by step: Int, wraps: Bool = false, now: HostTime) {
        var places = Array(stride(from: index, through: step > 0 ? rows.count - 1 : 0, by: step))
        if wraps { places += stride(from: step > 0 ? 0 : rows.count - 1, through: index, by: step) }
        if let place = places.first(where: { row($0)?.pickable != nil }) { list.select(place, now: now) }
    }

    /// Selects the next enabled item whose label begins with `character`, ignoring case. The search wraps around.
    private func jump(to character: Character, now: HostTime) {
        let letter = character.lowercased()
        let start = (list.selection ?? -1) + 1
        for distance in 0..<rows.count {
            let index = (start + distance) % rows.count
            guard let label = row(index)?.pickable?.label, label.first?.lowercased() == letter else { continue }
            return list.select(index, now: now)
        }
    }
}
