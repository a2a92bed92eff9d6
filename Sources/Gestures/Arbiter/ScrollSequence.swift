import Geometry
import Input
import Time

/// Scroll events without a pause between them, treated as one movement.
package struct ScrollSequence {
    enum Phase {
        /// Undecided.
        case deciding
        /// A pan has taken it.
        case pans
        /// The targets get it.
        case elements
        /// It was cancelled; further events are dropped.
        case done
    }

    struct Candidate {
        weak var element: (any GestureTarget)?
    }

    /// How many events are kept while undecided; further ones are added up.
    static let capacity = 64

    var phase = Phase.deciding
    /// The pointer's position at the start.
    let anchor: Point
    /// The modifier keys at the start.
    let modifiers: Modifiers
    /// The sum of the events, in points.
    var offset = Point.zero
    var last: HostTime
    let candidates: [Candidate]
    var held: [ScrollEvent] = []

    init(first event: ScrollEvent, elements: [any GestureTarget], time: HostTime) {
        anchor = event.position
        modifiers = event.modifiers
        last = time
        candidates = elements.map { Candidate(element: $0) }
    }

    var isHorizontal: Bool { abs(offset.x) >= abs(offset.y) }

    /// Adds `event` to the offset, clamped to coordinates that layouts can handle.
    mutating func add(_ event: ScrollEvent, pointsPerNotch: Double, limit: Double) {
        offset.x = min(max(offset.x + event.deltaX * pointsPerNotch, -limit), limit)
        offset.y = min(max(offset.y + event.deltaY * pointsPerNotch, -limit), limit)
    }

    mutating func hold(_ event: ScrollEvent) {
        guard held.count >= Self.capacity else { return held.append(event) }
        held[held.count - 1].deltaX += event.deltaX
        held[held.count - 1].deltaY += event.deltaY
        held[held.count - 1].time = event.time
    }

    /// Offers `event` to the targets, innermost first.
    func offer(_ event: ScrollEvent) -> Bool {
        candidates.contains { $0.element?.receive(event) == true }
    }

    /// A pointer event that stands for the sum of the scroll events.
    func pointer(_ phase: PointerEvent.Phase, at time: HostTime) -> PointerEvent {
        PointerEvent(
            phase: phase, position: Point(x: anchor.x + offset.x, y: anchor.y + offset.y),
            button: phase == .moved ? nil : .primary, modifiers: modifiers, time: time)
    }
}
