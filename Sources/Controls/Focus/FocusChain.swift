public import GlissadeInput
public import GlissadeTime

/// Manages the keyboard focus in an ordered list of controls.
///
/// The focused control gets keys first. Tab moves the focus to the next control, and Shift+Tab to the previous one.
/// Both skip controls that cannot have the focus, and wrap around. A pointer press removes the focus. The next Tab then
/// continues from the control that last had the focus. Controls are held weakly. Main thread.
@MainActor public final class FocusChain {
    private struct Link {
        weak var control: (any Focusable)?
    }

    private var links: [Link] = []
    /// The index in `links` of the control that has the focus or last had it; nil if there is no such control. Controls
    /// that have been freed stay in `links`, so that the index remains valid.
    private var place: Int?
    private var hasFocus = false

    /// Whether Escape removes the focus if the focused control does not use that key.
    public var leavesOnEscape = true
    /// Called when the focus changes.
    public var onChange: (@MainActor () -> Void)?

    public init(_ controls: [any Focusable] = []) {
        links = controls.map { Link(control: $0) }
    }

    /// The controls that still exist, in focus order.
    public var controls: [any Focusable] { links.compactMap(\.control) }

    /// The focused control; nil if no control has the focus.
    public var focused: (any Focusable)? { hasFocus ? place.flatMap { links[$0].control } : nil }

    /// Replaces the controls. The focused control keeps the focus only if it is among the new controls.
    public func setControls(_ controls: [any Focusable], now: HostTime) {
        let before = place.flatMap { links[$0].control }
        let kept = before.flatMap { old in controls.firstIndex { $0 === old } }
        if kept == nil { leave(now: now) }
        links = controls.map { Link(control: $0) }
        place = kept
        if kept == nil { hasFocus = false }
    }

    /// Moves the focus to `control`. Removes the focus if `control` is nil, cannot have it, or is not among the
    /// controls.
    public func focus(_ control: (any Focusable)?, now: HostTime) {
        guard let control, control.canFocus, let index = links.firstIndex(where: { $0.control === control }) else {
            return leave(now: now)
        }
        move(to: index, now: now)
    }

    /// Removes the focus. Does nothing if no control has it.
    public func leave(now: HostTime) {
        guard hasFocus else { return }
        let left = focused
        hasFocus = false
        left?.setFocused(false, now: now)
        onChange?()
    }

    /// Removes the focus. Call this for each pointer press in the window.
    public func pointerWasPressed(now: HostTime) { leave(now: now) }

    /// Offers a key to the focused control, then handles Tab and Escape.
    ///
    /// - Returns: Whether the key was used.
    public func handle(_ key: KeyEvent) -> Bool {
        if hasFocus, focused?.canFocus != true { leave(now: key.time) }
        if let focused, focused.handle(key) { return true }
        switch key.key {
        case .tab where key.modifiers.subtracting(.shift).isEmpty:
            return step(isBack: key.modifiers.contains(.shift), now: key.time)
        case .escape where key.modifiers.isEmpty && hasFocus && leavesOnEscape:
            leave(now: key.time)
            return true
        default: return false
        }
    }

    /// Moves the focus to the next control that can have it, or to the previous one if `isBack` is true. Returns false
    /// if no control can have the focus.
    private func step(isBack: Bool, now: HostTime) -> Bool {
        let count = links.count
        let start = place ?? (isBack ? count : -1)
        for distance in 0..<count {
            let index = (start + (isBack ? -1 - distance : 1 + distance) + 2 * count) % count
            guard links[index].control?.canFocus == true else { continue }
            move(to: index, now: now)
            return true
        }
        return false
    }

    private func move(to index: Int, now: HostTime) {
        if hasFocus, place == index { return }
        let left = focused
        place = index
        hasFocus = true
        left?.setFocused(false, now: now)
        links[index].control?.setFocused(true, now: now)
        onChange?()
    }
}
