/// The reason why a window or an offscreen surface could not be created. Each description is a single line.
public enum WindowingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The window system's display cannot be opened, for the given reason.
    case noDisplay(String)
    /// A window or its output could not be created, for the given reason.
    case noWindow(String)
    /// The EGL function `call` failed with the EGL error `code`.
    case egl(call: String, code: Int32)
    /// There is no OpenGL ES 3 context, for the given reason.
    case noOpenGLES3(String)

    public var description: String {
        switch self {
        case .noDisplay(let reason): "no display: \(reason)"
        case .noWindow(let reason): "no window: \(reason)"
        case .egl(let call, let code): "no offscreen surface: \(call) failed (EGL error 0x\(String(code, radix: 16)))"
        case .noOpenGLES3(let reason): "OpenGL ES 3.0 is required: \(reason)"
        }
    }
}
