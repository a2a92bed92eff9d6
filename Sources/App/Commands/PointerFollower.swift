import Controls
import Geometry
import Gestures
import Time

/// Tells hover targets when the pointer enters, moves over or leaves them. A value.
@MainActor struct PointerFollower {
    private var hovered: [any HoverTarget] = []
    private var last: Point?

    /// Returns whether the pointer has moved since the last call. Returns false in the first call, since the window
    /// may have appeared under a resting pointer.
    mutating func hasMoved(to point: Point) -> Bool {
        defer { last = point }
        return last != nil && last != point
    }

    /// Tells hover targets that the pointer is now at `point`.
    ///
    /// - Parameters:
    ///   - point: The pointer's position in the window's points; nil if nothing is hovered.
    ///   - elements: The elements under the pointer, innermost first.
    /// - Returns: Whether the appearance of an element may have changed.
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
