import GlissadeCSystemd
import Glibc
import GlissadePlatform
import Testing
import GlissadeTime

@testable import GlissadeDesktop

/// A desktop's end of the bus: calls a player, hears its signals, and answers for a screen saver where it is told to.
///
/// On the test's thread alone: what comes in is dealt with in `wait` and in calls.
final class BusClient {
    struct Refused: Error { let name: String }

    static let player = "org.mpris.MediaPlayer2.Player"

    let connection: BusConnection
    private(set) var seeked: [Int64] = []
    /// The names in `PropertiesChanged`, in order.
    private(set) var changed: [String] = []
    /// The calls of a screen saver: "Inhibit", "UnInhibit 7".
    private(set) var screenSaverCalls: [String] = []
    private var lastCookie: UInt32 = 6
    /// Whether it keeps those who ask waiting.
    var isSlow = false
    /// Whether it says no to those who ask.
    var refuses = false
    /// The calls of a portal: "Inhibit 8 plays a film", "Close 1".
    private(set) var portalCalls: [String] = []
    private var lastRequest = 0
    static let requestPath = "/org/freedesktop/portal/desktop/request/1_2/"
    private var unanswered: OpaquePointer?
    private var slots: [OpaquePointer?] = []

    init(_ address: String) throws { connection = try BusConnection(address: address) }

    deinit { slots.forEach { sd_bus_slot_unref($0) } }

    private var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    /// Makes a call and returns the answer, to be read by `read`.
    func call<R>(
        _ destination: String, _ interface: String, _ member: String,
        write: (BusMessage) throws(BusError) -> Void = { _ in }, read: (BusMessage) throws(BusError) -> R
    ) throws -> R {
        var message: OpaquePointer?
        try BusError.check(
            sd_bus_message_new_method_call(
                connection.pointer, &message, destination, MediaPlayerObject.path, interface, member))
        defer { sd_bus_message_unref(message) }
        try write(BusMessage(pointer: try #require(message)))
        var error = sd_bus_error()
        var reply: OpaquePointer?
        defer {
            sd_bus_error_free(&error)
            sd_bus_message_unref(reply)
        }
        let code = sd_bus_call(connection.pointer, message, 20_000_000, &error, &reply)
        if code < 0 { throw Refused(name: error.name.map { String(cString: $0) } ?? "\(code)") }
        return try read(BusMessage(pointer: try #require(reply)))
    }

    func call(_ destination: String, _ member: String, write: (BusMessage) throws(BusError) -> Void = { _ in }) throws {
        let interface = ["Raise", "Quit"].contains(member) ? MediaPlayerObject.busName : Self.player
        try call(destination, interface, member, write: write) { _ in }
    }

    func property<R>(
        _ destination: String, _ name: String, of interface: String = BusClient.player, _ type: String,
        read: (BusMessage) throws(BusError) -> R
    ) throws -> R {
        try call(destination, "org.freedesktop.DBus.Properties", "Get") { message throws(BusError) in
            try message.append(interface)
            try message.append(name)
        } read: { reply throws(BusError) in
            try BusError.check(sd_bus_message_enter_container(reply.pointer, CChar(UInt8(ascii: "v")), type))
            return try read(reply)
        }
    }

    func text(_ destination: String, _ name: String, of interface: String = BusClient.player) throws -> String {
        try property(destination, name, of: interface, "s") { message throws(BusError) in try message.readText() }
    }

    func number(_ destination: String, _ name: String) throws -> Double {
        try property(destination, name, "d") { message throws(BusError) in try message.readDouble() }
    }

    func microseconds(_ destination: String, _ name: String) throws -> Int64 {
        try property(destination, name, "x") { message throws(BusError) in try message.readInt64() }
    }

    func isSo(_ destination: String, _ name: String) throws -> Bool {
        try property(destination, name, "b") { message throws(BusError) in
            var isSo: CInt = 0
            try BusError.check(sd_bus_message_read_basic(message.pointer, CChar(UInt8(ascii: "b")), &isSo))
            return isSo != 0
        }
    }

    func set(_ destination: String, _ name: String, _ value: Double) throws {
        try call(destination, "org.freedesktop.DBus.Properties", "Set") { message throws(BusError) in
            try message.append(Self.player)
            try message.append(name)
            try message.container("v", of: "d") { () throws(BusError) in try message.append(value) }
        } read: { _ in
        }
    }

    /// The texts, paths and numbers of the metadata, as text.
    func metadata(_ destination: String) throws -> [String: String] {
        try property(destination, "Metadata", "a{sv}") { message throws(BusError) in
            var found: [String: String] = [:]
            let pointer = message.pointer
            try BusError.check(sd_bus_message_enter_container(pointer, CChar(UInt8(ascii: "a")), "{sv}"))
            while try BusError.check(sd_bus_message_enter_container(pointer, CChar(UInt8(ascii: "e")), "sv")) > 0 {
                let key = try message.readText()
                var type: UnsafePointer<CChar>?
                try BusError.check(sd_bus_message_peek_type(pointer, nil, &type))
                let name = type.map { String(cString: $0) } ?? ""
                try BusError.check(sd_bus_message_enter_container(pointer, CChar(UInt8(ascii: "v")), name))
                if name == "as" {
                    try BusError.check(sd_bus_message_enter_container(pointer, CChar(UInt8(ascii: "a")), "s"))
                    found[key] = "[" + (try message.readText()) + "]"
                    try BusError.check(sd_bus_message_exit_container(pointer))
                } else {
                    found[key] =
                        name == "x" ? "\(try message.readInt64())" : try message.readText(as: name == "o" ? "o" : "s")
                }
                try BusError.check(sd_bus_message_exit_container(pointer))
                try BusError.check(sd_bus_message_exit_container(pointer))
            }
            return found
        }
    }

    /// Begins to hear of what players tell.
    func listen() throws {
        var slot: OpaquePointer?
        try BusError.check(
            sd_bus_match_signal(
                connection.pointer, &slot, nil, MediaPlayerObject.path, nil, nil,
                { message, context, _ in
                    guard let message, let context else { return 0 }
                    let client = Unmanaged<BusClient>.fromOpaque(context).takeUnretainedValue()
                    return BusError.code { () throws(BusError) in
                        try client.hear(BusMessage(pointer: message))
                        return 0
                    }
                }, context))
        slots.append(slot)
    }

    private func hear(_ signal: BusMessage) throws(BusError) {
        switch signal.member {
        case "Seeked": seeked.append(try signal.readInt64())
        case "PropertiesChanged":
            _ = try signal.readText()
            try BusError.check(sd_bus_message_enter_container(signal.pointer, CChar(UInt8(ascii: "a")), "{sv}"))
            while try BusError.check(sd_bus_message_enter_container(signal.pointer, CChar(UInt8(ascii: "e")), "sv")) > 0
            {
                changed.append(try signal.readText())
                try BusError.check(sd_bus_message_skip(signal.pointer, "v"))
                try BusError.check(sd_bus_message_exit_container(signal.pointer))
            }
        default: break
        }
    }

    /// Answers for the screen saver from now on.
    func becomeScreenSaver() throws {
        var slot: OpaquePointer?
        try BusError.check(
            sd_bus_add_object(
                connection.pointer, &slot, "/org/freedesktop/ScreenSaver",
                { message, context, _ in
                    guard let message, let context else { return 0 }
                    let client = Unmanaged<BusClient>.fromOpaque(context).takeUnretainedValue()
                    return BusError.code { () throws(BusError) in try client.answer(BusMessage(pointer: message)) }
                }, context))
        slots.append(slot)
        #expect(try connection.take("org.freedesktop.ScreenSaver"))
    }

    /// The unique name of who has a name.
    func owner(of name: String) throws -> String {
        try call("org.freedesktop.DBus", "org.freedesktop.DBus", "GetNameOwner") { message throws(BusError) in
            try message.append(name)
        } read: { message throws(BusError) in
            try message.readText()
        }
    }

    /// Gives the name of a service away, and stays on the bus.
    func leave(_ name: String) throws { try BusError.check(sd_bus_release_name(connection.pointer, name)) }

    /// Answers for the desktop portal from now on.
    func becomePortal() throws {
        var slot: OpaquePointer?
        try BusError.check(
            sd_bus_add_fallback(
                connection.pointer, &slot, "/org/freedesktop/portal/desktop",
                { message, context, _ in
                    guard let message, let context else { return 0 }
                    let client = Unmanaged<BusClient>.fromOpaque(context).takeUnretainedValue()
                    return BusError.code { () throws(BusError) in
                        try client.answerForPortal(BusMessage(pointer: message))
                    }
                }, context))
        slots.append(slot)
        #expect(try connection.take("org.freedesktop.portal.Desktop"))
    }

    private func answerForPortal(_ call: BusMessage) throws(BusError) -> CInt {
        switch (call.interface, call.member) {
        case ("org.freedesktop.portal.Inhibit", "Inhibit"):
            let window = try call.readText()
            let flags = try call.readUInt32()
            try BusError.check(sd_bus_message_enter_container(call.pointer, CChar(UInt8(ascii: "a")), "{sv}"))
            try BusError.check(sd_bus_message_enter_container(call.pointer, CChar(UInt8(ascii: "e")), "sv"))
            #expect(try call.readText() == "reason")
            try BusError.check(sd_bus_message_enter_container(call.pointer, CChar(UInt8(ascii: "v")), "s"))
            portalCalls.append("Inhibit \(window)\(flags) \(try call.readText())")
            if refuses { return try refuse(call) }
            lastRequest += 1
            let path = Self.requestPath + "\(lastRequest)"
            try reply(to: call) { message throws(BusError) in try message.append(path, as: "o") }
        case ("org.freedesktop.portal.Request", "Close"):
            portalCalls.append("Close \(call.path.split(separator: "/").last ?? "")")
        default: return 0
        }
        return 1
    }

    /// The portal says of its last request that nothing came of it.
    func failLastRequest(of program: String) throws {
        var signal: OpaquePointer?
        try BusError.check(
            sd_bus_message_new_signal(
                connection.pointer, &signal, Self.requestPath + "\(lastRequest)", "org.freedesktop.portal.Request",
                "Response"))
        defer { sd_bus_message_unref(signal) }
        let message = BusMessage(pointer: try #require(signal))
        try BusError.check(sd_bus_message_set_destination(message.pointer, program))
        try message.append(UInt32(2))
        try message.container("a", of: "{sv}") { () throws(BusError) in }
        try BusError.check(sd_bus_send(connection.pointer, signal, nil))
    }

    private func refuse(_ call: BusMessage) throws(BusError) -> CInt {
        var error = sd_bus_error()
        defer { sd_bus_error_free(&error) }
        sd_bus_error_set(&error, "org.freedesktop.DBus.Error.AccessDenied", "no")
        return try BusError.check(sd_bus_reply_method_error(call.pointer, &error))
    }

    private func reply(to call: BusMessage, _ write: (BusMessage) throws(BusError) -> Void) throws(BusError) {
        var reply: OpaquePointer?
        try BusError.check(sd_bus_message_new_method_return(call.pointer, &reply))
        defer { sd_bus_message_unref(reply) }
        guard let reply else { return }
        try write(BusMessage(pointer: reply))
        try BusError.check(sd_bus_send(nil, reply, nil))
    }

    private func answer(_ call: BusMessage) throws(BusError) -> CInt {
        switch call.member {
        case "Inhibit":
            lastCookie += 1
            screenSaverCalls.append("Inhibit")
            if refuses { return try refuse(call) }
            if isSlow { unanswered = sd_bus_message_ref(call.pointer) } else { try grant(call) }
        case "UnInhibit": screenSaverCalls.append("UnInhibit \(try call.readUInt32())")
        default: return 0
        }
        return 1
    }

    private func grant(_ call: BusMessage) throws(BusError) {
        let cookie = lastCookie
        try reply(to: call) { message throws(BusError) in try message.append(cookie) }
    }

    /// Answers who was kept waiting.
    func answerAtLast() throws {
        isSlow = false
        let call = try #require(unanswered)
        unanswered = nil
        try grant(BusMessage(pointer: call))
        sd_bus_message_unref(call)
    }

    /// Deals with what comes in until something is so; false where it never was.
    func wait(until isSo: () -> Bool) throws -> Bool {
        let deadline = HostTime.now() + .seconds(20)
        while !isSo() {
            guard HostTime.now() < deadline else { return false }
            while try connection.process() {}
            if isSo() { return true }
            // Also for what the bus does not tell of.
            sd_bus_wait(connection.pointer, 20_000)
        }
        return true
    }
}
