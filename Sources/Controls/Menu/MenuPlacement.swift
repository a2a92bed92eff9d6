import Geometry

/// Places a panel below its anchor, or above if there is more room.
struct MenuPlacement: Equatable {
    /// In the coordinates of anchor and bounds.
    var frame: Rect
    var isAbove: Bool

    /// - Parameters:
    ///   - anchor: The frame of the element that the panel belongs to.
    ///   - bounds: The panel stays inside, shrinking if needed.
    ///   - size: The preferred size.
    init(anchor: Rect, bounds: Rect, size: Size, gap: Double, margin: Double) {
        let area = bounds.inset(by: margin)
        let wanted = Size(width: min(size.width, area.size.width), height: min(size.height, area.size.height))
        let below = area.maxY - (anchor.maxY + gap)
        let above = anchor.minY - gap - area.minY
        isAbove = wanted.height > below && above > below
        // Without space for about two rows on either side, it covers the anchor.
        let side = max(isAbove ? above : below, min(wanted.height, area.size.height / 2))
        let height = min(wanted.height, side)
        let x = anchor.minX + (anchor.size.width - wanted.width) / 2
        let y = isAbove ? anchor.minY - gap - height : anchor.maxY + gap
        frame = Rect(
            x: min(max(x, area.minX), area.maxX - wanted.width).rounded(),
            y: min(max(y, area.minY), area.maxY - height).rounded(), width: wanted.width, height: height)
    }
}

extension Rect {
    /// Inset by `margin` on each side as far as possible.
    fileprivate func inset(by margin: Double) -> Rect {
        let (dx, dy) = (min(margin, max(0, size.width / 2)), min(margin, max(0, size.height / 2)))
        return Rect(
            x: minX + dx, y: minY + dy, width: max(0, size.width - 2 * dx), height: max(0, size.height - 2 * dy))
    }

    /// Whether all values are finite.
    var isFinite: Bool {
        origin.x.isFinite && origin.y.isFinite && size.width.isFinite && size.height.isFinite
    }
}
