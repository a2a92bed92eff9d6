import GlissadeGeometry
import GlissadeInput

/// Turns the gestures that the X server recognizes on a touchpad into fingers: a swipe into one finger that drags, and a
/// pinch into two. Recognizers then need to know nothing of touchpads.
struct GestureFingers {
    /// The numbers of the fingers, which follow those of touch screens.
    static let (first, second) = (FingerTracker.capacity + 1, FingerTracker.capacity + 2)
    /// The distance between the two fingers when a pinch begins, in pixels.
    static let pinchDistance = 100.0
    /// The limits of a pinch's scale.
    static let scales = 0.01...100.0
    /// The limit of a swipe's coordinates, in pixels.
    static let farthest = 1e6

    private var current: XInputEvent.Gesture?

    /// Handles one report. Calls `body` for each change that results. Ignores reports about a gesture whose beginning was
    /// not reported, and any other gesture in between.
    mutating func handle(_ gesture: XInputEvent.Gesture, _ body: (FingerTracker.Change) -> Void) {
        if gesture.phase == .began {
            cancel(body)
            current = gesture
            body(change(.pressed, gesture, Self.first))
            if gesture.kind == .pinch { body(change(.pressed, gesture, Self.second)) }
            return
        }
        guard var known = current, known.device == gesture.device, known.kind == gesture.kind else { return }
        switch known.kind {
        case .swipe:
            known.position.x = Self.clamp(known.position.x + gesture.delta.x)
            known.position.y = Self.clamp(known.position.y + gesture.delta.y)
        case .pinch: known.scale = gesture.scale
        }
        let moved = known.kind == .swipe ? Self.first : Self.second
        current = known
        if gesture.phase == .moved || !gesture.isCancelled { body(change(.moved, known, moved)) }
        if gesture.phase == .ended { end(gesture.isCancelled ? .cancelled : .released, body) }
    }

    /// Cancels the gesture in progress.
    mutating func cancel(_ body: (FingerTracker.Change) -> Void) { end(.cancelled, body) }

    /// Cancels the gesture on a device.
    mutating func cancel(on device: UInt16, _ body: (FingerTracker.Change) -> Void) {
        if current?.device == device { cancel(body) }
    }

    /// Cancels the gesture in a window.
    mutating func cancel(in window: UInt32, _ body: (FingerTracker.Change) -> Void) {
        if current?.window == window { cancel(body) }
    }

    private mutating func end(_ phase: PointerEvent.Phase, _ body: (FingerTracker.Change) -> Void) {
        guard let ended = current else { return }
        current = nil
        if ended.kind == .pinch { body(change(phase, ended, Self.second)) }
        body(change(phase, ended, Self.first))
    }

    private func change(
        _ phase: PointerEvent.Phase, _ gesture: XInputEvent.Gesture, _ pointer: Int
    ) -> FingerTracker.Change {
        var position = gesture.position
        if pointer == Self.second {
            position.x += Self.pinchDistance * min(max(gesture.scale, Self.scales.lowerBound), Self.scales.upperBound)
        }
        return FingerTracker.Change(phase: phase, pointer: pointer, window: gesture.window, position: position)
    }

    private static func clamp(_ value: Double) -> Double { min(max(value, -farthest), farthest) }
}
