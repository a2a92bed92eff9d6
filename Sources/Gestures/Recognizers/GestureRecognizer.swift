public import Geometry
public import Input
public import Time

/// Watches the pointers over an element and says when they make its gesture.
///
/// A continuous one goes possible → began → changed… → ended or cancelled, a discrete one possible → recognized; both go
/// possible → failed when it turns out to be something else. A recognizer of which a stronger one takes the gesture away
/// is cancelled, also from possible. All of them stay where they ended until every pointer is up, and are possible
/// again then.
///
/// A subclass overrides `pressed`, `moved`, `released` and `advance`, and calls `begin`, `recognize`, `change`, `end` and
/// `fail`; whether it really begins is decided by the `GestureArbiter`, when all recognizers have seen the event. It
/// lives on one thread, its owner's, and reads no clock.
open class GestureRecognizer {
    public enum State: Hashable, Sendable {
        case possible, began, changed, ended, cancelled, recognized, failed
    }

    /// What a recognizer that is still possible has asked the arbiter for.
    enum Request { case begin, recognize }

    /// Where it is; `onChange` tells of every state but the return to possible.
    public internal(set) final var state = State.possible
    /// Whether it sees pointers at all; turned off in the middle of a gesture it is out of it, cancelled or failed.
    public final var isEnabled = true {
        didSet { if !isEnabled { cancel() } }
    }
    public final weak var delegate: (any GestureRecognizerDelegate)?
    /// What the log calls it.
    public final var name: String
    /// Called after each change of state, and for each move while it is active.
    public final var onChange: ((GestureRecognizer) -> Void)?
    /// Whether it wins over every other recognizer when it begins: these are cancelled, active or not, and none of them
    /// keeps it from beginning.
    public final var cancelsOthers = false

    /// Where the pointer was last, in window points. A pan driven by a scroll counts it from where the scroll began.
    public internal(set) final var location = Point.zero
    /// When that was, or when the state changed last.
    public internal(set) final var time = HostTime(nanoseconds: 0)

    final var request: Request?
    final var endsWhenBegun = false
    final var wasAskedToBegin = false
    /// Whether a blind area lies over its element where the pointer was pressed.
    package final var isInGestureExclusion = false
    /// Whether what it sees is made of scroll events.
    final var isDrivenNow = false
    final weak var arbiter: GestureArbiter?
    /// What it hung on when it joined the gesture.
    final weak var element: (any GestureTarget)?
    private final var prerequisites: [Prerequisite] = []

    private struct Prerequisite {
        weak var recognizer: GestureRecognizer?
    }

    public init(name: String) { self.name = name }

    /// Whether it has begun and not ended.
    public final var isActive: Bool { state == .began || state == .changed }

    /// Makes this one wait, each time, until `other` has failed.
    public final func requireFailure(of other: GestureRecognizer) {
        prerequisites.removeAll { $0.recognizer == nil }
        prerequisites.append(Prerequisite(recognizer: other))
    }

    /// Takes it out of the gesture: an active one is cancelled, one that is still deciding fails.
    public final func cancel() { arbiter?.drop(self) }

    // MARK: - For subclasses to override

    /// The pointer went down. Called with `location` and `time` set, like the others.
    open func pressed(_ event: PointerEvent) {}
    /// The pointer moved.
    open func moved(_ event: PointerEvent) {}
    /// The pointer went up.
    open func released(_ event: PointerEvent) {}
    /// `deadline` has come.
    open func advance(to now: HostTime) {}
    /// When `advance` is to be called, if nothing else happens. One that is still possible when all pointers are up, and
    /// neither has a deadline nor waits for another, fails.
    open var deadline: HostTime? { nil }
    /// The gesture is over, and it is possible again.
    open func reset() {}
    /// Whether the gesture may begin, by the recognizer's own rules; asked once, before the delegate.
    open func canBegin() -> Bool { true }
    /// It is about to begin, and `others` took part in the same gesture.
    open func willBegin(among others: [GestureRecognizer]) {}
    /// `other` has begun while this one is still deciding; one that leaves it at that may fail.
    open func hasBegun(_ other: GestureRecognizer) {}
    /// Whether it has to wait until `other` fails.
    open func requiresFailure(of other: GestureRecognizer) -> Bool {
        prerequisites.contains { $0.recognizer === other } || delegate?.requiresFailure(self, of: other) == true
    }
    /// Whether it takes the gesture away from `other`, which is cancelled.
    open func cancels(_ other: GestureRecognizer) -> Bool { cancelsOthers }
    /// Whether `other` may not begin any more once this one has.
    open func prevents(_ other: GestureRecognizer) -> Bool { true }
    /// Whether `press` may go on with what began before the pointers were up; asked while it waits for its deadline.
    open func continues(with press: PointerEvent) -> Bool { false }
    /// Whether scroll events are made into moves of a pointer for it.
    open var followsScroll: Bool { false }
    /// Whether it sees the other pointers, too, that go down while the first is.
    open var followsOtherPointers: Bool { false }
    /// Another pointer than the one that the gesture is about went down, moved, went up or was lost, while that one is
    /// down. `location` is not this one's.
    open func anotherPointer(_ event: PointerEvent) {}

    // MARK: - For subclasses to call

    /// Asks to begin.
    public final func begin() { if state == .possible { request = .begin } }

    /// Asks to be recognized, and thereby done.
    public final func recognize() { if state == .possible { request = .recognize } }

    /// The gesture went on.
    public final func change() { if isActive { enter(.changed) } }

    /// The gesture is complete; one that still waits for its begin will end right after it.
    public final func end() {
        if isActive {
            enter(.ended)
        } else if state == .possible, request == .begin {
            endsWhenBegun = true
        }
    }

    /// This is some other gesture.
    public final func fail() {
        guard state == .possible else { return }
        request = nil
        enter(.failed)
    }

    // MARK: - For the arbiter

    /// Whether it may still begin.
    final var isDeciding: Bool { state == .possible }
    /// Whether it had the gesture, or has it.
    final var hasWon: Bool { isActive || state == .ended || state == .recognized }

    final func enter(_ new: State) {
        let old = state
        state = new
        if old != new { arbiter?.report(self, from: old) }
        onChange?(self)
    }

    /// Ends its part in the gesture, by whatever was decided elsewhere.
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
