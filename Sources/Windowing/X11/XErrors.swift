import GlissadeCXlib
import Synchronization

/// Ignores X errors caused by other programs. Xlib's default handler would end this program.
///
/// For example, the source of a drag may exit before the reply is sent to it. Any client can send an event that refers
/// to a nonexistent window or atom.
@MainActor enum XErrors {
    /// Installs the error handler. Call each time before reading events: GLFW up to 3.3 reinstalls Xlib's own handler
    /// whenever it creates a context or a cursor.
    static func ignoreForeign() {
        let former = unsafeBitCast(XSetErrorHandler(handle), to: UInt.self)
        if former != unsafeBitCast(handle as XErrorHandler, to: UInt.self) {
            others.store(former, ordering: .relaxed)
        }
    }

    /// Ignores errors of one request of an extension, which an old server may not know.
    static func ignore(_ request: UInt8, of extension: UInt8) {
        optional.store(UInt16(`extension`) << 8 | UInt16(request), ordering: .relaxed)
        ignoreForeign()
    }
}

/// The codes of the extension's request whose errors are ignored; 0 if there is none.
private let optional = Atomic<UInt16>(0)

/// The address of the previous error handler, which handles all other errors.
private let others = Atomic<UInt>(0)

/// Ignores errors caused by other programs or by an old server, and passes all other errors to the previous handler.
/// Called on the thread that reads from the connection. Xlib's lock may be held, so this must not call Xlib.
private let handle: XErrorHandler = { display, error in
    guard let refusal = error?.pointee else { return 0 }
    // In GetProperty, ConvertSelection or SendEvent (Xproto.h).
    let isForeign =
        [BadWindow, BadAtom].contains(Int32(refusal.error_code)) && [20, 24, 25].contains(refusal.request_code)
    let isOptional =
        UInt16(refusal.request_code) << 8 | UInt16(refusal.minor_code) == optional.load(ordering: .relaxed)
    if isForeign || isOptional { return 0 }
    return unsafeBitCast(others.load(ordering: .relaxed), to: XErrorHandler?.self)?(display, error) ?? 0
}
