import Foundation
import GlissadeGeometry
import Glibc
import GlissadePlatform
import GlissadeScreenProbe
import GlissadeTime

/// A device of a `TouchServer`. On a touch screen: fingers by number, at positions in pixels of the screen. Each call returns when
/// the server has handled it. The protocol is described in inputtestdrv(4).
final class TouchDevice {
    private enum Message: UInt32 { case version = 0, sync = 1, motion = 2, touch = 6, pinch = 7, swipe = 8 }
    // XI_TouchBegin, XI_TouchUpdate and XI_TouchEnd (XI2.h).
    private static let (begin, update, end): (UInt32, UInt32, UInt32) = (18, 19, 20)
    private static let valuatorCount = 64

    private let socket: Int32

    init(_ path: String) throws {
        socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        // No answer within this time is a failure.
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        try Program.untilTrue("the touch screen listens", .seconds(10)) {
            withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, size) == 0 }
            }
        }
        // Version 1.1 of the protocol: two numbers of 16 bits.
        try send(.version, [1, 0, 1, 0])
        try receive()
    }

    deinit { close(socket) }

    func press(_ finger: Int, _ x: Double, _ y: Double) throws { try touch(finger, Self.begin, Point(x: x, y: y)) }
    func move(_ finger: Int, _ x: Double, _ y: Double) throws { try touch(finger, Self.update, Point(x: x, y: y)) }
    func release(_ finger: Int) throws { try touch(finger, Self.end, nil) }

    /// Moves a finger to (x, y) in equal steps.
    func glide(_ finger: Int, from start: Point, to end: Point, steps: Int = 8) throws {
        for step in 1...steps {
            let way = Double(step) / Double(steps)
            try move(finger, start.x + (end.x - start.x) * way, start.y + (end.y - start.y) * way)
        }
    }

    /// Presses a finger, moves it to the right, faster and faster, and releases it at a velocity in pixels a second.
    /// Reports 125 times a second.
    ///
    /// - Returns: The range of the velocity at the release, in pixels a second: the mean over the last 100 ms, as far as
    ///   it is known when the server handled the reports.
    @discardableResult func fling(
        _ finger: Int, from start: Point, distance: Double, velocity: Double
    ) throws -> ClosedRange<Double> {
        let step = PointerStep.fling(distance: distance, velocity: velocity)
        let pace = WakeSignal()
        let begun = HostTime.now()
        var reports: [(x: Double, sent: HostTime, handled: HostTime)] = []
        func report(_ x: Double, _ send: () throws -> Void) rethrows {
            let sent = HostTime.now()
            try send()
            reports.append((x, sent, .now()))
        }
        try report(start.x) { try press(finger, start.x, start.y) }
        for number in 1...Int(step.seconds * 125) {
            let time = Duration.milliseconds(8) * number
            while HostTime.now() < begun + time { pace.wait(until: begun + time) }
            let position = step.position(at: time.inSeconds, from: start)
            try report(position.x) { try move(finger, position.x, position.y) }
        }
        try report(reports[reports.count - 1].x) { try release(finger) }
        let last = reports.removeLast()
        var range: ClosedRange<Double>?
        // Each report that may be the first of the last 100 ms.
        for (index, first) in reports.enumerated() where last.sent - first.handled < .milliseconds(100) {
            if index > 0, last.handled - reports[index - 1].sent < .milliseconds(99) { break }
            let way = last.x - first.x
            // The server's times are whole milliseconds.
            let least = way / ((last.handled - first.sent).inSeconds + 0.001)
            let most = way / max((last.sent - first.handled).inSeconds - 0.001, 0.001)
            range = min(range?.lowerBound ?? least, least)...max(range?.upperBound ?? most, most)
        }
        return range ?? 0...0
    }

    /// Scrolls a touchpad by its valuators: 120 is a notch, to the right and down. Two zeros end the scroll.
    func scroll(_ x: Double, _ y: Double) throws {
        // Relative, and 4 bytes of padding.
        try send(.motion, [UInt8](repeating: 0, count: 8) + valuators([2: x, 3: y]))
        try synchronize()
    }

    /// Moves a touchpad's mouse.
    func moveMouse(_ x: Double, _ y: Double) throws {
        try send(.motion, [UInt8](repeating: 0, count: 8) + valuators([0: x, 1: y]))
        try synchronize()
    }

    /// A part of a gesture of a touchpad.
    enum GesturePart: UInt16 { case begin, update, end }

    /// Sends a part of a pinch, whose scale is relative to its beginning.
    func pinch(_ part: GesturePart, scale: Double = 1, isCancelled: Bool = false) throws {
        // XI_GesturePinchBegin (XI2.h), two fingers, flags, no movement, the scale and no rotation.
        try send(
            .pinch,
            bytes(of: 27 + part.rawValue) + bytes(of: UInt16(2)) + bytes(of: UInt32(isCancelled ? 1 : 0))
                + [UInt8](repeating: 0, count: 32) + bytes(of: scale.bitPattern) + [UInt8](repeating: 0, count: 8))
        try synchronize()
    }

    /// Sends a part of a swipe with three fingers, which move to the right by `distance`.
    func swipe(_ part: GesturePart, by distance: Double = 0, isCancelled: Bool = false) throws {
        // XI_GestureSwipeBegin (XI2.h), three fingers, flags, and the movement, also without acceleration.
        let movement = bytes(of: distance.bitPattern) + bytes(of: 0.0.bitPattern)
        try send(
            .swipe,
            bytes(of: 30 + part.rawValue) + bytes(of: UInt16(3)) + bytes(of: UInt32(isCancelled ? 1 : 0)) + movement
                + movement)
        try synchronize()
    }

    private func touch(_ finger: Int, _ type: UInt32, _ position: Point?) throws {
        let scale = Point(x: 65536 / Double(TouchServer.width), y: 65536 / Double(TouchServer.height))
        let values = position.map { [0: $0.x * scale.x, 1: $0.y * scale.y] } ?? [:]
        try send(.touch, bytes(of: UInt32(finger)) + bytes(of: type) + valuators(values))
        try synchronize()
    }

    private func bytes(of value: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: value) { Array($0) } }

    /// The values of valuators by number: a mask of those that have one, padding, the values, and none unaccelerated.
    private func valuators(_ values: [Int: Double]) -> [UInt8] {
        let mask = values.keys.reduce(UInt64(0)) { $0 | 1 << UInt64($1) }
        var result = bytes(of: UInt32(0)) + bytes(of: mask) + bytes(of: UInt32(0))
        for number in 0..<Self.valuatorCount { result += bytes(of: (values[number] ?? 0).bitPattern) }
        return result + [UInt8](repeating: 0, count: Self.valuatorCount * 8)
    }

    private func synchronize() throws {
        try send(.sync, [])
        try receive()
    }

    private func send(_ message: Message, _ body: [UInt8]) throws {
        var bytes: [UInt8] = []
        for value in [UInt32(8 + body.count), message.rawValue] {
            withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
        }
        bytes += body
        guard Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw Program.Failure(description: "the touch screen takes nothing: \(String(cString: strerror(errno)))")
        }
    }

    private func receive() throws {
        var bytes = [UInt8](repeating: 0, count: 64)
        guard recv(socket, &bytes, bytes.count, 0) >= 8 else {
            throw Program.Failure(description: "the touch screen does not answer: \(String(cString: strerror(errno)))")
        }
    }
}
