import GlissadeCSystemd
import Glibc
import GlissadePlatform
package import GlissadeTime

/// The charge of the machine's battery.
package struct BatteryStatus: Hashable, Sendable {
    /// The charge, 0…1.
    package var level: Double
    /// Whether the battery is charging or full, and so connected to a power supply.
    package var isCharging: Bool

    package init(level: Double, isCharging: Bool) {
        self.level = level
        self.isCharging = isCharging
    }
}

/// Reads the battery's charge from UPower on the system bus. Without UPower or a battery, there is no status.
///
/// Main thread. The bus is read on a background thread.
@MainActor package final class BatteryMonitor {
    /// The minimum time between two readings.
    package static let interval = Duration.seconds(30)

    /// The last status that was read; nil if there is none.
    package private(set) var status: BatteryStatus?
    private let address: String
    private let readings: Mailbox<BatteryStatus?>
    private var isReading = false
    private var next: HostTime?

    /// - Parameters:
    ///   - address: The address of the bus in D-Bus syntax; nil for the system bus.
    ///   - wake: Called on a background thread when a reading has ended.
    package init(address: String? = nil, wake: @escaping @Sendable () -> Void) {
        self.address =
            address ?? getenv("DBUS_SYSTEM_BUS_ADDRESS").map { String(cString: $0) }
            ?? "unix:path=/run/dbus/system_bus_socket"
        readings = Mailbox(wake: wake)
    }

    /// Takes over the last reading, and starts another one if `interval` has passed. Call this repeatedly while the
    /// status is visible.
    package func advance(to now: HostTime) {
        if let reading = readings.take() {
            status = reading
            isReading = false
        }
        guard !isReading, next.map({ now >= $0 }) ?? true else { return }
        next = now + Self.interval
        isReading = NamedThread.detach(name: "battery") { [address, readings] in
            readings.put(try? Self.read(address))
        }
    }

    /// Reads the status. Blocks. Returns nil if the machine has no battery.
    private nonisolated static func read(_ address: String) throws(BusError) -> BatteryStatus? {
        let bus = try BusConnection(address: address)
        guard try property("IsPresent", "b", CInt(0), bus) != 0 else { return nil }
        let percentage = try property("Percentage", "d", 0.0, bus)
        let state = try property("State", "u", UInt32(0), bus)
        guard percentage.isFinite else { return nil }
        // UPower's states: 1 is charging, 4 is fully charged, and 5 is pending charge.
        return BatteryStatus(level: min(max(percentage / 100, 0), 1), isCharging: [1, 4, 5].contains(state))
    }

    private nonisolated static func property<Value: BitwiseCopyable>(
        _ name: String, _ type: Unicode.Scalar, _ initial: Value, _ bus: BusConnection
    ) throws(BusError) -> Value {
        var value = initial
        let code = withUnsafeMutableBytes(of: &value) {
            sd_bus_get_property_trivial(
                bus.pointer, "org.freedesktop.UPower", "/org/freedesktop/UPower/devices/DisplayDevice",
                "org.freedesktop.UPower.Device", name, nil, CChar(truncatingIfNeeded: type.value), $0.baseAddress)
        }
        try BusError.check(code)
        return value
    }
}
