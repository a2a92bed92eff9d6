public import Input

/// Decides whether a recognizer takes part in a gesture, begins, or runs alongside another one. The functions are
/// called in the order of their declaration.
public protocol GestureRecognizerDelegate: AnyObject {
    /// Whether `recognizer` sees this pointer. Asked at the press. For a scroll, asked with a simulated press at the
    /// pointer's position.
    func shouldReceive(_ pointer: PointerEvent, by recognizer: GestureRecognizer) -> Bool

    /// Whether `recognizer` may begin. Asked once, when it wants to begin. If false, it fails.
    func shouldBegin(_ recognizer: GestureRecognizer) -> Bool

    /// Whether `recognizer` and `other` may share the gesture. Asked when one of the two wants to begin and the other
    /// has already won. It is enough if one delegate returns true.
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
