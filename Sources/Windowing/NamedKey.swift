import CGLFW
import Gestures

/// Which of GLFW's keys have a name of their own instead of a character.
enum NamedKey {
    /// The key that `code` is, or nil where it types a character (or is a modifier, which is no event).
    ///
    /// GLFW names keys by their place. The number pad's are the ones whose meaning changes: with Num Lock they type,
    /// without it, or with Shift held over it, they move.
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
