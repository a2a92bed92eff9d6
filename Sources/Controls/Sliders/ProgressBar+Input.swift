public import GlissadeGestures
public import GlissadeInput

// Pointer and keyboard input of the progress bar. Input that the bar does not use goes to the elements beneath.

extension ProgressBar: @MainActor GestureTarget {
}

extension ProgressBar: Focusable {
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
