import GlissadeCSystemd

/// A method call to another program. Confined to the bus's thread; released in `deinit`.
struct BusCall: ~Copyable {
    let message: BusMessage

    /// Creates a call to the method `member` of the service `name`. If the service is not running, the call fails
    /// instead of starting the service.
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

    /// Sends the call without requesting a reply.
    func post(on bus: BusConnection) throws(BusError) {
        sd_bus_message_set_expect_reply(message.pointer, 0)
        try BusError.check(sd_bus_send(bus.pointer, message.pointer, nil))
    }
}
