import GlissadeCXlib
import Synchronization
import GlissadeTime

/// Reads the fingers on touch screens and the exact scrolling of touchpads (XInput 2.2) and the gestures on touchpads
/// (XInput 2.4) from the X server, and records them as events of windows. GLFW reports none of these.
///
/// Without this, the server turns the first finger into a mouse. It does so only for windows for which no client has
/// asked for touches. The events arrive on GLFW's connection, and GLFW ignores them, so Xlib's decoder for them is
/// replaced, as in `FileDrops`. Main thread.
@MainActor enum Touches {
    private struct Receiver {
        weak var eventQueue: GLFWEventQueue?
    }

    private static var receivers: [UInt32: Receiver] = [:]
    private static var fingers = FingerTracker()
    private static var gestureFingers = GestureFingers()
    /// The events that are being delivered. Kept to reuse its memory.
    private static var taken: [TouchRecord] = []
    private static var motions: [TouchRecord] = []
    /// The connection in use; nil if the server has no XInput.
    private static var connection: XlibConnection?

    private static var scrollDevices = ScrollDevices()
    /// The window with the mouse, which gets the scrolls.
    private static weak var hovered: GLFWEventQueue?
    /// The last scroll that was recorded: the server's timestamp, in milliseconds, and when it was received.
    private static var lastScroll: (time: UInt32, received: HostTime)?
    /// The shortest time from a scroll on a touchpad to one by a wheel.
    private static let shortestPause = Duration.milliseconds(50)

    private static let touchTypes = XI_TouchBegin...XI_TouchEnd
    private static let gestureTypes = XI_GesturePinchBegin...XI_GestureSwipeEnd
    /// The types of events about valuators and about what devices can do.
    private static let scrollTypes = [XI_DeviceChanged, XI_RawMotion]

    /// Starts reading touches, if the server has XInput. Call once, before other threads use the connection.
    static func watch(_ connection: XlibConnection) {
        var (opcode, event, error): (Int32, Int32, Int32) = (0, 0, 0)
        guard XQueryExtension(connection.display, "XInputExtension", &opcode, &event, &error) != 0 else { return }
        self.connection = connection
        XErrors.ignore(selectEvents, of: UInt8(truncatingIfNeeded: opcode))
        // GLFW's own negotiation of the version does not limit the events that can be selected. The library sets its
        // decoder when it is first used, so the replacement comes after.
        select([XI_HierarchyChanged], on: connection.root, from: XIAllDevices)
        let decoder = unsafeBitCast(XESetWireToEventCookie(connection.display, opcode, takeCookie), to: UInt.self)
        wire.withLock { $0.decoder = decoder }
    }

    /// The number of the request `XISelectEvents` (XI2proto.h). A server before XInput 2.2 refuses it.
    private static let selectEvents: UInt8 = 46

    private static func select(_ types: some Collection<Int32>, on window: XID, from device: Int32) {
        guard let connection else { return }
        var mask = [UInt8](repeating: 0, count: 8)
        for type in types where type / 8 < mask.count { mask[Int(type) / 8] |= 1 << UInt8(type % 8) }
        mask.withUnsafeMutableBufferPointer { bytes in
            var request = XIEventMask(
                deviceid: device, mask_len: (types.max() ?? 0) < 32 ? 4 : 8, mask: bytes.baseAddress)
            XISelectEvents(connection.display, window, &request, 1)
        }
    }

    /// Sends the touches of `window` to `eventQueue`.
    static func register(_ eventQueue: GLFWEventQueue, for window: XID) {
        guard connection != nil else { return }
        receivers = receivers.filter { $0.value.eventQueue != nil }
        fingers.forgetFingers { receivers[$0] == nil }
        XErrors.ignoreForeign()
        receivers[UInt32(truncatingIfNeeded: window)] = Receiver(eventQueue: eventQueue)
        select(touchTypes, on: window, from: XIAllMasterDevices)
        // A second request for the same devices replaces the first one. A server without gestures refuses the whole
        // request.
        select(Array(touchTypes) + Array(gestureTypes), on: window, from: XIAllMasterDevices)
    }

    /// Cancels the touches of a window, for instance because the window has lost the focus. Further reports about these
    /// fingers are ignored.
    static func cancel(in window: XID) {
        let now = HostTime.now()
        fingers.cancelFingers(in: UInt32(truncatingIfNeeded: window)) { pass($0, at: now) }
        gestureFingers.cancel(in: UInt32(truncatingIfNeeded: window)) { pass($0, at: now) }
    }

    // MARK: - Scrolling

    /// Starts or stops reading scrolls for a window. Call when the mouse enters or leaves the window.
    ///
    /// The server reports exact distances together with all movements of the mouse on the screen, so they are read only
    /// while the mouse is in a window. To select a window's own XInput movements would take GLFW's away.
    static func setHovered(_ eventQueue: GLFWEventQueue, _ isHovered: Bool) {
        guard let connection else { return }
        if isHovered {
            if hovered == nil { select(scrollTypes, on: connection.root, from: XIAllMasterDevices) }
            hovered = eventQueue
        } else if hovered === eventQueue {
            hovered = nil
            select([], on: connection.root, from: XIAllMasterDevices)
        }
        connection.flush()
    }

    /// Whether a scroll of the given time, in milliseconds of the X server, has been recorded by its exact distance.
    /// The server also reports such a scroll as presses of buttons, as if by a wheel.
    static func hasScrolled(at time: UInt32?) -> Bool {
        recordScrolls()
        guard let scroll = lastScroll else { return false }
        // Several scrolls may have been read together, and times wrap around.
        if let time, Int32(bitPattern: scroll.time &- time) >= 0 { return true }
        return HostTime.now() - scroll.received < shortestPause
    }

    /// Records the scrolls read so far.
    private static func recordScrolls() {
        let mustQuery = wire.withLock { wire in
            if wire.motions.isEmpty { return false }
            swap(&wire.motions, &motions)
            defer { wire.hasChangedDevices = false }
            return wire.hasChangedDevices
        }
        guard !motions.isEmpty else { return }
        if mustQuery { queryDevices() }
        for record in motions {
            guard case .motion(let motion) = record.event, let scroll = scrollDevices.scroll(of: motion) else {
                continue
            }
            lastScroll = (record.time, record.received)
            hovered?.scrolled(scroll, at: wire.withLock { $0.hostTime(of: record) })
        }
        motions.removeAll(keepingCapacity: true)
    }

    /// Asks the server which valuators scroll. One round trip, when the devices have changed.
    private static func queryDevices() {
        var count: Int32 = 0
        guard let connection, let devices = XIQueryDevice(connection.display, XIAllDevices, &count) else { return }
        defer { XIFreeDeviceInfo(devices) }
        var axes: [ScrollDevices.Axis] = []
        for device in UnsafeBufferPointer(start: devices, count: Int(max(0, count))) {
            for index in 0..<Int(max(0, device.num_classes)) {
                guard let found = device.classes?[index], found.pointee.type == XIScrollClass else { continue }
                found.withMemoryRebound(to: XIScrollClassInfo.self, capacity: 1) {
                    axes.append(
                        ScrollDevices.Axis(
                            device: UInt16(truncatingIfNeeded: device.deviceid),
                            number: UInt8(clamping: $0.pointee.number),
                            isVertical: $0.pointee.scroll_type == XIScrollTypeVertical, increment: $0.pointee.increment)
                    )
                }
            }
        }
        scrollDevices.setAxes(axes)
    }

    // MARK: - Delivery

    /// Records the touches and scrolls read so far as events of their windows. Call after all of GLFW's events have
    /// been processed.
    static func deliver() {
        recordScrolls()
        wire.withLock { wire in
            guard !wire.records.isEmpty else { return }
            swap(&wire.records, &taken)
        }
        guard !taken.isEmpty else { return }
        // The server ends the touches and the gesture of a device just before it reports that the device is lost. After
        // a round trip, that report has come.
        if taken.contains(where: { $0.event.isEnd }) { connection?.synchronize() }
        for (index, record) in taken.enumerated() {
            let time = wire.withLock { $0.hostTime(of: record) }
            switch record.event {
            case .touch(let touch):
                if touch.phase == .began {
                    receivers[touch.window]?.eventQueue?.dropMouse(at: touch.time)
                }
                let isCancelled = touch.phase == .ended && isLost(touch.device, after: index)
                fingers.handle(touch, isCancelled: isCancelled) { pass($0, at: time) }
            case .motion: break
            case .gesture(var gesture):
                if gesture.phase == .ended, isLost(gesture.device, after: index) { gesture.isCancelled = true }
                gestureFingers.handle(gesture) { pass($0, at: time) }
            case .lost(let device):
                fingers.cancelFingers(on: device) { pass($0, at: time) }
                gestureFingers.cancel(on: device) { pass($0, at: time) }
            }
        }
        taken.removeAll(keepingCapacity: true)
    }

    /// Whether the device is lost by an event that was read after the event at `index`.
    private static func isLost(_ device: UInt16, after index: Int) -> Bool {
        let event = TouchRecord.Event.lost(device: device)
        return taken[index...].contains { $0.event == event }
            || wire.withLock { $0.records.contains { $0.event == event } }
    }

    private static func pass(_ change: FingerTracker.Change, at time: HostTime) {
        receivers[change.window]?.eventQueue?.finger(change, at: time)
    }
}

/// The events of the connection. The decoder records them on the thread that reads them.
private let wire = Mutex(TouchRecords())

/// Decodes an event of the X Input extension with the library's own decoder, and records touches and lost devices.
/// Xlib's lock is held, so this must not call Xlib.
private func takeCookie(
    _ display: OpaquePointer?, _ cookie: UnsafeMutablePointer<XGenericEventCookie>?, _ bytes: UnsafeMutableRawPointer?
) -> Int32 {
    if let bytes {
        // Xlib has read the whole event: 32 bytes, and as many words as the event's length tells.
        let words = bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
        let event = UnsafeRawBufferPointer(start: bytes, count: 32 + 4 * Int(min(words, 1 << 20)))
        let received = HostTime.now()
        wire.withLock { $0.record(event, received: received) }
    }
    let decoder = wire.withLock { $0.decoder }
    return unsafeBitCast(decoder, to: GlissadeXConvertCookie?.self)?(display, cookie, bytes) ?? 0
}
