import Geometry

/// Where a panel goes: below what it belongs to, or above, wherever there is room for it.
struct MenuPlacement: Equatable {
    /// In the coordinates of anchor and bounds.
    var frame: Rect
    var isAbove: Bool

    /// - Parameters:
    ///   - anchor: what it belongs to.
    ///   - bounds: what it stays in, whatever that takes of its size.
    ///   - size: what it would like to have.
    init(anchor: Rect, bounds: Rect, size: Size, gap: Double, margin: Double) {
        let room = bounds.inset(by: margin)
        let wanted = Size(width: min(size.width, room.size.width), height: min(size.height, room.size.height))
        let below = room.maxY - (anchor.maxY + gap)
        let above = anchor.minY - gap - room.minY
        isAbove = wanted.height > below && above > below
        // Where neither side has room for two rows or so, it lies over what it belongs to.
        let side = max(isAbove ? above : below, min(wanted.height, room.size.height / 2))
        let height = min(wanted.height, side)
        let x = anchor.minX + (anchor.size.width - wanted.width) / 2
        let y = isAbove ? anchor.minY - gap - height : anchor.maxY + gap
        frame = Rect(
            x: min(max(x, room.minX), room.maxX - wanted.width).rounded(),
            y: min(max(y, room.minY), room.maxY - height).rounded(), width: wanted.width, height: height)
    }
}

extension Rect {
    /// Without `margin` on each side, as far as it has that.
    fileprivate func inset(by margin: Double) -> Rect {
        let (dx, dy) = (min(margin, max(0, size.width / 2)), min(margin, max(0, size.height / 2)))
        return Rect(
            x: minX + dx, y: minY + dy, width: max(0, size.width - 2 * dx), height: max(0, size.height - 2 * dy))
    }

    /// Whether all of it is a number.
    var isFinite: Bool {
        origin.x.isFinite && origin.y.isFinite && size.width.isFinite && size.height.isFinite
    }
}
