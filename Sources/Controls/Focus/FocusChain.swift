public import Input
public import Time

/// Who has the keyboard, among the controls that can have it, and who is next.
///
/// Main thread. Keys go to the control that has it first; Tab goes on, Shift+Tab back, past those that cannot have it and
/// from either end to the other. A press of the pointer takes the keyboard, and with it the outline, from all of them;
/// the next Tab goes on from where it was. Controls are not kept alive.
@MainActor public final class FocusChain {
    private struct Link {
        weak var control: (any Focusable)?
    }

    private var links: [Link] = []
    /// Where the keyboard is, or was when the pointer took over; one that is gone keeps its place in the order.
    private var place: Int?
    private var hasFocus = false

    /// Whether Escape takes the keyboard from the control that has it, if that does not want the key.
    public var leavesOnEscape = true
    /// Called where the keyboard has come or gone.
    public var onChange: (@MainActor () -> Void)?

    public init(_ controls: [any Focusable] = []) {
        links = controls.map { Link(control: $0) }
    }

    /// The controls there are, in the order in which the keyboard goes through them.
    public var controls: [any Focusable] { links.compactMap(\.control) }

    /// The control that has the keyboard.
    public var focused: (any Focusable)? { hasFocus ? place.flatMap { links[$0].control } : nil }

    /// There are other controls. The one that has the keyboard keeps it if it is still among them, and can have it.
    public func setControls(_ controls: [any Focusable], now: HostTime) {
        let before = place.flatMap { links[$0].control }
        let kept = before.flatMap { old in controls.firstIndex { $0 === old } }
        if kept == nil { leave(now: now) }
        links = controls.map { Link(control: $0) }
        place = kept
        if kept == nil { hasFocus = false }
    }

    /// Gives `control` the keyboard; nobody where it is nil, not among the controls, or cannot have it.
    public func focus(_ control: (any Focusable)?, now: HostTime) {
        guard let control, control.canFocus, let index = links.firstIndex(where: { $0.control === control }) else {
            return leave(now: now)
        }
        move(to: index, now: now)
    }

    /// Takes the keyboard from the control that has it.
    public func leave(now: HostTime) {
        guard hasFocus else { return }
        let left = focused
        hasFocus = false
        left?.setFocused(false, now: now)
        onChange?()
    }

    /// The pointer was pressed somewhere: the outline goes.
    public func pointerWasPressed(now: HostTime) { leave(now: now) }

    /// A key went down.
    ///
    /// - Returns: whether it was for the control that has the keyboard, or for the way from one to the next.
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

    /// Goes to the next control that can have the keyboard; false where there is none.
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
