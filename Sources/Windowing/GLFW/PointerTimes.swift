import GlissadeCGLFW
import GlissadeCXlib
import Synchronization
import GlissadeTime

/// Provides the X server's timestamps of pointer events, which GLFW does not pass on.
///
/// Events are often read late and several at once, so the time of reading says little about when the pointer moved.
/// Xlib's decoders for these events are therefore replaced, as in `FileDrops`. The replacements record the timestamps,
/// which are looked up when GLFW's callbacks report the events. Main thread.
@MainActor enum PointerTimes {
    private struct Event {
        var window: XID
        var (x, y): (Int32, Int32)
        var time: HostTime
        var serverTime: UInt32
    }

    /// The X server's timestamp of the last event taken, in milliseconds; nil if the last event was not recorded.
    private(set) static var serverTime: UInt32?

    /// The last event taken, if it reported that the pointer entered a window; otherwise nil.
    private static var entry: Event?

    /// Starts recording. Call once, before other threads use the connection.
    static func watch(_ connection: XlibConnection) {
        for type in [ButtonPress, ButtonRelease, MotionNotify, EnterNotify, LeaveNotify] {
            let decoder = unsafeBitCast(XESetWireToEvent(connection.display, type, takePointer), to: UInt.self)
            // Without the original decoder, the replacement reports no event at all. No event is read in between:
            // that would need this thread.
            recorded.withLock { $0.decoders[Int(type)] = decoder }
        }
    }

    /// Returns when the pointer moved to (x, y) in `window`, in the window system's units; nil if unknown. Call once
    /// for each motion event, in order.
    static func motion(in window: XID, x: Double, y: Double) -> HostTime? {
        defer { entry = nil }
        // GLFW also reports where the pointer has entered as a motion.
        if let entry, entry.window == window, Double(entry.x) == x, Double(entry.y) == y {
            serverTime = entry.serverTime
            return entry.time
        }
        return take { $0.type == MotionNotify && $0.window == window && Double($0.x) == x && Double($0.y) == y }?.time
    }

    /// Returns when the pointer entered or left `window`; nil if unknown. Call once for each such event, in order.
    static func crossing(of window: XID, isInside: Bool) -> HostTime? {
        let event = take { $0.type == (isInside ? EnterNotify : LeaveNotify) && $0.window == window }
        entry = isInside ? event : nil
        return event?.time
    }

    /// Returns when a button was pressed or released in `window`; nil if unknown. Call once for each press and release,
    /// in order.
    ///
    /// - Parameter number: The button's number in GLFW.
    static func button(_ number: Int32, in window: XID, isPress: Bool) -> HostTime? {
        entry = nil
        // GLFW swaps the middle and the right button, and leaves out buttons 4 to 7, the wheel's.
        let detail: UInt32 =
            switch number {
            case GLFW_MOUSE_BUTTON_LEFT: 1
            case GLFW_MOUSE_BUTTON_MIDDLE: 2
            case GLFW_MOUSE_BUTTON_RIGHT: 3
            default: UInt32(clamping: number) + 5
            }
        return take {
            $0.type == (isPress ? ButtonPress : ButtonRelease) && $0.window == window && $0.detail == detail
        }?.time
    }

    /// Returns the X server's timestamp of the scroll that GLFW reports, in milliseconds; nil if unknown. Call once for
    /// each scroll, in order. The server reports a scroll as the press of one of the buttons 4 to 7.
    static func scroll(in window: XID) -> UInt32? {
        take { $0.type == ButtonPress && $0.window == window && 4...7 ~= $0.detail }?.serverTime
    }

    /// Discards the events that are still recorded, which GLFW has ignored. Call after GLFW has handled all events.
    static func finishEvents() {
        recorded.withLock { if !$0.events.isEmpty { $0.events.removeAll(keepingCapacity: true) } }
    }

    /// Removes and returns the first recorded event for which `matches` returns true; nil if there is none. Also
    /// removes the events before it, which GLFW has ignored. Times never decrease from one returned event to the next.
    private static func take(_ matches: (PointerRecord) -> Bool) -> Event? {
        let taken: Event? = recorded.withLock { recorded in
            guard let index = recorded.events.firstIndex(where: matches) else { return nil }
            let event = recorded.events[index]
            recorded.events.removeFirst(index + 1)
            let time = recorded.clock.hostTime(of: event.time, received: event.received)
            recorded.last = min(max(time, recorded.last), event.received)
            return Event(
                window: event.window, x: event.x, y: event.y, time: recorded.last, serverTime: event.time)
        }
        serverTime = taken?.serverTime
        return taken
    }
}

private struct PointerRecord {
    var type: Int32
    var window: XID
    var (x, y): (Int32, Int32)
    /// The button's number at the X server.
    var detail: UInt32
    /// The X server's timestamp, in milliseconds.
    var time: UInt32
    var received: HostTime
}

/// The state that the event decoders share with `PointerTimes`. The decoders run on the thread that reads events from
/// the connection.
private struct Recorded {
    /// The maximum number of recorded events. When it is reached, the older half of the events is dropped.
    static let capacity = 4096

    /// The addresses of Xlib's own decoders, indexed by event type.
    var decoders = [UInt](repeating: 0, count: Int(LeaveNotify) + 1)
    var events: [PointerRecord] = []
    var clock = ServerClock()
    /// The time of the last event that was taken.
    var last = HostTime(nanoseconds: 0)
}

private let recorded = Mutex(Recorded())

/// Decodes a pointer event with Xlib's own decoder, and records the event. Xlib's lock is held, so this must not call
/// Xlib.
private func takePointer(
    _ display: OpaquePointer?, _ event: UnsafeMutablePointer<XEvent>?, _ bytes: UnsafeMutableRawPointer?
) -> Int32 {
    guard let bytes else { return 0 }
    // The first byte of an event is its type, whose highest bit tells that another client has sent it.
    let type = Int(bytes.load(as: UInt8.self) & 0x7F)
    let decoder = recorded.withLock { $0.decoders.indices ~= type ? $0.decoders[type] : 0 }
    let answer = convert(decoder, display, event, bytes)
    // The structures of motions and crossings are the same up to the position; their next field is no button.
    guard answer != 0, let pointer = event?.pointee.xbutton, pointer.send_event == 0 else { return answer }
    let record = PointerRecord(
        type: pointer.type, window: pointer.window, x: pointer.x, y: pointer.y, detail: pointer.button,
        time: UInt32(truncatingIfNeeded: pointer.time), received: .now())
    recorded.withLock {
        $0.clock.observe(record.time, received: record.received)
        if $0.events.count == Recorded.capacity { $0.events.removeFirst(Recorded.capacity / 2) }
        $0.events.append(record)
    }
    return answer
}
