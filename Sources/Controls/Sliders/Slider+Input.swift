public import GlissadeGestures
public import GlissadeInput

// Pointer, wheel and keyboard input of the slider. Input that the slider does not use goes to the elements beneath.

extension Slider: @MainActor GestureTarget {

    /// Changes the value by one step per notch of a vertical scroll. Scrolling up increases the value. Ignores scrolls
    /// that are mainly horizontal.
    public func receive(_ event: ScrollEvent) -> Bool {
        guard isEnabled, event.deltaY.isFinite, event.deltaY != 0, !(abs(event.deltaX) > abs(event.deltaY)) else {
            return false
        }
        if !isDragged { change(to: value(stepsOn: event.deltaY), now: event.time) }
        return true
    }
}

extension Slider: Focusable {
    /// Handles the arrow keys, Home and End. Right and Up increase the value by one step. Left and Down decrease it by
    /// one step. Home and End set the value to the ends of `range`.
    public func handle(_ key: KeyEvent) -> Bool {
        guard canFocus, key.modifiers.isEmpty, let target = target(of: key) else { return false }
        // Keys have no effect during a drag.
        if !isDragged { change(to: target, now: key.time) }
        return true
    }

    private func target(of key: KeyEvent) -> Double? {
        switch key.key {
        case .left, .down: value(stepsOn: -1)
        case .right, .up: value(stepsOn: 1)
        case .home: range.lowerBound
        case .end: range.upperBound
        default: nil
        }
    }
}
