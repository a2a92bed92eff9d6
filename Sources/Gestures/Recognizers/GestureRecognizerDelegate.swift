public import Input

/// Decides whether a recognizer takes part, begins, or runs alongside another one. The functions are called in this
/// order.
public protocol GestureRecognizerDelegate: AnyObject {
    /// Asked at the press: whether `recognizer` sees this pointer. A scroll that would drive a pan asks with a press at
    /// its position.
    func shouldReceive(_ pointer: PointerEvent, by recognizer: GestureRecognizer) -> Bool

    /// Asked before `recognizer` leaves the state possible; false makes it fail.
    func shouldBegin(_ recognizer: GestureRecognizer) -> Bool

    /// Asked before `recognizer` begins while `other` is active, or vice versa. It is enough if one delegate returns
    /// true.
    func shouldRecognizeSimultaneously(_ recognizer: GestureRecognizer, with other: GestureRecognizer) -> Bool

    /// Whether `recognizer` must wait until `other` has failed.
    func requiresFailure(_ recognizer: GestureRecognizer, of other: GestureRecognizer) -> Bool
}

extension GestureRecognizerDelegate {
    public func shouldReceive(_ pointer: PointerEvent, by recognizer: GestureRecognizer) -> Bool { true }
    public func shouldBegin(_ recognizer: GestureRecognizer) -> Bool { true }
    public func shouldRecognizeSimultaneously(
        _ recognizer: GestureRecognizer, with other: GestureRecognizer
    ) -> Bool { false }
    public func requiresFailure(_ recognizer: GestureRecognizer, of other: GestureRecognizer) -> Bool { false }
}
