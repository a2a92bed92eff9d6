import GlissadeGeometry

/// The placement of a menu's panel: above the anchor if the panel does not fit below and there is more space above,
/// otherwise below.
struct MenuPlacement: Equatable {
    /// The panel's frame, in the coordinates of `anchor` and `bounds`.
    var frame: Rect
    var isAbove: Bool

    /// Computes the panel's frame, which is centered on the anchor horizontally if there is room. The frame is `gap`
    /// points from the anchor, and at least `margin` points from the edges of `bounds`. If space is short, the panel
    /// shrinks and may cover the anchor.
    ///
    /// - Parameters:
    ///   - anchor: The frame of the element that the panel belongs to.
    ///   - bounds: The area that the panel must not leave.
    ///   - size: The preferred size of the panel.
    init(anchor: Rect, bounds: Rect, size: Size, gap: Double, margin: Double) {
        let area = bounds.inset(by: margin)
        let wanted = Size(width: min(size.width, area.size.width), height: min(size.height, area.size.height))
        let below = area.maxY - (anchor.maxY + gap)
        let above = anchor.minY - gap - area.minY
        isAbove = wanted.height > below && above > below
        // The panel may use at least half of the area's height, even if it then covers the anchor.
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
    /// Returns this rectangle inset by `margin` on each side, but by no more than half of its width or height.
    fileprivate func inset(by margin: Double) -> Rect {
        let (dx, dy) = (min(margin, max(0, size.width / 2)), min(margin, max(0, size.height / 2)))
        return Rect(
            x: minX + dx, y: minY + dy, width: max(0, size.width - 2 * dx), height: max(0, size.height - 2 * dy))
    }

    var isFinite: Bool {
        origin.x.isFinite && origin.y.isFinite && size.width.isFinite && size.height.isFinite
    }
}
