public import Geometry
public import Input
public import Time

/// Decides which recognizer gets a gesture, and hands to the elements what none takes.
///
/// A gesture lasts from a press of the primary button until every pointer is up; whatever else is pressed in between
/// neither begins another nor ends it, and is seen only by recognizers that look at several pointers. The recognizers of all elements under the press see its events first, the
/// innermost element's before the others'; those that would begin at the same event get it in that order, except that one
/// may wait for another to fail, or take the gesture from it. Meanwhile the events are held back from the element beneath.
/// Moves without a press are not its business.
///
/// It lives on one thread, its owner's, reads no clock, and keeps neither elements nor, between gestures, recognizers.
/// Once its storage has grown to what a gesture needs, a move allocates nothing.
///
/// Where it fails: if the release of a second button is lost, no gesture begins until that button is pressed again or
/// `cancelAll` is called.
public final class GestureArbiter {
    /// How far one notch of a wheel moves a pan, in points.
    public static let pointsPerNotch = 40.0
    /// How long after its last event a scroll is over.
    public static let scrollPause = Duration.milliseconds(100)
    /// Coordinates beyond this are not taken for real.
    static let largestCoordinate = 1e7

    /// A recognizer in a gesture. (Its element is its own to remember: to copy a weak reference costs more than all else
    /// that a move does.)
    struct Member {
        let recognizer: GestureRecognizer
        /// The presses it is about: a double tap goes on from one to the next.
        let first: Int
        var last: Int

        func meets(_ other: Member) -> Bool { first <= other.last && other.first <= last }
    }

    let log: ((String) -> Void)?
    /// In the order of their right to the gesture.
    var members: [Member] = []
    var pointers = PointerState()
    /// The press that the gesture is about, while it is down.
    var tracked: (pointer: Int, button: PointerEvent.Button)?
    /// Counts presses and scrolls.
    var sequence = 0
    /// What is held back since the last press, and since the one before it.
    var current = PendingEvents()
    var earlier = PendingEvents()
    package var scroll: ScrollSequence?
    var now = HostTime(nanoseconds: 0)
    var pressTime = HostTime(nanoseconds: 0)
    var lastPosition = Point.zero
    var isResolving = false
    var mustResolveAgain = false

    /// - Parameter log: Gets one line for each change of a recognizer's state, with its time.
    public init(log: ((String) -> Void)? = nil) { self.log = log }

    /// Whether a hand holds something: a press has not been let go of, or a scroll drives a pan.
    public var isTracking: Bool { tracked != nil || scroll?.phase == .pans }

    /// When `advance` has to be called, if nothing else happens before: for a long press, a click that may become a
    /// double click, the end of a scroll that drives a pan.
    public var nextDeadline: HostTime? {
        var next: HostTime?
        if let scroll, scroll.phase == .deciding || scroll.phase == .pans { next = scroll.last + Self.scrollPause }
        for member in members where member.recognizer.isDeciding {
            guard let deadline = member.recognizer.deadline else { continue }
            next = next.map { min($0, deadline) } ?? deadline
        }
        return next
    }

    /// One thing that a hand did. Positions or distances that are not finite are ignored, and a time before the last one
    /// counts as that.
    ///
    /// Escape, while a recognizer is active, cancels it.
    ///
    /// - Parameter path: The elements under a point, innermost first; asked once for each press or scroll.
    /// - Returns: Whether it was for a recognizer or an element.
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

    /// Time has passed.
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

    /// The window has lost the pointer, was resized or minimized: whatever is under way is cancelled, and whatever is
    /// still down is forgotten.
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

    /// Cancels what is under way; recognizers stay as they are until every pointer is up.
    func cancelGesture() {
        let all = members
        for member in all where member.recognizer.arbiter === self { member.recognizer.abort(at: now) }
        earlier.close(at: now)
        current.close(at: now)
    }

    /// Takes one recognizer out of the gesture.
    func drop(_ recognizer: GestureRecognizer) {
        recognizer.abort(at: now)
        resolve()
        sweep()
    }

    func report(_ recognizer: GestureRecognizer, from old: GestureRecognizer.State) {
        log?(GestureLog.line(recognizer, from: old, at: now, since: pressTime))
    }
}
