import CGLES

/// An OpenGL ES context. Tracks which context is current: contexts that share objects do not share framebuffers and
/// vertex arrays, and must synchronize their use of the shared objects.
///
/// Main thread. The owner of a context creates a `GLContext` for it, calls `makeCurrent` instead of the window system's
/// function, and calls `end` before the context is destroyed.
@MainActor public final class GLContext {
    /// The context that is current on the main thread; nil before the first one, and after its end.
    public private(set) static var current: GLContext?
    /// How often the current context has changed.
    private(set) static var switches = 0

    /// Identifies a group of contexts that share objects.
    private final class Group {}

    private let group: Group
    private(set) var isEnded = false
    /// Objects released while another context was current. Deleted when this one becomes current.
    private var framebuffers: [GLuint] = []
    private var vertexArrays: [GLuint] = []

    /// Wraps the context that is current on this thread.
    ///
    /// - Parameter other: The context that it shares objects with.
    public init(sharing other: GLContext? = nil) {
        group = other?.group ?? Group()
        Self.current = self
    }

    /// Makes this context current by calling `bind`, the window system's function. Does nothing if it is current
    /// already.
    ///
    /// If the previous context shares objects with this one, the GPU completes the previous context's work first, by
    /// waiting for a fence (OpenGL ES 3.0, appendix D, which also requires that changed objects are bound again).
    /// - Parameter bind: Returns whether the context is current now.
    public func makeCurrent(_ bind: () -> Bool) {
        let previous = Self.current
        guard previous !== self else { return }
        var fence: GLsync?
        if let previous, !previous.isEnded, previous.group === group { fence = previous.pass() }
        guard bind() else { return }
        Self.current = self
        if let fence {
            glWaitSync(fence, 0, GLuint64.max)  // GL_TIMEOUT_IGNORED
            glDeleteSync(fence)
        }
        Self.switches &+= 1
        deleteReleased()
    }

    /// Returns a fence that is passed when this context's work is done; nil if the driver cannot make one.
    private func pass() -> GLsync? {
        let fence = glFenceSync(GLenum(GL_SYNC_GPU_COMMANDS_COMPLETE), 0)
        // Without a flush, the other context could wait for a command that was never submitted.
        glFlush()
        return fence
    }

    /// Stops tracking the context. Must be called before the context and its unshared objects are destroyed.
    public func end() {
        isEnded = true
        framebuffers = []
        vertexArrays = []
        if Self.current === self { Self.current = nil }
    }

    // MARK: - Unshared objects

    func delete(framebuffer name: GLuint) {
        if isEnded { return }
        framebuffers.append(name)
        if Self.current === self { deleteReleased() }
    }

    func delete(vertexArray name: GLuint) {
        if isEnded { return }
        vertexArrays.append(name)
        if Self.current === self { deleteReleased() }
    }

    private func deleteReleased() {
        if !framebuffers.isEmpty {
            glDeleteFramebuffers(GLsizei(framebuffers.count), framebuffers)
            framebuffers.removeAll(keepingCapacity: true)
        }
        if !vertexArrays.isEmpty {
            glDeleteVertexArrays(GLsizei(vertexArrays.count), vertexArrays)
            vertexArrays.removeAll(keepingCapacity: true)
        }
    }
}
