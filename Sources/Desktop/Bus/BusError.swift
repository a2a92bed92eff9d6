import CSystemd

/// An error from sd-bus, as a negative errno value.
struct BusError: Error {
    let code: CInt

    /// The system's message for the error number.
    var reason: String { String(cString: strerror(abs(code))) }

    /// Whether the connection is lost. Any other error concerns a single message.
    var isDisconnection: Bool {
        switch abs(code) {
        case ENOTCONN, ECONNRESET, EPIPE, ESHUTDOWN, ECONNABORTED, EBADF: true
        default: false
        }
    }

    /// Runs `body`, and ignores errors that concern a single message, since the next one may succeed.
    static func tolerate(_ body: () throws(BusError) -> Void) throws(BusError) {
        do throws(BusError) { try body() } catch { if error.isDisconnection { throw error } }
    }

    /// Returns `code`, or throws if it is negative.
    @discardableResult static func check(_ code: CInt) throws(BusError) -> CInt {
        if code < 0 { throw BusError(code: code) }
        return code
    }

    /// Runs the body of a callback. Returns the result of `body` or the code of its error, as sd-bus expects.
    static func code(_ body: () throws(BusError) -> CInt) -> CInt {
        do throws(BusError) { return try body() } catch { return error.code }
    }
}
