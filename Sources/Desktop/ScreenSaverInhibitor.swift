import CSystemd

/// Keeps the screen from going dark, where something answers for that: org.freedesktop.ScreenSaver, as the "idle
/// inhibition" of the freedesktop specifications has it. On the bus's thread alone.
///
/// The calls are not waited for. When the connection ends, the service lets go by itself.
final class ScreenSaverInhibitor {
    private static let service = "org.freedesktop.ScreenSaver"
    private static let path = "/org/freedesktop/ScreenSaver"

    private let bus: BusConnection
    private let title: String
    private var isWanted = false
    private var state = State.idle
    private var call: OpaquePointer?
    private var owners: OpaquePointer?

    private enum State {
        case idle
        /// A call is on its way.
        case asking
        /// What it is to be given back with.
        case held(UInt32)
        /// It cannot be had, until it is asked for anew or another service comes.
        case refused
    }

    init(bus: BusConnection, title: String) {
        self.bus = bus
        self.title = title
    }

    deinit {
        sd_bus_slot_unref(call)
        sd_bus_slot_unref(owners)
    }

    /// Begins to hear of services that come and go.
    func listen() {
        sd_bus_match_signal_async(
            bus.pointer, &owners, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
            "NameOwnerChanged",
            { message, context, _ in
                // The slot goes with its inhibitor, which is there as long as this may be called.
                guard let message, let context else { return 0 }
                let inhibitor = Unmanaged<ScreenSaverInhibitor>.fromOpaque(context).takeUnretainedValue()
                return BusError.code { () throws(BusError) in
                    if try BusMessage(pointer: message).readText() == ScreenSaverInhibitor.service {
                        try inhibitor.serviceChanged()
                    }
                    return 0
                }
            }, { _, _, _ in 0 }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Says how it is to be from now on.
    func keepAwake(_ isWanted: Bool) throws(BusError) {
        guard isWanted != self.isWanted else { return }
        self.isWanted = isWanted
        if case .refused = state { state = .idle }
        try settle()
    }

    private func serviceChanged() throws(BusError) {
        sd_bus_slot_unref(call)
        call = nil
        state = .idle
        try settle()
    }

    private func settle() throws(BusError) {
        switch state {
        case .idle where isWanted: try inhibit()
        case .held(let cookie) where !isWanted:
            state = .idle
            try release(cookie)
        default: break
        }
    }

    private func makeCall(_ member: String) throws(BusError) -> BusMessage {
        var message: OpaquePointer?
        try BusError.check(
            sd_bus_message_new_method_call(bus.pointer, &message, Self.service, Self.path, Self.service, member))
        guard let message else { throw BusError(code: -ENOMEM) }
        // A screen saver that does not run need not be kept from it.
        sd_bus_message_set_auto_start(message, 0)
        return BusMessage(pointer: message)
    }

    private func inhibit() throws(BusError) {
        // Until the call is on its way.
        state = .refused
        let message = try makeCall("Inhibit")
        defer { sd_bus_message_unref(message.pointer) }
        try message.append(title)
        try message.append("plays a film")
        sd_bus_slot_unref(call)
        call = nil
        let code = sd_bus_call_async(
            bus.pointer, &call, message.pointer,
            { message, context, _ in
                // As above.
                guard let message, let context else { return 0 }
                let inhibitor = Unmanaged<ScreenSaverInhibitor>.fromOpaque(context).takeUnretainedValue()
                return BusError.code { () throws(BusError) in
                    try inhibitor.take(BusMessage(pointer: message))
                    return 0
                }
            }, Unmanaged.passUnretained(self).toOpaque(), 0)
        try BusError.check(code)
        state = .asking
    }

    private func take(_ answer: BusMessage) throws(BusError) {
        do throws(BusError) {
            state = answer.isError ? .refused : .held(try answer.readUInt32())
        } catch {
            // It answers with something else than it should.
            state = .refused
        }
        try settle()
    }

    private func release(_ cookie: UInt32) throws(BusError) {
        let message = try makeCall("UnInhibit")
        defer { sd_bus_message_unref(message.pointer) }
        try message.append(cookie)
        sd_bus_message_set_expect_reply(message.pointer, 0)
        try BusError.check(sd_bus_send(bus.pointer, message.pointer, nil))
    }
}
