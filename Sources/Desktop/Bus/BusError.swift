import GlissadeCSystemd

/// An error from sd-bus, as a negative errno value.
struct BusError: Error {
    let code: CInt

    /// The system's description of the error.
    var reason: String { String(cString: strerror(abs(code))) }

    /// Whether the connection is lost. Any other error concerns only a single message.
    var isDisconnection: Bool {
        switch abs(code) {
        case ENOTCONN, ECONNRESET, EPIPE, ESHUTDOWN, ECONNABORTED, EBADF: true
        default: false
        }
    }

    /// Runs `body`. Rethrows its error only if the connection is lost.
    static func tolerate(_ body: () throws(BusError) -> Void) throws(BusError) {
        do throws(BusError) { try body() } catch { if error.isDisconnection { throw error } }
    }

    /// Returns `code`, or throws if it is negative.
    @discardableResult static func check(_ code: CInt) throws(BusError) -> CInt {
        if code < 0 { throw BusError(code: code) }
        return code
    }

    /// Runs the body of an sd-bus callback. Returns the result of `body`, or the negative error code if `body` throws.
    static func code(_ body: () throws(BusError) -> CInt) -> CInt {
        do throws(BusError) { return try body() } catch { return error.code }
    }
}
