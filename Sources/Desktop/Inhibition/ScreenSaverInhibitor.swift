import GlissadeCSystemd

/// Keeps the screen on through the first service that can do so. Tries the cases of `InhibitionInterface` in order.
/// Confined to the bus's thread.
///
/// If a service with higher priority appears while another service keeps the screen on, the existing inhibition is
/// released only after the new service has granted one. All services release their inhibitions when the connection
/// closes.
final class ScreenSaverInhibitor {
    private let bus: BusConnection
    private let report: (ScreenInhibition) -> Void
    private var services: [InhibitionService] = []
    private var responses: OpaquePointer?
    private var isWanted = false

    /// Creates an inhibitor that does not keep the screen on yet.
    ///
    /// - Parameters:
    ///   - title: The program's name, as shown to users.
    ///   - report: Called with the state whenever it may have changed.
    init(bus: BusConnection, title: String, report: @escaping (ScreenInhibition) -> Void) {
        self.bus = bus
        self.report = report
        services = InhibitionInterface.allCases.map { interface in
            InhibitionService(interface, bus: bus, title: title) { [unowned self] () throws(BusError) in try update() }
        }
    }

    deinit { sd_bus_slot_unref(responses) }

    /// Starts watching for services that appear, disappear or fail.
    func listen() {
        services.forEach { $0.listen() }
        sd_bus_match_signal_async(
            bus.pointer, &responses, nil, nil, InhibitionInterface.request, "Response",
            { message, context, _ in
                // This object owns the slot, so it exists whenever the callback runs.
                guard let message, let context else { return 0 }
                let inhibitor = Unmanaged<ScreenSaverInhibitor>.fromOpaque(context).takeUnretainedValue()
                return BusError.code { () throws(BusError) in
                    let signal = BusMessage(pointer: message)
                    // Zero means success.
                    guard try signal.readUInt32() != 0 else { return 0 }
                    for service in inhibitor.services { try service.failed(.handle(signal.path)) }
                    return 0
                }
            }, { _, _, _ in 0 }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Sets whether the screen must stay on.
    func keepAwake(_ isWanted: Bool) throws(BusError) {
        guard isWanted != self.isWanted else { return }
        self.isWanted = isWanted
        if isWanted { services.forEach { $0.forgetRefusal() } }
        try update()
    }

    private func update() throws(BusError) {
        // Whether an earlier service keeps the screen on, and whether all earlier services have refused.
        var (isServed, areRefused) = (false, true)
        for service in services {
            try service.want(isWanted && !isServed && (areRefused || service.isBusy))
            isServed = isServed || service.isHeld
            areRefused = areRefused && service.isRefused
        }
        report(!isWanted ? .undecided : isServed ? .granted : areRefused ? .unavailable : .undecided)
    }
}
