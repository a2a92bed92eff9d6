import CGLFW
import Geometry
import Input
import Platform
import Presentation

/// Collects what GLFW's callbacks say about one window until the frame loop takes it. Main thread.
@MainActor final class GLFWEventQueue {
    private let handle: OpaquePointer
    private weak var window: Window?
    private var events: [WindowEvent] = []

    /// Points in one of GLFW's units.
    var pointsPerUnit = 1.0
    private var position: Point?
    private var heldButtons: Set<Int32> = []
    /// Whether the key that is being typed is repeating; the character callback follows the key's and does not say.
    private var isRepeat = false
    private var keyModifiers: Modifiers = []

    init(_ handle: OpaquePointer) { self.handle = handle }

    func attach(to window: Window) {
        self.window = window
        glfwSetWindowUserPointer(handle, Unmanaged.passUnretained(self).toOpaque())
        // Whether Num Lock is on decides if the number pad types or moves.
        glfwSetInputMode(handle, GLFW_LOCK_KEY_MODS, GLFW_TRUE)
        attachCallbacks(to: handle)
        FileDrops.register(self, for: handle)
    }

    /// Hands over what happened, in order, and keeps the storage of `taken` for what happens next.
    func take(into taken: inout [WindowEvent]) {
        taken.removeAll(keepingCapacity: true)
        swap(&taken, &events)
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
        window?.needsLook()
        events.append(.needsRedraw)
    }

    func record(_ event: WindowEvent) { events.append(event) }

    func iconified(_ isIconified: Bool) {
        window?.setIconified(isIconified)
        events.append(.iconified(isIconified))
    }

    /// GLFW lets go of every held button after this: a press that ends so was cancelled, not released.
    func focusChanged(_ isFocused: Bool) {
        events.append(.focusChanged(isFocused))
        guard !isFocused, !heldButtons.isEmpty else { return }
        for button in heldButtons { pointer(.cancelled, button: Self.button(button)) }
        heldButtons.removeAll(keepingCapacity: true)
    }

    // MARK: - The pointer

    func moved(x: Double, y: Double) {
        position = Point(x: x * pointsPerUnit, y: y * pointsPerUnit)
        pointer(.moved)
    }

    func entered(_ isInside: Bool) { pointer(isInside ? .entered : .left) }

    func clicked(_ button: Int32, isPress: Bool, modifiers: Int32) {
        if isPress {
            heldButtons.insert(button)
        } else if heldButtons.remove(button) == nil {
            return
        }
        pointer(isPress ? .pressed : .released, button: Self.button(button), modifiers: Self.modifiers(modifiers))
    }

    func scrolled(x: Double, y: Double) {
        events.append(
            .input(
                .scroll(
                    ScrollEvent(
                        deltaX: x, deltaY: y, position: knownPosition, modifiers: heldModifiers, time: .now()))))
    }

    private func pointer(_ phase: PointerEvent.Phase, button: PointerEvent.Button? = nil, modifiers: Modifiers? = nil) {
        events.append(
            .input(
                .pointer(
                    PointerEvent(
                        phase: phase, position: knownPosition, button: button, modifiers: modifiers ?? heldModifiers,
                        time: .now()))))
    }

    /// Where the last move ended. GLFW can be asked, but answers under X11 with where the pointer is by now.
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

    /// A key went down, repeats or came up. What types a character is left to `typed`, which GLFW calls right after,
    /// except with Control or Alt, where it does not (`_glfwInputChar` in its input.c).
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

    /// A character was typed, Shift and layout applied.
    func typed(_ codepoint: UInt32) {
        // Space is a named key; a no-break space is the same key with a modifier, in French and other layouts.
        guard codepoint != 0x20, codepoint != 0xA0, let scalar = Unicode.Scalar(codepoint) else { return }
        // The number pad's own keys type only where `NamedKey` says that they do not move.
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

    /// The modifiers whose keys GLFW saw go down and not up; for events that come without.
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
