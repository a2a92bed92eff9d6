import CGLES

/// One OpenGL ES context, as far as it matters which one is current: for what contexts that share objects do not share
/// (framebuffers, vertex arrays), and for the order in which they touch what they do share.
///
/// Main thread. Whoever makes a context owns one of these, calls `makeCurrent` in place of the window system's own call,
/// and `end` before the context is destroyed.
@MainActor public final class GLContext {
    /// The context that OpenGL ES calls of the main thread reach; nil before the first, and after its end.
    public private(set) static var current: GLContext?
    /// How often another context became current.
    private(set) static var switches = 0

    /// Contexts that share objects.
    private final class Group {}

    private let group: Group
    private(set) var isEnded = false
    /// What was released while another context was current.
    private var framebuffers: [GLuint] = []
    private var vertexArrays: [GLuint] = []

    /// A context that is current on this thread already.
    ///
    /// - Parameter other: the one that it shares objects with.
    public init(sharing other: GLContext? = nil) {
        group = other?.group ?? Group()
        Self.current = self
    }

    /// Makes this the current context by `bind`, which is the window system's call; nothing happens where it is already.
    ///
    /// What the context before wrote, drew or read of objects that both share is done before anything that this one does
    /// with them (OpenGL ES 3.0, appendix D: the one waits for the other's fence, and binds what has changed anew).
    /// - Parameter bind: returns whether the context is current now.
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

    /// Has others wait for what was done here. Nil where they need not.
    private func pass() -> GLsync? {
        let fence = glFenceSync(GLenum(GL_SYNC_GPU_COMMANDS_COMPLETE), 0)
        // Without it the other would wait for a command that was never sent.
        glFlush()
        return fence
    }

    /// The context is about to be destroyed, with all that only it has.
    public func end() {
        isEnded = true
        framebuffers = []
        vertexArrays = []
        if Self.current === self { Self.current = nil }
    }

    // MARK: - What is freed where it was made

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
