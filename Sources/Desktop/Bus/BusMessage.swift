import GlissadeCSystemd

/// A reference to a D-Bus message, which is read and written value by value. Does not retain the message. Confined to
/// the bus's thread.
struct BusMessage {
    let pointer: OpaquePointer

    // MARK: - Writing

    func append(_ text: String) throws(BusError) { try append(text, as: "s") }

    /// Appends `text` as the D-Bus type `type`: a string ("s") or an object path ("o"). The text must be valid for that
    /// type.
    func append(_ text: String, as type: Unicode.Scalar) throws(BusError) {
        let code = text.withCString { sd_bus_message_append_basic(pointer, CChar(truncatingIfNeeded: type.value), $0) }
        try BusError.check(code)
    }

    func append(_ isSo: Bool) throws(BusError) { try append(CInt(isSo ? 1 : 0), as: "b") }
    func append(_ number: Double) throws(BusError) { try append(number, as: "d") }
    func append(_ number: Int64) throws(BusError) { try append(number, as: "x") }
    func append(_ number: UInt32) throws(BusError) { try append(number, as: "u") }

    private func append<Value: BitwiseCopyable>(_ value: Value, as type: Unicode.Scalar) throws(BusError) {
        let code = withUnsafeBytes(of: value) {
            sd_bus_message_append_basic(pointer, CChar(truncatingIfNeeded: type.value), $0.baseAddress)
        }
        try BusError.check(code)
    }

    func append(_ texts: [String]) throws(BusError) {
        try container("a", of: "s") { () throws(BusError) in
            for text in texts { try append(text) }
        }
    }

    /// Appends a container of the D-Bus type `type`: an array ("a"), a variant ("v") or a dictionary entry ("e").
    /// `body` appends the container's values. `contents` is the signature of those values.
    func container(
        _ type: Unicode.Scalar, of contents: String, _ body: () throws(BusError) -> Void
    ) throws(BusError) {
        try BusError.check(sd_bus_message_open_container(pointer, CChar(truncatingIfNeeded: type.value), contents))
        try body()
        try BusError.check(sd_bus_message_close_container(pointer))
    }

    /// Appends an entry to a dictionary `a{sv}`. `body` appends the entry's value. `type` is the signature of that
    /// value.
    func entry(_ key: String, _ type: String, _ body: () throws(BusError) -> Void) throws(BusError) {
        try container("e", of: "sv") { () throws(BusError) in
            try append(key)
            try container("v", of: type, body)
        }
    }

    // MARK: - Reading

    func readText(as type: Unicode.Scalar = "s") throws(BusError) -> String {
        var text: UnsafePointer<CChar>?
        try BusError.check(sd_bus_message_read_basic(pointer, CChar(truncatingIfNeeded: type.value), &text))
        return text.map { String(cString: $0) } ?? ""
    }

    func readInt64() throws(BusError) -> Int64 { try read(0, as: "x") }
    func readUInt32() throws(BusError) -> UInt32 { try read(0, as: "u") }
    func readDouble() throws(BusError) -> Double { try read(0, as: "d") }

    private func read<Value: BitwiseCopyable>(_ initial: Value, as type: Unicode.Scalar) throws(BusError) -> Value {
        var value = initial
        let code = withUnsafeMutableBytes(of: &value) {
            sd_bus_message_read_basic(pointer, CChar(truncatingIfNeeded: type.value), $0.baseAddress)
        }
        try BusError.check(code)
        return value
    }

    /// The unique bus name of the sender; nil for errors that sd-bus creates itself, such as a timeout.
    var sender: String? { sd_bus_message_get_sender(pointer).map { String(cString: $0) } }

    var interface: String { sd_bus_message_get_interface(pointer).map { String(cString: $0) } ?? "" }
    var path: String { sd_bus_message_get_path(pointer).map { String(cString: $0) } ?? "" }

    var member: String { sd_bus_message_get_member(pointer).map { String(cString: $0) } ?? "" }

    var isError: Bool { sd_bus_message_is_method_error(pointer, nil) > 0 }

    /// Sends an empty reply to this method call.
    func replyDone() throws(BusError) {
        var reply: OpaquePointer?
        try BusError.check(sd_bus_message_new_method_return(pointer, &reply))
        defer { sd_bus_message_unref(reply) }
        try BusError.check(sd_bus_send(nil, reply, nil))
    }
}
