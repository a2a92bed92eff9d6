public import Geometry
public import Gestures
public import Input
public import Layers
public import Time

// Pointer and keyboard input of the progress bar. Input that the bar does not use goes to the elements beneath.

extension ProgressBar: @MainActor GestureTarget {
    public var recognizers: [GestureRecognizer] { track.recognizers }
    public var excludesPagePan: Bool { track.takesInput }
}

extension ProgressBar: HoverTarget {
    public func hover(_ point: Point?, now: HostTime) { track.hover(point, now: now) }
}

extension ProgressBar: Focusable {
    public var focusLayer: Layer { layer }
    public var canFocus: Bool { track.canFocus }
    public func setFocused(_ isFocused: Bool, now: HostTime) { track.setFocused(isFocused, now: now) }

    /// Calls `onStep` with the value that the Left, Right, Home or End key requests. The bar moves only when the owner
    /// sets that value.
    public func handle(_ key: KeyEvent) -> Bool {
        guard canFocus, let onStep, let target = target(of: key) else { return false }
        // Keys have no effect during a drag.
        if !isDragged, let fraction = target.fraction { onStep(fraction, key.time) }
        return true
    }

    private func target(of key: KeyEvent) -> Double? {
        guard key.modifiers.isEmpty else { return nil }
        return switch key.key {
        case .left: shownValue - step
        case .right: shownValue + step
        case .home: 0
        case .end: 1
        default: nil
        }
    }
}
