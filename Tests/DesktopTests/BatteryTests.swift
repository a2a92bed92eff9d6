import GlissadeCSystemd
import Foundation
import GlissadePlatform
import GlissadeTestSupport
import Testing
import GlissadeTime

@testable import GlissadeDesktop

/// UPower's DisplayDevice on a bus, with given values. It answers in `answer`, on the test's thread.
private final class PowerService {
    let bus: BusConnection
    private var slot: OpaquePointer?
    var values: (isPresent: Bool, percentage: Double, state: UInt32)

    init(_ address: String, _ values: (isPresent: Bool, percentage: Double, state: UInt32)) throws {
        self.values = values
        bus = try BusConnection(address: address)
        try BusError.check(
            sd_bus_add_object(
                bus.pointer, &slot, "/org/freedesktop/UPower/devices/DisplayDevice",
                { message, context, _ in
                    guard let message, let context else { return 0 }
                    return Unmanaged<PowerService>.fromOpaque(context).takeUnretainedValue().reply(message)
                }, Unmanaged.passUnretained(self).toOpaque()))
        #expect(try bus.take("org.freedesktop.UPower"))
    }

    deinit { sd_bus_slot_unref(slot) }

    private func reply(_ call: OpaquePointer) -> CInt {
        BusError.code { () throws(BusError) in
            let message = BusMessage(pointer: call)
            guard message.member == "Get" else { return 0 }
            _ = try message.readText()
            let name = try message.readText()
            var pointer: OpaquePointer?
            try BusError.check(sd_bus_message_new_method_return(call, &pointer))
            defer { sd_bus_message_unref(pointer) }
            guard let pointer else { return -ENOMEM }
            let reply = BusMessage(pointer: pointer)
            switch name {
            case "IsPresent":
                try reply.container("v", of: "b") { () throws(BusError) in try reply.append(values.isPresent) }
            case "Percentage":
                try reply.container("v", of: "d") { () throws(BusError) in try reply.append(values.percentage) }
            default: try reply.container("v", of: "u") { () throws(BusError) in try reply.append(values.state) }
            }
            try BusError.check(sd_bus_send(bus.pointer, pointer, nil))
            return 1
        }
    }

    func answer() throws { while try bus.process() {} }
}

@MainActor @Suite("Battery", .serialized) struct BatteryTests {
    private let signal = WakeSignal()

    /// Reads the battery's status; nil if there is none.
    private func read(_ address: String, _ service: PowerService?) throws -> BatteryStatus? {
        let signal = signal
        let ended = Atomic()
        let monitor = BatteryMonitor(address: address) {
            ended.set()
            signal.raise()
        }
        monitor.advance(to: .now())
        #expect(
            eventually {
                try? service?.answer()
                return ended.isSet
            })
        monitor.advance(to: .now())
        return monitor.status
    }

    @Test(
        "The charge and the power supply are those of UPower",
        arguments: [
            (80.0, UInt32(2), BatteryStatus(level: 0.8, isCharging: false)),
            (55, 1, BatteryStatus(level: 0.55, isCharging: true)), (100, 4, BatteryStatus(level: 1, isCharging: true)),
            (-3, 2, BatteryStatus(level: 0, isCharging: false)), (1e9, 2, BatteryStatus(level: 1, isCharging: false)),
        ])
    func status(percentage: Double, state: UInt32, expected: BatteryStatus) throws {
        let server = try BusServer()
        let service = try PowerService(server.address, (true, percentage, state))
        #expect(try read(server.address, service) == expected)
    }

    @Test("A machine without a battery, and a charge that is no number, have no status")
    func absent() throws {
        let server = try BusServer()
        let service = try PowerService(server.address, (false, 50, 2))
        #expect(try read(server.address, service) == nil)
        service.values = (true, .nan, 2)
        #expect(try read(server.address, service) == nil)
    }

    @Test("Without UPower or a bus there is no status")
    func noService() throws {
        let server = try BusServer()
        #expect(try read(server.address, nil) == nil)
        #expect(try read("unix:path=/nonexistent", nil) == nil)
    }
}

/// A flag that one thread sets and another reads.
private final class Atomic: Sendable {
    private let flag = Mailbox<Bool>(wake: {})
    private let seen = Mailbox<Bool>(wake: {})
    func set() { flag.put(true) }
    var isSet: Bool { flag.take() != nil }
}
