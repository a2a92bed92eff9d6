import GlissadeGeometry
import GlissadeInput

/// Numbers the fingers on all touch screens, and ends the touches whose end the X server does not report.
///
/// The server's numbers grow without limit and can be reused. Here, fingers have the numbers 1 to `capacity`, each the
/// lowest that is free. Further fingers are ignored, as are reports about unknown fingers.
struct FingerTracker {
    /// The maximum number of fingers at once.
    static let capacity = 10

    /// A change of a finger, to be passed on to the finger's window.
    struct Change: Hashable {
        var phase: PointerEvent.Phase
        /// The finger's number, from 1.
        var pointer: Int
        var window: UInt32
        /// The position in the window, in pixels.
        var position: Point
    }

    private struct Finger {
        var device: UInt16
        var id: UInt32
        var window: UInt32
        var position: Point
    }

    private var fingers = [Finger?](repeating: nil, count: capacity)

    /// The number of fingers that touch a screen.
    var count: Int { fingers.count { $0 != nil } }

    /// Handles one report. Calls `body` for each change that results.
    ///
    /// - Parameter isCancelled: Whether the end of the touch is not the user's doing, but that of a lost device.
    mutating func handle(_ touch: XInputEvent.Touch, isCancelled: Bool = false, _ body: (Change) -> Void) {
        let known = fingers.firstIndex { $0?.id == touch.id && $0?.device == touch.device }
        switch touch.phase {
        case .began:
            // The end of an earlier touch with the same number was lost.
            if let known { end(known, .cancelled, body) }
            guard let free = fingers.firstIndex(where: { $0 == nil }) else { return }
            fingers[free] = Finger(
                device: touch.device, id: touch.id, window: touch.window, position: touch.position)
            body(Change(phase: .pressed, pointer: free + 1, window: touch.window, position: touch.position))
        case .moved:
            guard let known, move(known, to: touch.position), let finger = fingers[known] else { return }
            body(Change(phase: .moved, pointer: known + 1, window: finger.window, position: finger.position))
        case .ended:
            guard let known else { return }
            // The end of a lost device's touch may be reported without a position.
            if !isCancelled { _ = move(known, to: touch.position) }
            end(known, isCancelled ? .cancelled : .released, body)
        }
    }

    /// Cancels all touches on a device, and passes each cancellation to `body`.
    mutating func cancelFingers(on device: UInt16, _ body: (Change) -> Void) {
        for index in fingers.indices where fingers[index]?.device == device { end(index, .cancelled, body) }
    }

    /// Cancels all touches in a window, and passes each cancellation to `body`.
    mutating func cancelFingers(in window: UInt32, _ body: (Change) -> Void) {
        for index in fingers.indices where fingers[index]?.window == window { end(index, .cancelled, body) }
    }

    /// Forgets the fingers in windows that no longer exist.
    mutating func forgetFingers(where isClosed: (UInt32) -> Bool) {
        for index in fingers.indices {
            if let finger = fingers[index], isClosed(finger.window) { fingers[index] = nil }
        }
    }

    /// Returns whether the position changed.
    private mutating func move(_ index: Int, to position: Point) -> Bool {
        guard fingers[index]?.position != position else { return false }
        fingers[index]?.position = position
        return true
    }

    private mutating func end(_ index: Int, _ phase: PointerEvent.Phase, _ body: (Change) -> Void) {
        guard let finger = fingers[index] else { return }
        fingers[index] = nil
        body(Change(phase: phase, pointer: index + 1, window: finger.window, position: finger.position))
    }
}
