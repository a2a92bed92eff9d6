/// The reason why a window or an offscreen surface could not be created. Each is printed as one line.
public enum WindowingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is no display to open windows on; `reason` is GLFW's.
    case noDisplay(String)
    /// The window system or its driver cannot create a window; `reason` is GLFW's.
    case noWindow(String)
    /// EGL, which provides OpenGL ES, is missing or fails; `call` is the call that failed.
    case egl(call: String, code: Int32)
    /// No OpenGL ES 3 context; `reason` tells what the driver has instead.
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
