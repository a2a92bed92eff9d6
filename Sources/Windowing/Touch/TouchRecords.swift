import GlissadeTime

/// An event of the X Input extension, with its times.
struct TouchRecord {
    enum Event: Hashable {
        case touch(XInputEvent.Touch)
        case gesture(XInputEvent.Gesture)
        case motion(XInputEvent.Motion)
        case lost(device: UInt16)
    }

    var event: Event
    /// The X server's timestamp, in milliseconds.
    var time: UInt32
    var received: HostTime
}

extension TouchRecord.Event {
    var isEnd: Bool {
        switch self {
        case .touch(let touch): touch.phase == .ended
        case .gesture(let gesture): gesture.phase == .ended
        case .motion: false
        case .lost: true
        }
    }
}

/// The events that have been read and not yet delivered, and the state that the event decoder shares with `Touches`.
///
/// Reads no clock: it is told when an event was received.
struct TouchRecords {
    /// The maximum number of recorded events. Further events are dropped, except for the ends of touches.
    static let capacity = 4096

    /// The address of the library's own decoder.
    var decoder: UInt = 0
    var records: [TouchRecord] = []
    /// The movements of valuators, in a list of their own: they are recorded also while GLFW processes its events.
    var motions: [TouchRecord] = []
    /// Whether devices, or what they can do, have changed since they were last queried.
    var hasChangedDevices = true
    private var clock = ServerClock()
    /// The time of the last event that was delivered.
    private var last = HostTime(nanoseconds: 0)

    /// Records the touch, the gesture, the movement or the lost devices that an event of the server reports.
    ///
    /// - Parameter event: The event's bytes, at least 32.
    mutating func record(_ event: UnsafeRawBufferPointer, received: HostTime) {
        let time = event.loadUnaligned(fromByteOffset: 12, as: UInt32.self)
        switch XInputEvent(event) {
        case .touch(let touch):
            clock.observe(time, received: received)
            add(.touch(touch), time: time, received: received)
        case .gesture(let gesture):
            clock.observe(time, received: received)
            add(.gesture(gesture), time: time, received: received)
        case .motion(let motion):
            clock.observe(time, received: received)
            guard motions.count < Self.capacity else { return }
            motions.append(TouchRecord(event: .motion(motion), time: time, received: received))
        case nil:
            if XInputEvent.changesDevices(event) { hasChangedDevices = true }
            XInputEvent.forEachLostDevice(event) { add(.lost(device: $0), time: time, received: received) }
        }
    }

    private mutating func add(_ event: TouchRecord.Event, time: UInt32, received: HostTime) {
        guard records.count < Self.capacity || event.isEnd && records.count < Self.capacity * 2 else { return }
        records.append(TouchRecord(event: event, time: time, received: received))
    }

    /// Returns when an event happened. Times never decrease from one event to the next.
    mutating func hostTime(of record: TouchRecord) -> HostTime {
        last = min(max(clock.hostTime(of: record.time, received: record.received), last), record.received)
        return last
    }
}
