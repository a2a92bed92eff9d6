import GlissadeCXlib
import Synchronization

/// Reads the lists of files dropped on the program's windows. Replaces GLFW's parser (`parseUriList` in 3.3,
/// `_glfwParseUriList` up to 3.5), which reads past the end of the list if a `file://host` URL has no further slash.
///
/// GLFW's event loop has no hooks, but Xlib's decoder for each event type can be replaced (`XESetWireToEvent`). The
/// replacement for SelectionNotify records that a list was dropped and hides the event from GLFW. GLFW handles the rest
/// of the protocol (XDND 5). Main thread.
@MainActor enum FileDrops {
    private struct Receiver {
        weak var eventQueue: GLFWEventQueue?
    }

    private static var receivers: [XID: Receiver] = [:]

    /// Starts reading drops. Call once, before other threads use the connection.
    static func watch(_ connection: XlibConnection) {
        let (list, message) = (connection.atom("XdndSelection"), connection.atom("XdndDrop"))
        wire.withLock { ($0.list, $0.dropMessage) = (list, message) }
        let convertMessage = address(of: XESetWireToEvent(connection.display, ClientMessage, takeMessage))
        let convertList = address(of: XESetWireToEvent(connection.display, SelectionNotify, takeList))
        wire.withLock { ($0.convertMessage, $0.convertList) = (convertMessage, convertList) }
    }

    private static func address(of function: GlissadeXConvert?) -> UInt { unsafeBitCast(function, to: UInt.self) }

    /// Sends drops on `window` to `eventQueue`.
    static func register(_ eventQueue: GLFWEventQueue, for window: XID) {
        receivers = receivers.filter { $0.value.eventQueue != nil }
        receivers[window] = Receiver(eventQueue: eventQueue)
    }

    /// Reads each dropped list, replies to the source of the drop, and records the drop as an event of the window that
    /// received it. Takes one round trip for each drop. Call after all events have been processed.
    static func deliver(_ connection: XlibConnection) {
        let (waiting, source, list) = wire.withLock { wire in
            defer { if !wire.waiting.isEmpty { wire.waiting = [] } }
            return (wire.waiting, wire.source, wire.list)
        }
        for (window, type) in waiting {
            // Skips windows that are not ours: any client can send such a notification. A window may also have been
            // closed since the drop.
            guard let eventQueue = receivers[window]?.eventQueue else { continue }
            let bytes = connection.bytes(of: list, on: window, as: type, atMost: DropList.longest)
            if source != 0 { connection.finishDrop(on: window, from: source, isTaken: bytes != nil) }
            let locations = DropList.parse(bytes ?? [])
            if !locations.isEmpty { eventQueue.record(.filesDropped(locations)) }
        }
    }
}

/// The state that the event decoders share with `FileDrops`. The decoders run on the thread that reads events from
/// the connection.
private struct Wire {
    var list: XID = 0
    var dropMessage: XID = 0
    /// Xlib's own decoders for the two event types, stored as addresses because functions are not `Sendable`.
    var convertList: UInt = 0
    var convertMessage: UInt = 0
    /// The source window of the last drop.
    var source: XID = 0
    /// The drops whose lists have not been read yet: the receiving window and the type of the list.
    var waiting: [(window: XID, type: XID)] = []
}

private let wire = Mutex(Wire())

/// Decodes a client message and, if it belongs to a drop, records the source of that drop. Xlib's lock is held, so this
/// must not call Xlib.
private func takeMessage(
    _ display: OpaquePointer?, _ event: UnsafeMutablePointer<XEvent>?, _ bytes: UnsafeMutableRawPointer?
) -> Int32 {
    let answer = convert(wire.withLock { $0.convertMessage }, display, event, bytes)
    guard answer != 0, let message = event?.pointee.xclient else { return answer }
    let (type, source) = (message.message_type, XID(bitPattern: message.data.l.0))
    wire.withLock { if type == $0.dropMessage { $0.source = source } }
    return answer
}

/// Decodes a selection notification and, if it announces a dropped list, records the window that received the list.
/// Xlib's lock is held, so this must not call Xlib.
private func takeList(
    _ display: OpaquePointer?, _ event: UnsafeMutablePointer<XEvent>?, _ bytes: UnsafeMutableRawPointer?
) -> Int32 {
    let answer = convert(wire.withLock { $0.convertList }, display, event, bytes)
    guard answer != 0, let notice = event?.pointee.xselection else { return answer }
    let (window, type, property) = (notice.requestor, notice.target, notice.property)
    let isDrop = wire.withLock { wire in
        guard property == wire.list, property != 0 else { return false }
        wire.waiting.append((window, type))
        return true
    }
    if isDrop { event?.pointee.xselection.property = 0 }
    return answer
}

/// Calls one of Xlib's own event decoders. `function` is the decoder's address, because functions are not `Sendable`.
func convert(
    _ function: UInt, _ display: OpaquePointer?, _ event: UnsafeMutablePointer<XEvent>?,
    _ bytes: UnsafeMutableRawPointer?
) -> Int32 {
    unsafeBitCast(function, to: GlissadeXConvert?.self)?(display, event, bytes) ?? 0
}
