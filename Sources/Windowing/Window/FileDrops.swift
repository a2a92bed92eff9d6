import CGLFW
import Synchronization

/// Reads file drops on the program's windows from their source, instead of GLFW. GLFW's parser (`parseUriList` of 3.3,
/// `_glfwParseUriList` up to 3.5) looks for a slash beyond the end of the list if a `file://host` has none.
///
/// GLFW runs its own event loop, which has no hooks. But Xlib decodes each type of event from the wire with a function
/// that can be replaced (`XESetWireToEvent`, meant for extensions). The one for SelectionNotify reports the list here
/// and makes GLFW believe that there is none. The rest of the protocol (XDND 5) is left to GLFW. Main thread.
@MainActor enum FileDrops {
    private struct Receiver {
        weak var eventQueue: GLFWEventQueue?
    }

    private static var receivers: [GlissadeXID: Receiver] = [:]
    /// The connection whose drops are handled here.
    private static var watched: UnsafeMutableRawPointer?
    // X.h.
    private static let (selectionNotify, clientMessage): (Int32, Int32) = (31, 33)

    /// Starts handling drops, if GLFW uses X11 and Xlib has the function. Must be called once the library has started,
    /// before other threads use its connection.
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

    /// Delivers drops on a window to its event queue.
    static func register(_ eventQueue: GLFWEventQueue, for handle: OpaquePointer) {
        guard watched != nil, let window = XWindow.names(of: handle)?.window else { return }
        receivers = receivers.filter { $0.value.eventQueue != nil }
        receivers[window] = Receiver(eventQueue: eventQueue)
    }

    /// Reads the dropped lists, notifies their sources, and records the drops as events of their windows. Must be
    /// called after all events have been processed. If something was dropped, blocks for a round trip.
    static func deliver() {
        let (waiting, source, list) = wire.withLock { wire in
            defer { if !wire.waiting.isEmpty { wire.waiting = [] } }
            return (wire.waiting, wire.source, wire.list)
        }
        guard !waiting.isEmpty, let connection = XWindow.connection else { return }
        for (window, type) in waiting {
            // Any client can send such an answer, and the window may have been closed since the request.
            guard let eventQueue = receivers[window]?.eventQueue else { continue }
            let bytes = connection.bytes(of: list, on: window, as: type, atMost: DropList.longest)
            if source != 0 { connection.finishDrop(on: window, from: source, isTaken: bytes != nil) }
            let locations = DropList.parse(bytes ?? [])
            if !locations.isEmpty { eventQueue.record(.filesDropped(locations)) }
        }
    }
}

/// Information about drops, taken from events. Written by the thread that reads them from the wire.
private struct Wire {
    var list: GlissadeXID = 0
    var dropMessage: GlissadeXID = 0
    /// Xlib's own functions for the two event types, as addresses, since functions are not `Sendable`.
    var convertList: UInt = 0
    var convertMessage: UInt = 0
    /// The source window of the last drop.
    var source: GlissadeXID = 0
    /// Windows with a list to read, and its type.
    var waiting: [(window: GlissadeXID, type: GlissadeXID)] = []
}

private let wire = Mutex(Wire())

/// Calls Xlib's function for a client message and inspects the result. Xlib's lock is held, so this must not call Xlib.
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
