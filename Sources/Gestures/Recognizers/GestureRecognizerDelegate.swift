public import GlissadeInput

/// Decides whether a recognizer takes part in a gesture, begins, waits for another, or shares the gesture.
public protocol GestureRecognizerDelegate: AnyObject {
    /// Whether `recognizer` takes part in the press `pointer`. Asked at each press, and at the start of a scroll with a
    /// simulated press.
    func shouldReceive(_ pointer: PointerEvent, by recognizer: GestureRecognizer) -> Bool

    /// Whether `recognizer` may begin. Asked once per gesture, when the recognizer wants to begin. If the answer is
    /// false, the recognizer fails.
    func shouldBegin(_ recognizer: GestureRecognizer) -> Bool

    /// Whether `recognizer` and `other` may share the gesture. Asked when one of the two wants to begin and the other
    /// has already won, and when one is about to take the gesture from the other. It is enough for one of their
    /// delegates to return true.
    func shouldRecognizeSimultaneously(_ recognizer: GestureRecognizer, with other: GestureRecognizer) -> Bool

    /// Whether `recognizer` must wait until `other` has failed. If `other` wins instead, `recognizer` fails.
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
