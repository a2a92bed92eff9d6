import GlissadeCGLES
import Glibc

/// The window system's functions for an OpenGL context and the surface, usually a window, that the context draws into.
/// They are called while `RenderLock` is held.
public protocol GLOutput: AnyObject {
    /// Makes the context current on this thread. Returns false if that fails.
    func bind() -> Bool
    /// Releases the context from this thread. Called while the context is current on this thread.
    func unbind()
    /// Whether a frame can be drawn and shown without waiting for earlier frames.
    var isReady: Bool { get }
    /// Shows the frame drawn last. Called while the context is current.
    ///
    /// - Throws: `presentation` if the frame cannot be shown.
    func swap() throws(RenderingError)
}

/// Wraps a native OpenGL ES context. The type tracks which context is current. It also synchronizes the use of objects
/// that several contexts share. Framebuffers and vertex arrays are never shared.
///
/// The owner of a native context creates a `GLContext` for it, calls `makeCurrent` instead of the window system's own
/// function, such as `eglMakeCurrent`, and calls `end` before destroying the native context.
///
/// Threads: any thread that holds `RenderLock`; `init`, `makeCurrent` and `end` take it themselves. If
/// `RenderLock.isShared` is true, the current context is bound to a thread only while that thread holds the lock.
/// Otherwise, it stays bound to the thread that used it last.
public final class GLContext {
    /// The context that OpenGL calls refer to; nil before the first context is created, and after the current one has
    /// ended.
    public private(set) nonisolated(unsafe) static var current: GLContext?
    /// The thread to which `current` is bound; nil if there is none. OpenGL calls have an effect only on this thread.
    private nonisolated(unsafe) static var thread: pthread_t?
    /// The number of times that `makeCurrent` has switched to another context.
    private(set) nonisolated(unsafe) static var switches = 0

    /// Identifies a group of contexts that share objects.
    private final class Group {}

    private let group: Group
    private let output: any GLOutput
    private(set) var isEnded = false
    /// The names of framebuffers to delete once this context is current. `vertexArrays` are deleted in the same way.
    private var framebuffers: [GLuint] = []
    private var vertexArrays: [GLuint] = []

    /// Wraps the OpenGL context that is current on this thread, and makes it `current`. If the context shares objects
    /// with other contexts, the GPU completes earlier work on these objects before it continues.
    ///
    /// - Parameter other: A context with which the new one shares objects; nil if there is none.
    public init(_ output: any GLOutput, sharing other: GLContext? = nil) {
        self.output = output
        group = other?.group ?? Group()
        RenderLock.withLock {
            let previous = Self.current
            Self.current = self
            Self.thread = pthread_self()
            let isRelated = previous.map { $0 !== self && !$0.isEnded && $0.group === group } ?? false
            guard let worker = isRelated ? previous : other, !worker.isEnded else { return }
            // Switching back makes the GPU wait for a fence.
            worker.makeCurrent()
            makeCurrent()
        }
    }

    /// Runs `body` with `RenderLock` held and the current context bound to this thread. If the context cannot be bound,
    /// `body` runs anyway, but its OpenGL calls have no effect.
    static func use<R: ~Copyable, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        try RenderLock.withLock { () throws(E) -> R in
            if let current, !isBoundHere, current.output.bind() { thread = pthread_self() }
            return try body()
        }
    }

    private static var isBoundHere: Bool { thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }

    /// Releases the current context from this thread, so that another thread can use it. Does nothing if no context is
    /// bound to this thread.
    static func unbind() {
        guard isBoundHere else { return }
        current?.output.unbind()
        thread = nil
    }

    /// Whether a frame can be drawn and shown without waiting for earlier frames. False once the context has ended.
    var isReady: Bool { !isEnded && output.isReady }

    /// Shows the frame drawn last. The context must be current. Does nothing once the context has ended.
    ///
    /// - Throws: `presentation` if the frame cannot be shown.
    func swap() throws(RenderingError) { if !isEnded { try output.swap() } }

    /// Makes this context current and binds it to this thread. If binding fails, or if this context has ended, the
    /// previous context stays current.
    ///
    /// If the previous context shares objects with this one, the GPU completes the work of the previous context first,
    /// by waiting for a fence. Shared objects that the previous context has changed must be bound again before they are
    /// used (OpenGL ES 3.0, appendix D).
    public func makeCurrent() { RenderLock.withLock { makeCurrentLocked() } }

    private func makeCurrentLocked() {
        if isEnded { return }
        let previous = Self.current
        guard previous !== self else { return Self.use {} }
        var fence: GLsync?
        if let previous, !previous.isEnded, previous.group === group { fence = Self.use { previous.pass() } }
        guard output.bind() else { return }
        Self.thread = pthread_self()
        Self.current = self
        if let fence {
            glWaitSync(fence, 0, GLuint64.max)  // GL_TIMEOUT_IGNORED
            glDeleteSync(fence)
        }
        Self.switches &+= 1
        deleteReleased()
    }

    /// Returns a fence that is signaled when the GPU has completed the work of this context; nil if the driver cannot
    /// make one.
    private func pass() -> GLsync? {
        let fence = glFenceSync(GLenum(GL_SYNC_GPU_COMMANDS_COMPLETE), 0)
        // Without a flush, the other context could wait for a command that was never submitted.
        glFlush()
        return fence
    }

    /// Stops tracking the context. Must be called before the context and its unshared objects are destroyed.
    public func end() {
        RenderLock.withLock {
            isEnded = true
            framebuffers = []
            vertexArrays = []
            guard Self.current === self else { return }
            Self.current = nil
            // For OpenGL itself, the context may stay current on this thread until it is destroyed.
            Self.thread = nil
        }
    }

    // MARK: - Unshared objects

    func delete(framebuffer name: GLuint) {
        RenderLock.withLock {
            if isEnded { return }
            framebuffers.append(name)
            if Self.current === self { Self.use { deleteReleased() } }
        }
    }

    func delete(vertexArray name: GLuint) {
        RenderLock.withLock {
            if isEnded { return }
            vertexArrays.append(name)
            if Self.current === self { Self.use { deleteReleased() } }
        }
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
