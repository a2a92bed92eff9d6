public import GlissadeGeometry
public import GlissadeInput
public import GlissadeTime

/// The base class of gesture recognizers. A recognizer watches the pointers over a target and recognizes one kind of
/// gesture.
///
/// The states of a continuous gesture are `possible` → `began` → `changed`… → `ended` or `cancelled`. The states of a
/// discrete gesture are `possible` → `recognized`. Any recognizer fails (`possible` → `failed`) if the input turns out
/// to be a different gesture. A recognizer is canceled, even while still possible, if another recognizer takes the
/// gesture from it. A recognizer keeps its final state until all pointers are up, and then becomes possible again.
///
/// Subclasses override `pressed`, `moved`, `released` and `advance`, and call `begin`, `recognize`, `change`, `end` and
/// `fail`. The `GestureArbiter` decides whether a recognizer may begin, once every recognizer has seen the event.
///
/// Threads: confined to its owner's thread. Reads no clock.
open class GestureRecognizer {
    /// The state of a recognizer in the current gesture.
    public enum State: Hashable, Sendable {
        case possible, began, changed, ended, cancelled, recognized, failed
    }

    /// A recognizer's request to the arbiter: to begin a continuous gesture, or to recognize a discrete one.
    enum Request { case begin, recognize }

    /// The current state. `onChange` reports every change except the return to `possible`.
    public internal(set) final var state = State.possible
    /// Whether the recognizer takes part in gestures. Setting this to false ends the recognizer's part in the current
    /// gesture, as `cancel` does.
    public final var isEnabled = true {
        didSet { if !isEnabled { cancel() } }
    }
    /// The delegate, which can refuse, delay or share the gesture. If this is nil, only the recognizer's own rules
    /// apply.
    public final weak var delegate: (any GestureRecognizerDelegate)?
    /// The recognizer's name in the log.
    public final var name: String
    /// Called after each state change except the return to `possible`, and for each move while the recognizer is
    /// active.
    public final var onChange: ((GestureRecognizer) -> Void)?
    /// Whether the recognizer begins without waiting for others, and cancels all others when it begins. The recognizer
    /// cannot take the gesture from an active recognizer that also has this property.
    public final var cancelsOthers = false

    /// The pointer's last position, in points from the layout's top-left corner. For a pan driven by a scroll, the
    /// position where the scroll began plus the scrolled distance.
    public internal(set) final var location = Point.zero
    /// The time of the pointer's last event, or of the last state change if that was later.
    public internal(set) final var time = HostTime(nanoseconds: 0)

    final var request: Request?
    final var endsWhenBegun = false
    final var wasAskedToBegin = false
    /// Whether the press hit a target with `excludesPagePan` inside this recognizer's own target.
    package final var isInGestureExclusion = false
    /// Whether scroll events drive the recognizer in the current gesture.
    final var isDrivenNow = false
    /// Whether these scroll events are precise.
    final var isDrivenPrecisely = false
    final weak var arbiter: GestureArbiter?
    /// The target through which the recognizer joined the gesture.
    final weak var element: (any GestureTarget)?
    private final var prerequisites: [Prerequisite] = []

    private struct Prerequisite {
        weak var recognizer: GestureRecognizer?
    }

    public init(name: String) { self.name = name }

    /// Whether the gesture has begun and has not ended.
    public final var isActive: Bool { state == .began || state == .changed }

    /// Makes this recognizer wait for `other` to fail, in every gesture. Holds `other` weakly.
    public final func requireFailure(of other: GestureRecognizer) {
        prerequisites.removeAll { $0.recognizer == nil }
        prerequisites.append(Prerequisite(recognizer: other))
    }

    /// Ends this recognizer's part in the current gesture. An active recognizer is canceled. A recognizer that is still
    /// possible fails.
    public final func cancel() { arbiter?.drop(self) }

    // MARK: - For subclasses to override

    /// Called when the pointer goes down, or a scroll begins. `location` and `time` are updated before the call, as
    /// they are for `moved` and `released`.
    open func pressed(_ event: PointerEvent) {}
    /// Called when the pointer moves or the scroll continues.
    open func moved(_ event: PointerEvent) {}
    /// Called when the pointer goes up or the scroll ends.
    open func released(_ event: PointerEvent) {}
    /// Called when `deadline` has passed while the recognizer is still possible.
    open func advance(to now: HostTime) {}
    /// The time at which the arbiter calls `advance`; nil if there is no deadline. A recognizer that is still possible
    /// when all pointers are up fails, unless it has a deadline or a pending request.
    open var deadline: HostTime? { nil }
    /// Resets the subclass's own state. Called when the gesture is over.
    open func reset() {}
    /// Whether the recognizer's own rules allow the gesture to begin. Asked once per gesture, before the delegate.
    open func canBegin() -> Bool { true }
    /// Called just before the gesture begins or is recognized. `others` are the other recognizers in the gesture.
    open func willBegin(among others: [GestureRecognizer]) {}
    /// Called when `other` begins while this recognizer is still possible. Call `fail` to give up; otherwise the
    /// recognizer stays possible.
    open func hasBegun(_ other: GestureRecognizer) {}
    /// Whether this recognizer must wait until `other` fails.
    open func requiresFailure(of other: GestureRecognizer) -> Bool {
        prerequisites.contains { $0.recognizer === other } || delegate?.requiresFailure(self, of: other) == true
    }
    /// Whether this recognizer, when it begins, takes the gesture from `other` and cancels `other`, unless a delegate
    /// lets both share the gesture.
    open func cancels(_ other: GestureRecognizer) -> Bool { cancelsOthers }
    /// Whether this recognizer, once it has won the gesture, prevents `other` from beginning. Even then, `other` can
    /// begin if it takes the gesture from this recognizer, or if a delegate lets both recognize at once.
    open func prevents(_ other: GestureRecognizer) -> Bool { true }
    /// Whether `press` continues the gesture, as the second press of a double click does. Asked when `press` arrives
    /// while no other pointer is down and the recognizer is still possible.
    open func continues(with press: PointerEvent) -> Bool { false }
    /// Whether scroll events also drive the recognizer, as movements of a simulated pointer.
    open var followsScroll: Bool { false }
    /// Whether the recognizer also sees secondary pointers, which go down while the primary pointer is down.
    open var followsOtherPointers: Bool { false }
    /// Called when a secondary pointer goes down, moves, goes up or is canceled while the primary pointer is down.
    /// `location` stays the position of the primary pointer.
    open func anotherPointer(_ event: PointerEvent) {}

    // MARK: - For subclasses to call

    /// Asks the arbiter to let a continuous gesture begin.
    public final func begin() { if state == .possible { request = .begin } }

    /// Asks the arbiter to recognize a discrete gesture.
    public final func recognize() { if state == .possible { request = .recognize } }

    /// Reports progress of an active gesture by calling `onChange`.
    public final func change() { if isActive { enter(.changed) } }

    /// Ends an active gesture. If the request to begin is still pending, the gesture ends right after beginning.
    public final func end() {
        if isActive {
            enter(.ended)
        } else if state == .possible, request == .begin {
            endsWhenBegun = true
        }
    }

    /// Gives up on the current gesture. Does nothing unless the recognizer is still possible.
    public final func fail() {
        guard state == .possible else { return }
        request = nil
        enter(.failed)
    }

    // MARK: - For the arbiter

    final var isDeciding: Bool { state == .possible }
    /// Whether the recognizer has won the gesture: it is active, ended or recognized.
    final var hasWon: Bool { isActive || state == .ended || state == .recognized }

    final func enter(_ new: State) {
        let old = state
        state = new
        if old != new { arbiter?.report(self, from: old) }
        onChange?(self)
    }

    /// Ends the recognizer's part in the gesture with the final state `outcome`. If `outcome` is nil, an active
    /// recognizer is canceled, and one that is still possible fails.
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
