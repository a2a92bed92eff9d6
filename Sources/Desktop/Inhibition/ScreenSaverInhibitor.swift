import CSystemd

/// Keeps the screen from going dark by the first service on the bus that can: see `InhibitionInterface`, whose cases are
/// asked in their order. On the bus's thread alone.
///
/// A service that comes later is asked then; while it has not answered, one that comes after it in order goes on. When the
/// connection ends, services let go by themselves.
final class ScreenSaverInhibitor {
    private let bus: BusConnection
    private let report: (ScreenInhibition) -> Void
    private var services: [InhibitionService] = []
    private var responses: OpaquePointer?
    private var isWanted = false

    /// - Parameters:
    ///   - title: what people call the program.
    ///   - report: told how it stands, whenever that may have changed.
    init(bus: BusConnection, title: String, report: @escaping (ScreenInhibition) -> Void) {
        self.bus = bus
        self.report = report
        services = InhibitionInterface.allCases.map { interface in
            InhibitionService(interface, bus: bus, title: title) { [unowned self] () throws(BusError) in try settle() }
        }
    }

    deinit { sd_bus_slot_unref(responses) }

    /// Begins to hear of services that come, go and fail.
    func listen() {
        services.forEach { $0.listen() }
        sd_bus_match_signal_async(
            bus.pointer, &responses, nil, nil, InhibitionInterface.request, "Response",
            { message, context, _ in
                // The slot goes with its inhibitor, which is there as long as this may be called.
                guard let message, let context else { return 0 }
                let inhibitor = Unmanaged<ScreenSaverInhibitor>.fromOpaque(context).takeUnretainedValue()
                return BusError.code { () throws(BusError) in
                    let signal = BusMessage(pointer: message)
                    // Zero is success.
                    guard try signal.readUInt32() != 0 else { return 0 }
                    for service in inhibitor.services { try service.failed(.handle(signal.path)) }
                    return 0
                }
            }, { _, _, _ in 0 }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Says how it is to be from now on.
    func keepAwake(_ isWanted: Bool) throws(BusError) {
        guard isWanted != self.isWanted else { return }
        self.isWanted = isWanted
        if isWanted { services.forEach { $0.forgetRefusal() } }
        try settle()
    }

    private func settle() throws(BusError) {
        // Whether a better one keeps the screen on; whether all better ones cannot.
        var (isServed, areRefused) = (false, true)
        for service in services {
            try service.want(isWanted && !isServed && (areRefused || service.isBusy))
            isServed = isServed || service.isHeld
            areRefused = areRefused && service.isRefused
        }
        report(!isWanted ? .undecided : isServed ? .granted : areRefused ? .unavailable : .undecided)
    }
}
