import Platform

/// The lock that protects everything that draws with the CPU and shows the result: software renderers, the images and
/// frames that they draw, and their outputs.
///
/// These objects are not bound to a thread. The main thread uses them; if it is late, the film thread uses them in its
/// place. Renderers, images and frames take the lock themselves; outputs and X connections are used while it is held. A
/// sequence of calls that another thread must not interrupt is made while holding it. It comes before any other lock.
/// OpenGL stays on the main thread.
public enum RenderLock {
    private static let lock = RecursiveLock()

    /// Runs `body` while no other thread draws. Calls may be nested.
    public static func withLock<R: ~Copyable, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        try lock.withLock(body)
    }
}
