public import GlissadeGeometry
public import GlissadeInput
public import GlissadeTime

/// Decides which recognizer gets a gesture. Events that no recognizer takes go to the targets.
///
/// A gesture lasts from a press of the primary button until all pointers are up. Meanwhile, presses of other pointers
/// reach only the recognizers that follow secondary pointers.
///
/// The recognizers of all targets under the press see each event first, those of inner targets before those of outer
/// ones. Requests made during the same event are decided in this order, unless one recognizer waits for another to fail
/// or takes the gesture from another. Until all recognizers have decided, events for the innermost target are held
/// back. Moves without a press are ignored.
///
/// Threads: confined to its owner's thread. Reads no clock. Holds targets weakly.
///
/// Limitation: if the release of a second button is lost, no gesture can begin until that button is pressed again or
/// `cancelAll` is called.
public final class GestureArbiter {
    /// How far one wheel notch moves a pan, in points.
    public static let pointsPerNotch = 40.0
    /// The time without events after which a scroll by a wheel ends.
    public static let scrollPause = Duration.milliseconds(100)
    /// The time without events after which a precise scroll ends, if its end is not reported. Fingers can rest on a
    /// touchpad for shorter than that.
    public static let preciseScrollPause = Duration.milliseconds(400)
    /// The limit of valid coordinates, in points. Positions at or beyond this limit are ignored.
    static let largestCoordinate = 1e7

    /// A recognizer that takes part in the gesture.
    struct Member {
        let recognizer: GestureRecognizer
        /// The `sequence` numbers of the first and the last press that the recognizer takes part in. A double tap
        /// spans two presses.
        let first: Int
        var last: Int

        func meets(_ other: Member) -> Bool { first <= other.last && other.first <= last }
    }

    let log: ((String) -> Void)?
    /// The recognizers in the gesture, those of the innermost target first.
    var members: [Member] = []
    var pointers = PointerState()
    /// The pointer and button of the press that began the gesture; nil once that button is up.
    var tracked: (pointer: Int, button: PointerEvent.Button)?
    /// The number of the latest press or scroll.
    var sequence = 0
    /// The events of the latest press.
    var current = PendingEvents()
    /// The events of the press before the latest one, which may still be undecided during a double tap.
    var earlier = PendingEvents()
    package var scroll: ScrollSequence?
    var now = HostTime(nanoseconds: 0)
    var pressTime = HostTime(nanoseconds: 0)
    var lastPosition = Point.zero
    var isResolving = false
    var mustResolveAgain = false

    /// Creates an arbiter without recognizers.
    ///
    /// - Parameter log: Receives one line for each state change of a recognizer.
    public init(log: ((String) -> Void)? = nil) { self.log = log }

    /// Whether the press that began the gesture is still down, or a scroll drives a pan.
    public var isTracking: Bool { tracked != nil || scroll?.phase == .pans }

    /// Whether a button or a finger is down, or a scroll is in progress.
    public var isBusy: Bool { !pointers.entries.isEmpty || scroll != nil }

    /// The time at which `advance` must be called if no event arrives first; nil if there is no deadline. Long presses,
    /// taps and scrolls have deadlines.
    public var nextDeadline: HostTime? {
        var next: HostTime?
        if let scroll, scroll.phase == .deciding || scroll.phase == .pans { next = scroll.last + scroll.pause }
        for member in members where member.recognizer.isDeciding {
            guard let deadline = member.recognizer.deadline else { continue }
            next = next.map { min($0, deadline) } ?? deadline
        }
        return next
    }

    /// Handles one input event. Escape cancels the gesture if a recognizer is active. Invalid positions and scroll
    /// distances are ignored. During a gesture, an event with an earlier time than the previous event counts as
    /// simultaneous with the previous event.
    ///
    /// - Parameter path: Returns the targets under a point, innermost first. Called only for a press or the start of a
    ///   scroll, and at most once.
    /// - Returns: Whether the event concerned a recognizer or target. True for a scroll whose receiver is undecided,
    ///   and for a canceled scroll. False for a scroll event that no target used.
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

    /// Handles the deadlines that have passed by `time`.
    public func advance(to time: HostTime) {
        let isIdle = members.isEmpty && !pointers.hasGesture && scroll == nil
        now = isIdle ? time : max(now, time)
        if let scroll, now - scroll.last >= scroll.pause { endScroll() }
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

    /// Adjusts each active pan with `isResampled` to the pointer's position at `time`. Call when a frame is composed.
    /// `FrameSampleTime` chooses `time`.
    ///
    /// - Returns: Whether a pan will move again even without another event.
    public func resample(at time: HostTime) -> Bool {
        var isMoving = false
        for index in members.indices {
            // A callback may empty the list.
            guard index < members.count else { break }
            guard let pan = members[index].recognizer as? PanRecognizer, pan.arbiter === self else { continue }
            if pan.resample(at: time) { isMoving = true }
        }
        return isMoving
    }

    /// Cancels the current gesture and forgets all presses. Call when the window loses focus or is minimized.
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

    /// Cancels the current gesture. Recognizers keep their final states until all pointers are up.
    func cancelGesture() {
        let all = members
        for member in all where member.recognizer.arbiter === self { member.recognizer.abort(at: now) }
        earlier.close(at: now)
        current.close(at: now)
    }

    /// Aborts one recognizer, and decides the requests that were waiting for that recognizer to fail.
    func drop(_ recognizer: GestureRecognizer) {
        recognizer.abort(at: now)
        resolve()
        sweep()
    }

    func report(_ recognizer: GestureRecognizer, from old: GestureRecognizer.State) {
        log?(GestureLog.line(recognizer, from: old, at: now, since: pressTime))
    }
}
