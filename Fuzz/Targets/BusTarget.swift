import GlissadeCSystemd
import Glibc
import GlissadeMedia
import GlissadeTime

@testable import GlissadeDesktop

/// Calls methods of the media player object, as another program would over D-Bus.
@MainActor enum BusTarget {
    /// A bus that accepts connections but never replies, and a media player object on it.
    private static let object: (bus: BusConnection, object: MediaPlayerObject) = {
        let name = "glissade-fuzz-\(getpid())"
        let listener = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // An abstract socket name starts with a zero byte, and the address length determines where it ends.
        withUnsafeMutableBytes(of: &address.sun_path) { $0[1...].copyBytes(from: name.utf8) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + 1 + name.utf8.count)
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, length) }
        }
        guard bound == 0, listen(listener, 4) == 0, let bus = try? BusConnection(address: "unix:abstract=\(name)")
        else { fatalError("cannot create a bus") }
        let shared = SharedDesktopState(wake: {})
        var state = DesktopState()
        state.location = "/film"
        state.canSeek = true
        state.canGoNext = true
        state.length = .seconds(100)
        _ = shared.publish(state, now: .now())
        // The same schemes as in `Application`.
        let identity = DesktopSession.Identity(schemes: ["file"] + StreamAddress.schemes)
        guard let object = try? MediaPlayerObject(bus: bus, identity: identity, shared: shared) else {
            fatalError("cannot add an object to the bus")
        }
        return (bus, object)
    }()

    private static let members = [
        "Raise", "Quit", "Play", "Pause", "PlayPause", "Stop", "Next", "Previous", "Seek", "SetPosition", "OpenUri",
        "None",
    ]

    /// Calls a method and sets properties.
    ///
    /// The first byte selects the method; its top bit requests arguments of the wrong type. The next eight bytes are
    /// a number, and the rest is text.
    static func call(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        let (bus, object) = object
        let number = bytes.dropFirst().prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let text = String(decoding: bytes.dropFirst(9).prefix { $0 != 0 }, as: UTF8.self)
        let member = members[Int(first & 15) % members.count]
        var made: OpaquePointer?
        guard
            sd_bus_message_new_method_call(
                bus.pointer, &made, "org.example.Player", MediaPlayerObject.path, MediaPlayerObject.playerInterface,
                member)
                >= 0, let made
        else { return }
        defer { sd_bus_message_unref(made) }
        let message = BusMessage(pointer: made)
        let isWrong = first & 128 != 0
        if isWrong || member == "SetPosition" {
            try? message.append(text.isEmpty ? "/" : text, as: isWrong ? "s" : "o")
        }
        if member == "OpenUri" { try? message.append(text) }
        if member == "Seek" || member == "SetPosition" { try? message.append(Int64(bitPattern: number)) }
        guard sd_bus_message_seal(made, 1, 0) >= 0, sd_bus_message_rewind(made, 1) >= 0 else { return }
        _ = try? object.perform(message)
        for property in ["Volume", "Rate", "Other"] { _ = object.set(property, Double(bitPattern: number)) }
        let commands = object.shared.takeCommands()
        check(commands.count <= SharedDesktopState.commandLimit, "the command queue is bounded")
        checkTitle(text, on: bus)
    }

    /// Checks that sd-bus accepts any title that `readable` has cleaned.
    private static func checkTitle(_ title: String, on bus: BusConnection) {
        var made: OpaquePointer?
        guard sd_bus_message_new_signal(bus.pointer, &made, "/a", "a.b", "C") >= 0, let made else { return }
        defer { sd_bus_message_unref(made) }
        let isTaken = (try? BusMessage(pointer: made).append(MediaPlayerObject.readable(title))) != nil
        check(isTaken, "sd-bus accepts every title")
    }
}
