import CGLFW
import Synchronization

/// Ignores X errors caused by other programs.
///
/// The source of a drag may close its window, or exit, before the answer is sent, and any client can send an event that
/// refers to a window or an atom that does not exist. Xlib ends the program on an error unless a handler returns.
@MainActor enum XErrors {
    /// Ignores such errors until GLFW sets a handler. GLFW up to 3.3 restores Xlib's own after it has created a context
    /// or a cursor, so this must be called before events are read. Cheap.
    static func ignoreForeign() {
        guard let set = XWindow.connection?.setErrorHandler else { return }
        let former = unsafeBitCast(set(handle), to: UInt.self)
        if former != unsafeBitCast(handle as GlissadeXErrorHandler, to: UInt.self) {
            others.store(former, ordering: .relaxed)
        }
    }
}

/// The address of the handler for all other errors.
private let others = Atomic<UInt>(0)

/// Called on the thread that reads from the connection, possibly with Xlib's lock held: must not call Xlib.
private let handle: GlissadeXErrorHandler = { display, error in
    guard let refusal = error?.assumingMemoryBound(to: GlissadeXError.self).pointee else { return 0 }
    // X.h, Xproto.h: a window or an atom that does not exist, in GetProperty, ConvertSelection and SendEvent.
    let isForeign = [3, 5].contains(refusal.error_code) && [20, 24, 25].contains(refusal.request_code)
    if isForeign { return 0 }
    return unsafeBitCast(others.load(ordering: .relaxed), to: GlissadeXErrorHandler?.self)?(display, error) ?? 0
}
