import Input
import Time

/// The events from one press on, held back from the element beneath while recognizers decide; then given to it in their
/// order, or dropped where a recognizer won.
///
/// A class, so that the two that an arbiter has keep their storage from one press to the next.
final class PendingEvents {
    enum Phase {
        /// Recognizers still decide.
        case holding
        /// None took the press: the element gets everything at once.
        case open
        /// One won, or the press is over: the element gets nothing.
        case closed
    }

    /// How many are kept; where a hand trembles on one spot for longer, only where it is by now.
    static let capacity = 64

    private(set) var phase = Phase.closed
    /// Which press it is about.
    private(set) var sequence = 0
    private(set) weak var element: (any GestureTarget)?
    private(set) var events: [PointerEvent] = []
    /// The press that the element has got and that has not ended for it.
    private var delivered: PointerEvent?

    func begin(sequence: Int, element: (any GestureTarget)?) {
        close(at: delivered?.time ?? HostTime(nanoseconds: 0))
        self.sequence = sequence
        self.element = element
        phase = .holding
    }

    func add(_ event: PointerEvent) {
        switch phase {
        case .closed: break
        case .open: deliver(event)
        case .holding:
            if events.count >= Self.capacity, event.phase == .moved, events[events.count - 1].phase == .moved {
                events[events.count - 1] = event
            } else {
                events.append(event)
            }
        }
    }

    /// Gives the element what was held, and from now on whatever comes.
    func open() {
        phase = .open
        var index = 0
        // What the element does on an event may close this hold.
        while index < events.count {
            deliver(events[index])
            index += 1
        }
        events.removeAll(keepingCapacity: true)
    }

    /// Drops what was held. An element that has got a press is told that it is void.
    func close(at now: HostTime) {
        phase = .closed
        events.removeAll(keepingCapacity: true)
        guard var event = delivered else { return }
        delivered = nil
        event.phase = .cancelled
        event.time = now
        element?.receive(event)
    }

    private func deliver(_ event: PointerEvent) {
        switch event.phase {
        case .pressed: delivered = event
        case .moved: delivered?.position = event.position
        case .released, .cancelled: delivered = nil
        case .entered, .left: break
        }
        element?.receive(event)
    }
}
