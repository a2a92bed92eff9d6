public import Geometry
public import Input
public import Time

/// Watches the pointers over a target and recognizes a gesture.
///
/// A continuous recognizer goes possible → began → changed… → ended or cancelled; a discrete one goes possible →
/// recognized. Both go possible → failed if the input turns out to be something else. A recognizer that loses the
/// gesture to a stronger one is cancelled, even while still possible. All keep their final state until every pointer is
/// up, and then become possible again.
///
/// Subclasses override `pressed`, `moved`, `released` and `advance`, and call `begin`, `recognize`, `change`, `end` and
/// `fail`. The `GestureArbiter` decides whether a recognizer really begins, once every recognizer has seen the event.
///
/// Threads: confined to its owner's thread. It reads no clock.
open class GestureRecognizer {
    /// The progress of the gesture.
    public enum State: Hashable, Sendable {
        case possible, began, changed, ended, cancelled, recognized, failed
    }

    /// A recognizer's request to the arbiter.
    enum Request { case begin, recognize }

    /// The current state. `onChange` reports every state except the return to possible.
    public internal(set) final var state = State.possible
    /// Whether it sees pointers. Disabling it during a gesture cancels it or makes it fail.
    public final var isEnabled = true {
        didSet { if !isEnabled { cancel() } }
    }
    /// Decides with the recognizer whether and when it begins; nil leaves that to its own rules.
    public final weak var delegate: (any GestureRecognizerDelegate)?
    /// Its name in the log.
    public final var name: String
    /// Called after each state change, and for each move while active.
    public final var onChange: ((GestureRecognizer) -> Void)?
    /// Whether it beats every other recognizer when it begins: these are cancelled, active or not, and none can keep it
    /// from beginning.
    public final var cancelsOthers = false

    /// The pointer's last position, in window points. For a pan driven by a scroll, the scrolled distance is added to
    /// the start.
    public internal(set) final var location = Point.zero
    /// When the pointer was there, or when the state last changed.
    public internal(set) final var time = HostTime(nanoseconds: 0)

    final var request: Request?
    final var endsWhenBegun = false
    final var wasAskedToBegin = false
    /// Whether the press was within a gesture exclusion rectangle of its target.
    package final var isInGestureExclusion = false
    /// Whether its events are made from scroll events.
    final var isDrivenNow = false
    final weak var arbiter: GestureArbiter?
    /// The target that it belonged to when it joined the gesture.
    final weak var element: (any GestureTarget)?
    private final var prerequisites: [Prerequisite] = []

    private struct Prerequisite {
        weak var recognizer: GestureRecognizer?
    }

    public init(name: String) { self.name = name }

    /// Whether it has begun and not ended.
    public final var isActive: Bool { state == .began || state == .changed }

    /// Makes this recognizer wait until `other` has failed, in every gesture.
    public final func requireFailure(of other: GestureRecognizer) {
        prerequisites.removeAll { $0.recognizer == nil }
        prerequisites.append(Prerequisite(recognizer: other))
    }

    /// Leaves the gesture: an active recognizer is cancelled, one that is still deciding fails.
    public final func cancel() { arbiter?.drop(self) }

    // MARK: - For subclasses to override

    /// The pointer went down. `location` and `time` are set, as for the other calls.
    open func pressed(_ event: PointerEvent) {}
    /// The pointer moved.
    open func moved(_ event: PointerEvent) {}
    /// The pointer went up.
    open func released(_ event: PointerEvent) {}
    /// `deadline` has passed.
    open func advance(to now: HostTime) {}
    /// When to call `advance` if there is no event before. A recognizer that is still possible when all pointers are up
    /// fails, unless it has a deadline or waits for another one.
    open var deadline: HostTime? { nil }
    /// Returns to possible: the gesture is over.
    open func reset() {}
    /// Whether the gesture may begin by the recognizer's own rules. Asked once, before the delegate.
    open func canBegin() -> Bool { true }
    /// It is about to begin; `others` took part in the same gesture.
    open func willBegin(among others: [GestureRecognizer]) {}
    /// `other` began while this one is still deciding. It may fail, or wait.
    open func hasBegun(_ other: GestureRecognizer) {}
    /// Whether it must wait until `other` fails.
    open func requiresFailure(of other: GestureRecognizer) -> Bool {
        prerequisites.contains { $0.recognizer === other } || delegate?.requiresFailure(self, of: other) == true
    }
    /// Whether it takes the gesture from `other`, which is then cancelled.
    open func cancels(_ other: GestureRecognizer) -> Bool { cancelsOthers }
    /// Whether `other` may no longer begin once this one has.
    open func prevents(_ other: GestureRecognizer) -> Bool { true }
    /// Whether `press` may continue a gesture that has no pointer down. Asked while the recognizer waits for its
    /// deadline.
    open func continues(with press: PointerEvent) -> Bool { false }
    /// Whether scroll events drive it as well, as if they were moves of a pointer.
    open var followsScroll: Bool { false }
    /// Whether it also sees pointers that go down while the first is down.
    open var followsOtherPointers: Bool { false }
    /// A secondary pointer went down, moved, went up or was lost while the primary one is down. `location` is still the
    /// primary pointer's.
    open func anotherPointer(_ event: PointerEvent) {}

    // MARK: - For subclasses to call

    /// Asks to begin.
    public final func begin() { if state == .possible { request = .begin } }

    /// Asks to be recognized, which completes the gesture.
    public final func recognize() { if state == .possible { request = .recognize } }

    /// Reports progress of the gesture.
    public final func change() { if isActive { enter(.changed) } }

    /// Completes the gesture. If it has not begun yet, it ends right after beginning.
    public final func end() {
        if isActive {
            enter(.ended)
        } else if state == .possible, request == .begin {
            endsWhenBegun = true
        }
    }

    /// Gives up, as the input is some other gesture.
    public final func fail() {
        guard state == .possible else { return }
        request = nil
        enter(.failed)
    }

    // MARK: - For the arbiter

    /// Whether it may still begin.
    final var isDeciding: Bool { state == .possible }
    /// Whether it has or had the gesture.
    final var hasWon: Bool { isActive || state == .ended || state == .recognized }

    final func enter(_ new: State) {
        let old = state
        state = new
        if old != new { arbiter?.report(self, from: old) }
        onChange?(self)
    }

    /// Ends its part in the gesture after a decision made elsewhere.
    final func abort(at now: HostTime, as outcome: State? = nil) {
        guard isDeciding || isActive else { return }
        time = now
        request = nil
        enter(outcome ?? (isActive ? .cancelled : .failed))
    }

    final func makePossible() {
        let old = state
        state = .possible
        request = nil
        endsWhenBegun = false
        wasAskedToBegin = false
        isInGestureExclusion = false
        reset()
        if old != .possible { arbiter?.report(self, from: old) }
        arbiter = nil
        element = nil
    }
}
