public import Geometry
public import Input
public import Time

/// Decides which recognizer gets a gesture, and passes events that no recognizer takes to the targets.
///
/// A gesture lasts from a press of the primary button until every pointer is up. Other presses in between neither start
/// nor end one, and only recognizers that follow several pointers see them. The recognizers of all targets under the
/// press see its events first, innermost target first. Recognizers that would begin at the same event do so in that
/// order, but one may wait for another to fail, or take the gesture from it. Until that is decided, the target's events
/// are held back. Moves without a press are ignored.
///
/// Threads: confined to its owner's thread. It reads no clock, holds targets weakly, and keeps no recognizers between
/// gestures. Once its storage has grown, a move allocates nothing.
///
/// Limitation: if the release of a second button is lost, no gesture can begin until that button is pressed again or
/// `cancelAll` is called.
public final class GestureArbiter {
    /// How far one wheel notch moves a pan, in points.
    public static let pointsPerNotch = 40.0
    /// How long after its last event a scroll ends.
    public static let scrollPause = Duration.milliseconds(100)
    /// Coordinates beyond this are ignored.
    static let largestCoordinate = 1e7

    /// A recognizer in a gesture. The recognizer itself keeps the reference to its target: copying a weak reference
    /// here would cost more than the rest of a move.
    struct Member {
        let recognizer: GestureRecognizer
        /// The presses it has taken part in: a double tap spans two.
        let first: Int
        var last: Int

        func meets(_ other: Member) -> Bool { first <= other.last && other.first <= last }
    }

    let log: ((String) -> Void)?
    /// In order of priority.
    var members: [Member] = []
    var pointers = PointerState()
    /// The primary press, while it is down.
    var tracked: (pointer: Int, button: PointerEvent.Button)?
    /// Counts presses and scrolls.
    var sequence = 0
    /// The events held back since the last press, and since the one before.
    var current = PendingEvents()
    var earlier = PendingEvents()
    package var scroll: ScrollSequence?
    var now = HostTime(nanoseconds: 0)
    var pressTime = HostTime(nanoseconds: 0)
    var lastPosition = Point.zero
    var isResolving = false
    var mustResolveAgain = false

    /// - Parameter log: Receives one line for each state change of a recognizer.
    public init(log: ((String) -> Void)? = nil) { self.log = log }

    /// Whether a press is down or a scroll drives a pan.
    public var isTracking: Bool { tracked != nil || scroll?.phase == .pans }

    /// When `advance` must be called if no event comes first: for a long press, a possible double click, or the end of
    /// a scroll.
    public var nextDeadline: HostTime? {
        var next: HostTime?
        if let scroll, scroll.phase == .deciding || scroll.phase == .pans { next = scroll.last + Self.scrollPause }
        for member in members where member.recognizer.isDeciding {
            guard let deadline = member.recognizer.deadline else { continue }
            next = next.map { min($0, deadline) } ?? deadline
        }
        return next
    }

    /// Handles one input event. Positions and distances that are not finite are ignored, and a time before the previous
    /// event's counts as that time. Escape cancels an active recognizer.
    ///
    /// - Parameter path: Returns the targets under a point, innermost first. Called once for each press or scroll.
    /// - Returns: Whether a recognizer or target used the event.
    @discardableResult public func handle(_ event: InputEvent, path: (Point) -> [any GestureTarget]) -> Bool {
        switch event {
        case .pointer(let event):
            advance(to: event.time)
            return handle(event, path: path)
        case .scroll(let event):
            advance(to: event.time)
            return handle(event, path: path)
        case .key(let event):
            guard event.key == .escape, members.contains(where: { $0.recognizer.isActive }) else { return false }
            advance(to: event.time)
            scroll?.phase = .done
            cancelGesture()
            return true
        }
    }

    /// Handles deadlines that have passed by `now`.
    public func advance(to time: HostTime) {
        let isIdle = members.isEmpty && !pointers.hasGesture && scroll == nil
        now = isIdle ? time : max(now, time)
        if let scroll, now - scroll.last >= Self.scrollPause { endScroll() }
        var hasCome = false
        let all = members
        for member in all {
            let recognizer = member.recognizer
            guard recognizer.isDeciding, let deadline = recognizer.deadline, deadline <= now,
                recognizer.arbiter === self
            else { continue }
            hasCome = true
            recognizer.time = now
            if isGone(recognizer) { recognizer.abort(at: now) } else { recognizer.advance(to: now) }
        }
        guard hasCome else { return }
        resolve()
        sweep()
    }

    /// Cancels the current gesture and forgets all presses: the window lost the pointer, was resized or minimized.
    public func cancelAll(now time: HostTime) {
        now = max(now, time)
        cancelGesture()
        let held = pointers.entries
        pointers.removeAll()
        for entry in held { void(entry) }
        tracked = nil
        scroll = nil
        sweep()
    }

    /// Cancels the current gesture. Recognizers keep their states until every pointer is up.
    func cancelGesture() {
        let all = members
        for member in all where member.recognizer.arbiter === self { member.recognizer.abort(at: now) }
        earlier.close(at: now)
        current.close(at: now)
    }

    /// Removes one recognizer from the gesture.
    func drop(_ recognizer: GestureRecognizer) {
        recognizer.abort(at: now)
        resolve()
        sweep()
    }

    func report(_ recognizer: GestureRecognizer, from old: GestureRecognizer.State) {
        log?(GestureLog.line(recognizer, from: old, at: now, since: pressTime))
    }
}
