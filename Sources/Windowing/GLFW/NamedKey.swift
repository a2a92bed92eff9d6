import GlissadeCGLFW
import GlissadeInput

/// Maps GLFW's key codes to keys that have a name rather than a character.
enum NamedKey {
    /// Returns the named key for GLFW's key code `code`; nil for any other key, such as a modifier key or a key that
    /// types a character.
    ///
    /// A number pad key types its digit if exactly one of Num Lock and Shift is active. Otherwise it acts as a
    /// navigation or editing key.
    static func key(_ code: Int32, modifiers: Int32) -> Key? {
        switch code {
        case GLFW_KEY_SPACE: return .space
        case GLFW_KEY_ESCAPE: return .escape
        case GLFW_KEY_ENTER, GLFW_KEY_KP_ENTER: return .enter
        case GLFW_KEY_BACKSPACE: return .backspace
        case GLFW_KEY_TAB: return .tab
        case GLFW_KEY_DELETE: return .delete
        case GLFW_KEY_INSERT: return .insert
        case GLFW_KEY_LEFT: return .left
        case GLFW_KEY_RIGHT: return .right
        case GLFW_KEY_UP: return .up
        case GLFW_KEY_DOWN: return .down
        case GLFW_KEY_HOME: return .home
        case GLFW_KEY_END: return .end
        case GLFW_KEY_PAGE_UP: return .pageUp
        case GLFW_KEY_PAGE_DOWN: return .pageDown
        case GLFW_KEY_F1...GLFW_KEY_F25: return .function(Int(code - GLFW_KEY_F1) + 1)
        default:
            let types = (modifiers & GLFW_MOD_NUM_LOCK != 0) != (modifiers & GLFW_MOD_SHIFT != 0)
            return types ? nil : pad(code)
        }
    }

    /// Returns the media key for a scancode; nil for any other key.
    ///
    /// GLFW reports media keys as unknown keys with platform-specific scancodes. Under Wayland, the scancode is the
    /// evdev code. Under X11, it is the evdev code plus 8. The scancode of Escape, whose evdev code is 1, reveals the
    /// offset.
    ///
    /// - Parameter escape: The scancode of the Escape key, from `glfwGetKeyScancode`.
    static func mediaKey(scancode: Int32, escape: Int32) -> Key? {
        guard escape >= 1, scancode >= escape else { return nil }
        // Codes of linux/input-event-codes.h.
        switch scancode - escape + 1 {
        case 113: return .media(.mute)  // KEY_MUTE
        case 114: return .media(.volumeDown)  // KEY_VOLUMEDOWN
        case 115: return .media(.volumeUp)  // KEY_VOLUMEUP
        case 163: return .media(.next)  // KEY_NEXTSONG
        case 164: return .media(.playPause)  // KEY_PLAYPAUSE
        case 165: return .media(.previous)  // KEY_PREVIOUSSONG
        case 166: return .media(.stop)  // KEY_STOPCD
        case 200, 207: return .media(.play)  // KEY_PLAYCD, KEY_PLAY
        case 201: return .media(.pause)  // KEY_PAUSECD
        default: return nil
        }
    }

    private static func pad(_ code: Int32) -> Key? {
        switch code {
        case GLFW_KEY_KP_0: .insert
        case GLFW_KEY_KP_1: .end
        case GLFW_KEY_KP_2: .down
        case GLFW_KEY_KP_3: .pageDown
        case GLFW_KEY_KP_4: .left
        case GLFW_KEY_KP_6: .right
        case GLFW_KEY_KP_7: .home
        case GLFW_KEY_KP_8: .up
        case GLFW_KEY_KP_9: .pageUp
        case GLFW_KEY_KP_DECIMAL: .delete
        default: nil
        }
    }
}
