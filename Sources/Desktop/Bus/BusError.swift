import CSystemd

/// What sd-bus answers where something fails: an error number of the system's.
struct BusError: Error {
    let code: CInt

    /// In the system's words.
    var reason: String { String(cString: strerror(abs(code))) }

    /// Whether the bus is gone; anything else befell one message alone.
    var isDisconnection: Bool {
        switch abs(code) {
        case ENOTCONN, ECONNRESET, EPIPE, ESHUTDOWN, ECONNABORTED, EBADF: true
        default: false
        }
    }

    /// Goes on where `body` fails for what it says: a bus that refuses one message takes the next.
    static func tolerate(_ body: () throws(BusError) -> Void) throws(BusError) {
        do throws(BusError) { try body() } catch { if error.isDisconnection { throw error } }
    }

    /// Passes a result on; what is negative is a failure.
    @discardableResult static func check(_ code: CInt) throws(BusError) -> CInt {
        if code < 0 { throw BusError(code: code) }
        return code
    }

    /// The result of a callback: that of what it does, as sd-bus wants it.
    static func code(_ body: () throws(BusError) -> CInt) -> CInt {
        do throws(BusError) { return try body() } catch { return error.code }
    }
}
