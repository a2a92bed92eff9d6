import Controls
import Geometry
import Gestures
import Time

/// Tells what the pointer is over that it is, and what it has left that it is not.
@MainActor struct PointerFollower {
    private var hovered: [any HoverTarget] = []
    private var last: Point?

    /// Whether the pointer is elsewhere than it was when last asked: a window that comes under it moves nothing.
    mutating func hasMoved(to point: Point) -> Bool {
        defer { last = point }
        return last != nil && last != point
    }

    /// - Parameters:
    ///   - point: in window points; nil where it is over nothing of ours.
    ///   - elements: what is under it, innermost first.
    /// - Returns: whether anything may look otherwise.
    mutating func follow(_ point: Point?, elements: [any GestureTarget], now: HostTime) -> Bool {
        let found = point == nil ? [] : elements.compactMap { $0 as? any HoverTarget }
        var isChanged = !found.isEmpty
        for old in hovered where !found.contains(where: { $0 === old }) {
            old.hover(nil, now: now)
            isChanged = true
        }
        for element in found { element.hover(point, now: now) }
        hovered = found
        return isChanged
    }
}
