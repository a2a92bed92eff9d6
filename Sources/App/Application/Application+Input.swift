import Animation
import Geometry
import Gestures
import Input
import Layers
import Navigation
import Time
import Windowing

// What the hand and the keys do.

extension Application {
    func handle(_ input: InputEvent, now: HostTime) {
        switch input {
        case .key(let key): handle(key, now: now)
        case .pointer(let event):
            if event.phase == .pressed { playerPage?.pointerWasPressed(now: event.time) }
            arbiter.handle(input) { elements(at: $0, now: event.time) }
            follow(event)
        case .scroll(let event):
            arbiter.handle(input) { elements(at: $0, now: event.time) }
            setNeedsTick()
        }
    }

    /// What is under `point`, innermost first: a menu that is open has everything to itself.
    private func elements(at point: Point, now: HostTime) -> [any GestureTarget] {
        if topPage === playerPage, let elements = playerPage?.menuElements(at: point, now: now) { return elements }
        if let rowElement {
            return rowElement.layer.path(to: point, at: LocalTime(now)).compactMap { $0.owner as? any GestureTarget }
        }
        return stack.elements(at: point, now: now)
    }

    /// The pointer's place: what is under it looks so, and the controls come.
    private func follow(_ event: PointerEvent) {
        if event.phase == .moved || event.phase == .entered, isPlayerOnTop,
            pointer.hasMoved(to: event.position), playerPage?.wakeControls(now: event.time) == true
        {
            setNeedsTick()
        }
        let isOver = event.phase != .left && !arbiter.isTracking && (rowElement != nil || !stack.isTransitioning)
        let elements = isOver ? elements(at: event.position, now: event.time) : []
        if pointer.follow(isOver ? event.position : nil, elements: elements, now: event.time) { setNeedsTick() }
    }

    private func handle(_ key: KeyEvent, now: HostTime) {
        if let page = topPage as? any ProgramPage, rowElement != nil || !stack.isTransitioning, page.handle(key) {
            return setNeedsTick()
        }
        // What the hand is doing is taken back before anything else that a key does.
        if arbiter.handle(.key(key), path: { _ in [] }) { return setNeedsTick() }
        if let command = keyMap.command(for: key) { perform(command, now: now) }
    }

    /// Escape: takes back what the hand is doing, leaves fullscreen, goes back: the first of these that there is.
    func leave(now: HostTime) {
        if stack.isTransitioning, stack.cancelDrag(now: now) {
            arbiter.cancelAll(now: now)
        } else if fullscreen.isEntered {
            leaveFullscreen(now: now)
        } else if fullscreen.state != .inline {
            // On its way back already: a second press does not go on to the page.
        } else {
            back(now: now)
        }
    }

    func back(now: HostTime) {
        if rowElement != nil { return leaveFullscreen(now: now) }
        stack.pop(now: now)
        setNeedsTick()
    }
}
