import GlissadeGeometry

/// An event of the X Input extension, parsed from the bytes that the X server sends (XI2proto.h).
enum XInputEvent: Hashable {
    enum TouchPhase: Hashable { case began, moved, ended }

    /// A finger on a touch screen.
    struct Touch: Hashable {
        var phase: TouchPhase
        /// The finger's number at the server. The server counts upwards, and starts over at some time.
        var id: UInt32
        /// The device that the finger touches.
        var device: UInt16
        /// The window that the finger first touched.
        var window: UInt32
        /// The position in the window, in pixels and fractions of a pixel.
        var position: Point
        /// The server's timestamp, in milliseconds.
        var time: UInt32
    }

    /// The movement of a device's valuators, among them those of a touchpad's scrolling.
    struct Motion: Hashable {
        /// The most valuators that are read. The first two are the pointer's position, and are left out.
        static let capacity = 4

        var device: UInt16
        /// The valuators that moved, and by how much. The first `count` elements are valid.
        var numbers = SIMD4<UInt8>()
        var distances = SIMD4<Double>()
        var count = 0
        /// The server's timestamp, in milliseconds.
        var time: UInt32
    }

    /// A pinch or swipe on a touchpad, which the server has recognized (XInput 2.4).
    struct Gesture: Hashable {
        enum Kind: Hashable { case pinch, swipe }

        var kind: Kind
        var phase: TouchPhase
        /// Whether the end is not that of the gesture, as when it turns out to be another one.
        var isCancelled: Bool
        var device: UInt16
        var window: UInt32
        /// The position of the mouse in the window, in pixels.
        var position: Point
        /// How far the fingers have moved since the last event, in pixels.
        var delta: Point
        /// For a pinch, the distance between the fingers as a multiple of the initial distance.
        var scale: Double
        /// The server's timestamp, in milliseconds.
        var time: UInt32
    }

    case touch(Touch)
    case gesture(Gesture)
    case motion(Motion)

    /// The most devices of one event that are looked at.
    static let deviceLimit = 256

    // Event types (XI2.h), and the sizes of the fixed parts of events, in bytes.
    private static let (deviceChanged, rawMotion): (Int, UInt16) = (1, 17)
    /// The reason of a `deviceChanged` event for a change of the device itself.
    private static let deviceChangeReason: UInt8 = 2
    private static let (hierarchyChanged, touchBegin, touchUpdate, touchEnd) = (11, 18, 19, 20)
    private static let (headerSize, deviceEventSize, hierarchyInfoSize) = (32, 80, 12)
    /// Flags of a device that can no longer be used: removed, detached or disabled.
    private static let lostFlags: UInt32 = 1 << 3 | 1 << 5 | 1 << 7

    // The first types and the sizes of pinches and swipes. The flags are their last field.
    private static let (pinchBegin, swipeBegin, pinchSize, swipeSize) = (27, 30, 100, 92)

    /// Parses an event about a finger, a gesture, or about valuators other than the pointer's position. Nil for any other event,
    /// and for an event that is too short.
    init?(_ bytes: UnsafeRawBufferPointer) {
        if bytes.count >= Self.headerSize, Self.u16(bytes, 8) == Self.rawMotion {
            guard let motion = Self.motion(bytes) else { return nil }
            self = .motion(motion)
            return
        }
        guard bytes.count >= Self.deviceEventSize else { return nil }
        if let gesture = Self.gesture(bytes) {
            self = .gesture(gesture)
            return
        }
        let phase: TouchPhase
        switch Int(Self.u16(bytes, 8)) {
        case Self.touchBegin: phase = .began
        case Self.touchUpdate: phase = .moved
        case Self.touchEnd: phase = .ended
        default: return nil
        }
        self = .touch(
            Touch(
                phase: phase, id: Self.u32(bytes, 16), device: Self.u16(bytes, 52), window: Self.u32(bytes, 24),
                position: Point(x: Self.fixed(bytes, 40), y: Self.fixed(bytes, 44)), time: Self.u32(bytes, 12)))
    }

    /// Calls `body` with the number of each device that a change of the device hierarchy has removed, detached or
    /// disabled. Does nothing for other events.
    static func forEachLostDevice(_ bytes: UnsafeRawBufferPointer, _ body: (UInt16) -> Void) {
        guard bytes.count >= headerSize, u16(bytes, 8) == hierarchyChanged else { return }
        let present = (bytes.count - headerSize) / hierarchyInfoSize
        for index in 0..<min(Int(u16(bytes, 20)), present, deviceLimit) {
            let offset = headerSize + index * hierarchyInfoSize
            if u32(bytes, offset + 8) & lostFlags != 0 { body(u16(bytes, offset)) }
        }
    }

    /// Whether the event says that devices, or what they can do, have changed.
    static func changesDevices(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count >= headerSize else { return false }
        switch Int(u16(bytes, 8)) {
        case hierarchyChanged: return true
        // Another device of the same pointer has been used, which changes no device, unless the reason is a change.
        case deviceChanged: return bytes[20] == deviceChangeReason
        default: return false
        }
    }

    private static func gesture(_ bytes: UnsafeRawBufferPointer) -> Gesture? {
        let type = Int(u16(bytes, 8))
        guard pinchBegin..<swipeBegin + 3 ~= type else { return nil }
        let isPinch = type < swipeBegin
        guard bytes.count >= (isPinch ? pinchSize : swipeSize) else { return nil }
        let phases = [TouchPhase.began, .moved, .ended]
        return Gesture(
            kind: isPinch ? .pinch : .swipe, phase: phases[(type - pinchBegin) % 3],
            isCancelled: u32(bytes, isPinch ? pinchSize - 4 : swipeSize - 4) & 1 != 0,
            device: u16(bytes, isPinch ? 72 : 64), window: u32(bytes, 24),
            position: Point(x: fixed(bytes, 40), y: fixed(bytes, 44)),
            delta: Point(x: fixed(bytes, 48), y: fixed(bytes, 52)), scale: isPinch ? fixed(bytes, 64) : 1,
            time: u32(bytes, 12))
    }

    private static func motion(_ bytes: UnsafeRawBufferPointer) -> Motion? {
        let maskSize = Int(u16(bytes, 22)) * 4
        guard headerSize + maskSize <= bytes.count else { return nil }
        var motion = Motion(device: u16(bytes, 20), time: u32(bytes, 12))
        var offset = headerSize + maskSize
        for number in 0..<min(maskSize * 8, 256) where bytes[headerSize + number / 8] >> UInt8(number % 8) & 1 != 0 {
            guard offset + 8 <= bytes.count else { return nil }
            defer { offset += 8 }
            guard number >= 2, motion.count < Motion.capacity else { continue }
            motion.numbers[motion.count] = UInt8(number)
            // 32 binary digits before and after the point.
            motion.distances[motion.count] =
                Double(bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self))
                + Double(u32(bytes, offset + 4)) / 4_294_967_296
            motion.count += 1
        }
        return motion.count > 0 ? motion : nil
    }

    private static func u16(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt16 {
        bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self)
    }

    private static func u32(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt32 {
        bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
    }

    /// Reads a number with 16 binary digits after the point.
    private static func fixed(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> Double {
        Double(bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self)) / 65536
    }
}
