import GlissadeCGLFW
import GlissadeCXlib
import GlissadeGeometry
import GlissadeInput
import GlissadePlatform
import GlissadePresentation
import GlissadeTime

/// Collects one window's events from GLFW's callbacks until the frame loop takes them. Main thread.
@MainActor final class GLFWEventQueue {
    private let handle: OpaquePointer
    private weak var window: Window?
    /// The window's ID at the X server.
    private let windowID: XID
    private var events: [WindowEvent] = []

    var pointsPerUnit = 1.0
    private var position: Point?
    /// The last moves of the mouse, at one time of the X server: the time, and the index of the first of the events.
    private var lastMoves: (time: UInt32, first: Int)?
    private var heldButtons: Set<Int32> = []
    /// Whether the last key event was a repeat. The character callback, which GLFW calls after the key callback, does
    /// not report repeats.
    private var isRepeat = false
    private var keyModifiers: Modifiers = []

    init(_ handle: OpaquePointer, windowID: XID) {
        (self.handle, self.windowID) = (handle, windowID)
    }

    func attach(to window: Window) {
        self.window = window
        glfwSetWindowUserPointer(handle, Unmanaged.passUnretained(self).toOpaque())
        // Makes GLFW report Num Lock, which decides whether number pad keys type digits or move the cursor.
        glfwSetInputMode(handle, GLFW_LOCK_KEY_MODS, GLFW_TRUE)
        attachCallbacks(to: handle)
        FileDrops.register(self, for: windowID)
        Touches.register(self, for: windowID)
    }

    /// Replaces the content of `taken` with the collected events, in order. The queue and `taken` swap their storage,
    /// so nothing is allocated.
    func take(into taken: inout [WindowEvent]) {
        taken.removeAll(keepingCapacity: true)
        swap(&taken, &events)
        lastMoves = nil
    }

    // MARK: - The window

    func resized() {
        guard let window else { return }
        let (size, scale) = (window.pixelSize, window.scale)
        window.readMetrics()
        window.geometryChanged()
        if window.scale != scale { events.append(.scaleChanged(window.scale)) }
        if window.pixelSize != size { events.append(.resized(window.pixelSize)) }
    }

    func wasMoved(to corner: Point) {
        window?.wasMoved(to: corner)
        events.append(.moved(corner))
    }

    func damaged() {
        window?.setNeedsPoll()
        events.append(.needsRedraw)
    }

    func record(_ event: WindowEvent) { events.append(event) }

    func iconified(_ isIconified: Bool) {
        window?.setIconified(isIconified)
        events.append(.iconified(isIconified))
        if isIconified { Touches.cancel(in: windowID) }
    }

    /// Records that the window gained or lost the focus. Losing the focus cancels all touches and the presses of all
    /// held buttons. `clicked` ignores the releases that GLFW then reports for these buttons.
    func focusChanged(_ isFocused: Bool) {
        events.append(.focusChanged(isFocused))
        guard !isFocused else { return }
        Touches.cancel(in: windowID)
        guard !heldButtons.isEmpty else { return }
        for button in heldButtons { pointer(.cancelled, button: Self.button(button)) }
        heldButtons.removeAll(keepingCapacity: true)
    }

    // MARK: - The pointer

    func moved(x: Double, y: Double) {
        position = Point(x: x * pointsPerUnit, y: y * pointsPerUnit)
        let time = PointerTimes.motion(in: windowID, x: x, y: y)
        noteMove()
        pointer(.moved, time: time)
    }

    func entered(_ isInside: Bool) {
        let time = PointerTimes.crossing(of: windowID, isInside: isInside)
        if isInside { noteMove() }
        Touches.setHovered(self, isInside)
        pointer(isInside ? .entered : .left, time: time)
    }

    private func noteMove() {
        guard let time = PointerTimes.serverTime else { return lastMoves = nil }
        if lastMoves?.time != time { lastMoves = (time, events.count) }
    }

    /// Removes the mouse's last moves if they happened at `time`, in milliseconds of the X server: the server moves the
    /// mouse to where a finger begins to touch.
    func dropMouse(at time: UInt32) {
        guard let moves = lastMoves, moves.time == time else { return }
        lastMoves = nil
        while events.count > moves.first, events[events.count - 1].isMouseMove { events.removeLast() }
    }

    /// Records a change of a finger at `time`.
    func finger(_ change: FingerTracker.Change, at time: HostTime) {
        let position = Point(x: change.position.x * pointsPerUnit, y: change.position.y * pointsPerUnit)
        events.append(
            .input(
                .pointer(
                    PointerEvent(
                        phase: change.phase, position: position, button: change.phase == .moved ? nil : .primary,
                        modifiers: heldModifiers, time: time, pointer: change.pointer))))
    }

    func clicked(_ button: Int32, isPress: Bool, modifiers: Int32) {
        if isPress {
            heldButtons.insert(button)
        } else if heldButtons.remove(button) == nil {
            return
        }
        pointer(
            isPress ? .pressed : .released, button: Self.button(button), modifiers: Self.modifiers(modifiers),
            time: PointerTimes.button(button, in: windowID, isPress: isPress))
    }

    /// Records a scroll by a wheel. Ignores one that has already been recorded by its exact distance.
    func scrolled(x: Double, y: Double) {
        guard !Touches.hasScrolled(at: PointerTimes.scroll(in: windowID)) else { return }
        events.append(
            .input(
                .scroll(
                    ScrollEvent(
                        deltaX: x, deltaY: y, position: knownPosition, modifiers: heldModifiers, time: .now()))))
    }

    /// Records a scroll by two fingers at `time`.
    func scrolled(_ scroll: ScrollDevices.Scroll, at time: HostTime) {
        events.append(
            .input(
                .scroll(
                    ScrollEvent(
                        deltaX: scroll.deltaX, deltaY: scroll.deltaY, position: knownPosition,
                        modifiers: heldModifiers, time: time, isPrecise: true, isEnd: scroll.isEnd))))
    }

    private func pointer(
        _ phase: PointerEvent.Phase, button: PointerEvent.Button? = nil, modifiers: Modifiers? = nil,
        time: HostTime? = nil
    ) {
        events.append(
            .input(
                .pointer(
                    PointerEvent(
                        phase: phase, position: knownPosition, button: button, modifiers: modifiers ?? heldModifiers,
                        time: time ?? .now()))))
    }

    /// The pointer's position at its last reported move, in points. Before the first reported move, the position when
    /// this property is first read.
    private var knownPosition: Point {
        if let position { return position }
        var (x, y) = (0.0, 0.0)
        glfwGetCursorPos(handle, &x, &y)
        let asked = Point(x: x * pointsPerUnit, y: y * pointsPerUnit)
        position = asked
        return asked
    }

    private static func button(_ button: Int32) -> PointerEvent.Button {
        switch button {
        case GLFW_MOUSE_BUTTON_LEFT: .primary
        case GLFW_MOUSE_BUTTON_RIGHT: .secondary
        case GLFW_MOUSE_BUTTON_MIDDLE: .middle
        default: .other(Int(button))
        }
    }

    // MARK: - The keys

    /// Handles a key event. A key release only updates the state for later events.
    ///
    /// A key that types a character is left to `typed`, which GLFW's character callback calls next. With Control or Alt
    /// held, GLFW does not call that callback (`_glfwInputChar` in GLFW's input.c), so the key is handled here.
    func key(_ key: Int32, scancode: Int32, action: Int32, modifiers bits: Int32) {
        keyModifiers = Self.modifiers(bits)
        isRepeat = action == GLFW_REPEAT
        guard action != GLFW_RELEASE else { return }
        if let named = NamedKey.key(key, modifiers: bits) {
            press(named, keyModifiers)
        } else if key == GLFW_KEY_UNKNOWN {
            let escape = glfwGetKeyScancode(GLFW_KEY_ESCAPE)
            if let media = NamedKey.mediaKey(scancode: scancode, escape: escape) { press(media, keyModifiers) }
        } else if !keyModifiers.isDisjoint(with: [.control, .alt]),
            let name = glfwGetKeyName(key, scancode), let character = String(cString: name).first
        {
            press(.character(character), keyModifiers)
        }
    }

    /// Handles a typed character, which already reflects Shift and the keyboard layout.
    func typed(_ codepoint: UInt32) {
        // Space is a named key. In some layouts, such as the French one, that key types a no-break space while a
        // modifier is held.
        guard codepoint != 0x20, codepoint != 0xA0, let scalar = Unicode.Scalar(codepoint) else { return }
        // A number pad key types a character only if `NamedKey` does not map it to movement.
        press(.character(Character(scalar)), keyModifiers.subtracting([.shift, .control, .alt]))
    }

    private func press(_ key: Key, _ modifiers: Modifiers) {
        events.append(.input(.key(KeyEvent(key: key, modifiers: modifiers, isRepeat: isRepeat, time: .now()))))
    }

    private static func modifiers(_ bits: Int32) -> Modifiers {
        var modifiers: Modifiers = []
        if bits & GLFW_MOD_SHIFT != 0 { modifiers.insert(.shift) }
        if bits & GLFW_MOD_CONTROL != 0 { modifiers.insert(.control) }
        if bits & GLFW_MOD_ALT != 0 { modifiers.insert(.alt) }
        if bits & GLFW_MOD_SUPER != 0 { modifiers.insert(.command) }
        return modifiers
    }

    /// The modifiers that GLFW currently reports as held. Used for events that GLFW reports without modifiers.
    private var heldModifiers: Modifiers {
        var modifiers: Modifiers = []
        func held(_ keys: Int32...) -> Bool { keys.contains { glfwGetKey(handle, $0) == GLFW_PRESS } }
        if held(GLFW_KEY_LEFT_SHIFT, GLFW_KEY_RIGHT_SHIFT) { modifiers.insert(.shift) }
        if held(GLFW_KEY_LEFT_CONTROL, GLFW_KEY_RIGHT_CONTROL) { modifiers.insert(.control) }
        if held(GLFW_KEY_LEFT_ALT, GLFW_KEY_RIGHT_ALT) { modifiers.insert(.alt) }
        if held(GLFW_KEY_LEFT_SUPER, GLFW_KEY_RIGHT_SUPER) { modifiers.insert(.command) }
        return modifiers
    }
}

extension WindowEvent {
    /// Whether this event says that the mouse has moved in the window, or into it.
    fileprivate var isMouseMove: Bool {
        guard case .input(.pointer(let event)) = self else { return false }
        return event.pointer == 0 && (event.phase == .moved || event.phase == .entered)
    }
}
