import GlissadePlatform

/// The lock that protects everything used for drawing: renderers, the images and frames that they draw, their outputs,
/// and OpenGL contexts.
///
/// Normally, the main thread uses these objects. When it is late, the film thread (`FilmThread`) uses them instead.
/// Renderers, images and frames take the lock themselves. Callers must hold the lock while they use outputs or X
/// connections, and during sequences of calls that another thread must not interrupt. Acquire the lock before any other
/// lock.
public enum RenderLock {
    private static let lock = RecursiveLock()
    // nonisolated(unsafe): guarded by the lock.
    private nonisolated(unsafe) static var depth = 0
    private nonisolated(unsafe) static var hasOtherThreads = false

    /// Whether threads other than the main thread may draw. If so, a thread that releases the lock also releases the
    /// OpenGL context, which can be current on only one thread at a time.
    public static var isShared: Bool {
        get { withLock { hasOtherThreads } }
        set {
            withLock {
                // Set for every frame, mostly without a change.
                guard newValue != hasOtherThreads else { return }
                hasOtherThreads = newValue
                // The thread that clears the flag may not be the one that uses the context next.
                if !newValue { GLContext.unbind() }
            }
        }
    }

    /// Waits until no other thread holds the lock, then runs `body` with the lock held. Calls may be nested.
    public static func withLock<R: ~Copyable, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        try lock.withLock { () throws(E) -> R in
            depth += 1
            defer {
                depth -= 1
                if depth == 0, hasOtherThreads { GLContext.unbind() }
            }
            return try body()
        }
    }
}
