import Platform

/// The lock that protects software rendering: renderers, the images and frames that they draw, and their outputs.
///
/// The main thread uses these objects; if it is late, the film thread uses them in its place. Renderers, images and
/// frames take the lock themselves. Callers must hold it while they use outputs and X connections, and around calls
/// that another thread must not interrupt. It must be taken before any other lock. OpenGL stays on the main thread
/// and does not need it.
public enum RenderLock {
    private static let lock = RecursiveLock()

    /// Runs `body` while no other thread draws. Calls may be nested.
    public static func withLock<R: ~Copyable, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        try lock.withLock(body)
    }
}
