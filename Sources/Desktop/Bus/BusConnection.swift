import GlissadeCSystemd

/// A connection to a message bus. Confined to the bus's thread; closed in `deinit`.
final class BusConnection {
    let pointer: OpaquePointer

    /// Connects to a bus.
    ///
    /// - Parameter address: The address of the bus in D-Bus syntax; nil for the session bus named in the environment.
    init(address: String?) throws(BusError) {
        var opened: OpaquePointer?
        if let address {
            try BusError.check(sd_bus_new(&opened))
            var code = sd_bus_set_address(opened, address)
            if code >= 0 { code = sd_bus_set_bus_client(opened, 1) }
            if code >= 0 { code = sd_bus_start(opened) }
            if code < 0 {
                sd_bus_unref(opened)
                throw BusError(code: code)
            }
        } else {
            try BusError.check(sd_bus_open_user(&opened))
        }
        guard let opened else { throw BusError(code: -ENOMEM) }
        pointer = opened
        // Five seconds for each call: a bus that does not answer is treated as missing.
        sd_bus_set_method_call_timeout(opened, 5_000_000)
    }

    // Pending messages are dropped: waiting for a bus that reads nothing would keep the program from ending.
    deinit { sd_bus_close_unref(pointer) }

    /// Requests a name on the bus, and waits for the reply. Returns false if another program owns the name.
    func take(_ name: String) throws(BusError) -> Bool {
        let code = sd_bus_request_name(pointer, name, 0)
        if code == -EEXIST { return false }
        try BusError.check(code)
        return true
    }

    /// Handles received messages and timeouts, and sends queued messages. Stops after 64 steps, so that a flood of
    /// messages does not keep the thread busy. Returns whether there may be more to do.
    func process() throws(BusError) -> Bool {
        for _ in 0..<64 where try BusError.check(sd_bus_process(pointer, nil)) == 0 { return false }
        return true
    }

    /// Returns what to wait for in poll(2): the descriptor, the events, and a deadline in microseconds of the monotonic
    /// clock. The deadline is `UInt64.max` if there is none.
    func waiting() throws(BusError) -> (descriptor: CInt, events: Int16, deadline: UInt64) {
        var deadline = UInt64.max
        let descriptor = try BusError.check(sd_bus_get_fd(pointer))
        let events = try BusError.check(sd_bus_get_events(pointer))
        try BusError.check(sd_bus_get_timeout(pointer, &deadline))
        return (descriptor, Int16(truncatingIfNeeded: events), deadline)
    }

    /// Emits the signal `member`. `write` appends the signal's arguments.
    func emit(
        _ member: String, of interface: String, at path: String, _ write: (BusMessage) throws(BusError) -> Void
    ) throws(BusError) {
        var signal: OpaquePointer?
        try BusError.check(sd_bus_message_new_signal(pointer, &signal, path, interface, member))
        defer { sd_bus_message_unref(signal) }
        guard let signal else { return }
        try write(BusMessage(pointer: signal))
        try BusError.check(sd_bus_send(pointer, signal, nil))
    }

    /// Emits `PropertiesChanged` for the properties `names`. sd-bus gets the properties' values through the vtable.
    func emitChanges(of names: [String], of interface: String, at path: String) throws(BusError) {
        var list = names.map { strdup($0) } + [nil]
        defer { list.forEach { free($0) } }
        try BusError.check(sd_bus_emit_properties_changed_strv(pointer, path, interface, &list))
    }
}
