import GlissadeCSystemd

/// A desktop's org.freedesktop.ScreenSaver on a bus: it says yes to everybody, and keeps no screen on.
///
/// For one thread, which answers in `countInhibitions`.
final class ScreenSaverService {
    private static let name = "org.freedesktop.ScreenSaver"
    private var bus: OpaquePointer?
    private var inhibitions = 0

    init(_ address: String) throws {
        try check(sd_bus_new(&bus))
        try check(sd_bus_set_address(bus, address))
        try check(sd_bus_set_bus_client(bus, 1))
        try check(sd_bus_start(bus))
        try check(
            sd_bus_add_object(
                bus, nil, "/org/freedesktop/ScreenSaver",
                { message, context, _ in
                    guard let message, let context,
                        sd_bus_message_is_method_call(message, ScreenSaverService.name, "Inhibit") > 0
                    else { return 0 }
                    return Unmanaged<ScreenSaverService>.fromOpaque(context).takeUnretainedValue().grant(message)
                }, Unmanaged.passUnretained(self).toOpaque()))
        try check(sd_bus_request_name(bus, Self.name, 0))
    }

    deinit { sd_bus_close_unref(bus) }

    /// Answers what has come in; how many inhibitions were asked for until now.
    func countInhibitions() throws -> Int {
        while try check(sd_bus_process(bus, nil)) > 0 {}
        return inhibitions
    }

    private func grant(_ call: OpaquePointer) -> CInt {
        inhibitions += 1
        var reply: OpaquePointer?
        guard sd_bus_message_new_method_return(call, &reply) >= 0 else { return -ENOMEM }
        defer { sd_bus_message_unref(reply) }
        var cookie = UInt32(inhibitions)
        sd_bus_message_append_basic(reply, CChar(UInt8(ascii: "u")), &cookie)
        return sd_bus_send(bus, reply, nil) < 0 ? -EIO : 1
    }

    @discardableResult private func check(_ code: CInt) throws -> CInt {
        if code < 0 { throw Program.Failure(description: "the bus: \(String(cString: strerror(-code)))") }
        return code
    }
}
