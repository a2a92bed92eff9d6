import CGLFW
import Synchronization

/// Files that are dropped on the program's windows, read from their source here and not by GLFW, whose parser (`parseUriList`
/// of 3.3, `_glfwParseUriList` up to 3.5) looks for a slash beyond the end of the list where a `file://host` has none.
///
/// GLFW has an event loop of its own, in which nobody else has a say. But Xlib asks a function for each kind of event that it
/// takes off the wire, and lets it be exchanged (`XESetWireToEvent`, meant for extensions). That of SelectionNotify tells this
/// of the list, and has GLFW believe that there is none. All else of the protocol (XDND 5) stays GLFW's. Main thread.
@MainActor enum FileDrops {
    private struct Receiver {
        weak var recorder: GLFWEventQueue?
    }

    private static var receivers: [GlissadeXID: Receiver] = [:]
    /// The connection whose drops are taken here.
    private static var watched: UnsafeMutableRawPointer?
    // X.h.
    private static let (selectionNotify, clientMessage): (Int32, Int32) = (31, 33)

    /// From now on drops are taken here, where GLFW is on X11 and Xlib has that function. To be called once the library has
    /// started, before other threads use its connection.
    static func watch() {
        guard let connection = XWindow.connection, connection.display != watched,
            let exchange = glissade_event_exchange()
        else { return }
        watched = connection.display
        let (list, message) = (connection.atom("XdndSelection"), connection.atom("XdndDrop"))
        wire.withLock { ($0.list, $0.dropMessage) = (list, message) }
        let convertMessage = address(of: exchange(connection.display, clientMessage, takeMessage))
        let convertList = address(of: exchange(connection.display, selectionNotify, takeList))
        wire.withLock { ($0.convertMessage, $0.convertList) = (convertMessage, convertList) }
    }

    private static func address(of function: GlissadeXConvert?) -> UInt { unsafeBitCast(function, to: UInt.self) }

    /// What is dropped on that window is the recorder's.
    static func register(_ recorder: GLFWEventQueue, for handle: OpaquePointer) {
        guard watched != nil, let window = XWindow.names(of: handle)?.window else { return }
        receivers = receivers.filter { $0.value.recorder != nil }
        receivers[window] = Receiver(recorder: recorder)
    }

    /// Reads what was dropped, tells its source that it may forget it, and records it as an event of the window's. To be
    /// called when all events were taken; blocks for a round trip where something was dropped.
    static func deliver() {
        let (waiting, source, list) = wire.withLock { wire in
            defer { if !wire.waiting.isEmpty { wire.waiting = [] } }
            return (wire.waiting, wire.source, wire.list)
        }
        guard !waiting.isEmpty, let connection = XWindow.connection else { return }
        for (window, type) in waiting {
            // Any client can send such an answer, and a window of ours may have closed since it asked.
            guard let recorder = receivers[window]?.recorder else { continue }
            let bytes = connection.bytes(of: list, on: window, as: type, atMost: DropList.longest)
            if source != 0 { connection.finishDrop(on: window, from: source, isTaken: bytes != nil) }
            let locations = DropList.parse(bytes ?? [])
            if !locations.isEmpty { recorder.record(.filesDropped(locations)) }
        }
    }
}

/// What is known of drops from the events that came. Written by whichever thread takes them off the wire.
private struct Wire {
    var list: GlissadeXID = 0
    var dropMessage: GlissadeXID = 0
    /// Xlib's own functions for the two kinds of events; addresses, since functions are nobody's to send.
    var convertList: UInt = 0
    var convertMessage: UInt = 0
    /// The window that the last drop came from.
    var source: GlissadeXID = 0
    /// Windows for which there is a list to be read, and the form that it is in.
    var waiting: [(window: GlissadeXID, type: GlissadeXID)] = []
}

private let wire = Mutex(Wire())

/// Xlib's function for a message, and a look at what it made. With Xlib's lock held: it asks nobody.
private func takeMessage(
    _ display: UnsafeMutableRawPointer?, _ event: UnsafeMutableRawPointer?, _ bytes: UnsafeMutableRawPointer?
) -> Int32 {
    let answer = convert(wire.withLock { $0.convertMessage }, display, event, bytes)
    guard answer != 0, let message = event?.assumingMemoryBound(to: GlissadeXClientMessage.self) else { return answer }
    let (type, source) = (message.pointee.message_type, GlissadeXID(bitPattern: message.pointee.data.0))
    wire.withLock { if type == $0.dropMessage { $0.source = source } }
    return answer
}

/// The same for the answer of a selection's owner.
private func takeList(
    _ display: UnsafeMutableRawPointer?, _ event: UnsafeMutableRawPointer?, _ bytes: UnsafeMutableRawPointer?
) -> Int32 {
    let answer = convert(wire.withLock { $0.convertList }, display, event, bytes)
    guard answer != 0, let notice = event?.assumingMemoryBound(to: GlissadeXSelection.self) else { return answer }
    let (window, type, property) = (notice.pointee.requestor, notice.pointee.target, notice.pointee.property)
    let isDrop = wire.withLock { wire in
        guard property == wire.list, property != 0 else { return false }
        wire.waiting.append((window, type))
        return true
    }
    if isDrop { notice.pointee.property = 0 }
    return answer
}

private func convert(
    _ function: UInt, _ display: UnsafeMutableRawPointer?, _ event: UnsafeMutableRawPointer?,
    _ bytes: UnsafeMutableRawPointer?
) -> Int32 {
    unsafeBitCast(function, to: GlissadeXConvert?.self)?(display, event, bytes) ?? 0
}
