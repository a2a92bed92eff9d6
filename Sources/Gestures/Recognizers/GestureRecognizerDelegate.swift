public import Input

/// Who is asked before a recognizer takes part, begins, or lives beside another; in the order of these functions.
public protocol GestureRecognizerDelegate: AnyObject {
    /// At the press: whether `recognizer` gets to see this pointer at all. A scroll that would drive a pan asks with a
    /// press at its place.
    func shouldReceive(_ pointer: PointerEvent, by recognizer: GestureRecognizer) -> Bool

    /// When `recognizer` would leave the state possible; a no fails it.
    func shouldBegin(_ recognizer: GestureRecognizer) -> Bool

    /// When `recognizer` would begin while `other` is active, or the other way round: one delegate's yes is enough.
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
