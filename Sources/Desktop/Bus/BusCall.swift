import CSystemd

/// A call of another program's method, to be filled and sent. On the bus's thread alone; released in `deinit`.
struct BusCall: ~Copyable {
    let message: BusMessage

    /// A call that starts no service: what does not run is not needed.
    init(
        _ member: String, of interface: String, at path: String, to name: String, on bus: BusConnection
    ) throws(BusError) {
        var made: OpaquePointer?
        try BusError.check(sd_bus_message_new_method_call(bus.pointer, &made, name, path, interface, member))
        guard let made else { throw BusError(code: -ENOMEM) }
        sd_bus_message_set_auto_start(made, 0)
        message = BusMessage(pointer: made)
    }

    deinit { sd_bus_message_unref(message.pointer) }

    /// Sends it without asking for an answer.
    func post(on bus: BusConnection) throws(BusError) {
        sd_bus_message_set_expect_reply(message.pointer, 0)
        try BusError.check(sd_bus_send(bus.pointer, message.pointer, nil))
    }
}
