import GlissadeInput
import GlissadeTime

/// The events of a press, held back from the target while recognizers decide. If a recognizer wins, the events are
/// dropped. If all recognizers fail, the events are delivered in order.
final class PendingEvents {
    enum Phase {
        /// Recognizers are still deciding.
        case holding
        /// No recognizer took the press: the target gets further events immediately.
        case open
        /// A recognizer won, or the press was canceled: the target gets nothing more.
        case closed
    }

    /// While at least this many events are held, a move replaces the move directly before it.
    static let capacity = 64

    private(set) var phase = Phase.closed
    /// The `sequence` number of the press.
    private(set) var sequence = 0
    private(set) weak var element: (any GestureTarget)?
    private(set) var events: [PointerEvent] = []
    /// The press event that the target has received, updated with the pointer's latest position. Nil before the press
    /// and after its release or cancel.
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

    /// Delivers the held events. Later events are delivered immediately.
    func open() {
        phase = .open
        var index = 0
        // The target may close this instance in response to an event.
        while index < events.count {
            deliver(events[index])
            index += 1
        }
        events.removeAll(keepingCapacity: true)
    }

    /// Drops the held events. If the target has received the press but no release, the target gets a cancel.
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
