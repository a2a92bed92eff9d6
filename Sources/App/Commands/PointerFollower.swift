import GlissadeControls
import GlissadeGeometry
import GlissadeGestures
import GlissadeTime

/// Notifies hover targets when the pointer enters, moves over or leaves them.
@MainActor struct PointerFollower {
    private var hovered: [any HoverTarget] = []
    private var last: Point?

    /// Returns whether the pointer has moved since the last call. The first call returns false, since the window may
    /// have appeared under a resting pointer.
    mutating func hasMoved(to point: Point) -> Bool {
        defer { last = point }
        return last != nil && last != point
    }

    /// Notifies the hover targets among `elements`, and those that the pointer has left.
    ///
    /// - Parameters:
    ///   - point: The pointer's position in layout points; nil if the pointer hovers over nothing.
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
