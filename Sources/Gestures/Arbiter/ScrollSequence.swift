import GlissadeGeometry
import GlissadeInput
import GlissadeTime

/// A series of scroll events that are treated as one movement. A pause ends the series.
package struct ScrollSequence {
    enum Phase {
        /// The receiver is undecided; events are held.
        case deciding
        /// A pan has taken the scroll.
        case pans
        /// No pan took the scroll; the targets get its events.
        case elements
        /// The scroll was canceled; further events are dropped.
        case done
    }

    struct Candidate {
        weak var element: (any GestureTarget)?
    }

    /// The maximum number of events held while undecided. Further events are merged into the last one.
    static let capacity = 64

    var phase = Phase.deciding
    /// The pointer's position when the scroll began.
    let anchor: Point
    /// The modifier keys held when the scroll began.
    let modifiers: Modifiers
    /// Whether the distances are exact.
    let isPrecise: Bool
    /// The distance scrolled so far, in points.
    var offset = Point.zero
    var last: HostTime
    let candidates: [Candidate]
    var held: [ScrollEvent] = []

    init(first event: ScrollEvent, elements: [any GestureTarget], time: HostTime) {
        anchor = event.position
        modifiers = event.modifiers
        isPrecise = event.isPrecise
        last = time
        candidates = elements.map { Candidate(element: $0) }
    }

    /// The time without events after which the scroll ends.
    var pause: Duration { isPrecise ? GestureArbiter.preciseScrollPause : GestureArbiter.scrollPause }

    var isHorizontal: Bool { abs(offset.x) >= abs(offset.y) }

    /// Adds `event` to the offset, and clamps the offset to ±`limit`.
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

    /// Offers `event` to the targets, innermost first, until one uses it. Returns whether a target used it.
    func offer(_ event: ScrollEvent) -> Bool {
        candidates.contains { $0.element?.receive(event) == true }
    }

    /// Returns a simulated pointer event that drives a pan. The event's position is `anchor` plus `offset`.
    func pointer(_ phase: PointerEvent.Phase, at time: HostTime) -> PointerEvent {
        PointerEvent(
            phase: phase, position: Point(x: anchor.x + offset.x, y: anchor.y + offset.y),
            button: phase == .moved ? nil : .primary, modifiers: modifiers, time: time)
    }
}
