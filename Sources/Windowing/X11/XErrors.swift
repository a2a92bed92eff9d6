import CGLFW
import Synchronization

/// Errors of the X server that another program is to blame for.
///
/// A drag's source may close its window, or end, before the answer to it is sent; and any client can send an event that names
/// a window or an atom that does not exist. Xlib ends the program for the server's error unless a handler returns.
@MainActor enum XErrors {
    /// From now on such errors are ignored, until GLFW sets a handler: GLFW up to 3.3 sets Xlib's own again after it has made
    /// a context or a cursor. Cheap: to be called before events are taken.
    static func ignoreForeign() {
        guard let set = XWindow.connection?.setErrorHandler else { return }
        let former = unsafeBitCast(set(handle), to: UInt.self)
        if former != unsafeBitCast(handle as GlissadeXErrorHandler, to: UInt.self) {
            others.store(former, ordering: .relaxed)
        }
    }
}

/// The handler for all other errors, as an address.
private let others = Atomic<UInt>(0)

/// Called by whichever thread reads from the connection, with Xlib's lock held or not: asks Xlib nothing.
private let handle: GlissadeXErrorHandler = { display, error in
    guard let refusal = error?.assumingMemoryBound(to: GlissadeXError.self).pointee else { return 0 }
    // X.h, Xproto.h: a window or an atom that does not exist, in GetProperty, ConvertSelection and SendEvent.
    let isForeign = [3, 5].contains(refusal.error_code) && [20, 24, 25].contains(refusal.request_code)
    if isForeign { return 0 }
    return unsafeBitCast(others.load(ordering: .relaxed), to: GlissadeXErrorHandler?.self)?(display, error) ?? 0
}
