import GlissadeCSystemd

/// Asks one service to keep the screen on, and handles the replies. Confined to the bus's thread.
///
/// Never blocks on a reply. An inhibition that is granted too late is released at once. If no reply arrives within the
/// connection's timeout, the request counts as refused.
final class InhibitionService {
    let interface: InhibitionInterface
    private let bus: BusConnection
    private let title: String
    /// Called when a message from the bus may have changed the state.
    private let onChange: () throws(BusError) -> Void
    private var isWanted = false
    private var state = State.idle
    private var call: OpaquePointer?
    private var ownerMatch: OpaquePointer?
    /// The unique bus name of the program that provides the service; "" if none does; nil until the bus first reports a
    /// change of owner.
    private var owner: String?
    /// Whether `owner` has changed since the request was sent.
    private var isOwnerNew = false

    private enum State {
        case idle
        /// A request has been sent, and its reply is pending.
        case requested
        case held(InhibitionInterface.Token, owner: String)
        /// The request was refused or failed, or the service has disappeared. Nothing is requested until
        /// `forgetRefusal` is called or the service reappears.
        case refused
    }

    init(
        _ interface: InhibitionInterface, bus: BusConnection, title: String,
        onChange: @escaping () throws(BusError) -> Void
    ) {
        self.interface = interface
        self.bus = bus
        self.title = title
        self.onChange = onChange
    }

    deinit {
        sd_bus_slot_unref(call)
        sd_bus_slot_unref(ownerMatch)
    }

    var isHeld: Bool { if case .held = state { true } else { false } }
    var isRefused: Bool { if case .refused = state { true } else { false } }
    /// Whether the service keeps the screen on, or has been asked to do so and has not replied yet.
    var isBusy: Bool {
        switch state {
        case .requested, .held: true
        case .idle, .refused: false
        }
    }

    /// Starts watching for the service to appear on the bus or disappear from it.
    func listen() {
        let rule =
            "type='signal',sender='org.freedesktop.DBus',path='/org/freedesktop/DBus',interface='org.freedesktop.DBus',"
            + "member='NameOwnerChanged',arg0='\(interface.busName)'"
        sd_bus_add_match_async(
            bus.pointer, &ownerMatch, rule,
            { message, context, _ in
                // This object owns the slot, so it exists whenever the callback runs.
                guard let message, let context else { return 0 }
                let service = Unmanaged<InhibitionService>.fromOpaque(context).takeUnretainedValue()
                return BusError.code { () throws(BusError) in
                    let signal = BusMessage(pointer: message)
                    _ = try signal.readText()
                    _ = try signal.readText()
                    try service.ownerChanged(to: try signal.readText())
                    return 0
                }
            }, { _, _, _ in 0 }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Allows a new request after a refusal.
    func forgetRefusal() { if isRefused { state = .idle } }

    /// Sets whether this service should keep the screen on. Sends a request or releases the inhibition if needed.
    func want(_ isWanted: Bool) throws(BusError) {
        self.isWanted = isWanted
        switch state {
        case .idle where isWanted: try BusError.tolerate { () throws(BusError) in try request() }
        case .held(let token, let owner) where !isWanted:
            state = .idle
            try BusError.tolerate { () throws(BusError) in try release(token, of: owner) }
        default: break
        }
    }

    /// Marks the inhibition `token` as refused if this service holds it. Called when the portal reports that the
    /// request has failed.
    func failed(_ token: InhibitionInterface.Token) throws(BusError) {
        guard case .held(token, _) = state else { return }
        state = .refused
        try onChange()
    }

    private func request() throws(BusError) {
        // If sending fails, this remains the state.
        state = .refused
        let message = try interface.makeInhibit(on: bus, title: title)
        sd_bus_slot_unref(call)
        call = nil
        let code = sd_bus_call_async(
            bus.pointer, &call, message.message.pointer,
            { message, context, _ in
                // This object owns the slot, as above.
                guard let message, let context else { return 0 }
                let service = Unmanaged<InhibitionService>.fromOpaque(context).takeUnretainedValue()
                return BusError.code { () throws(BusError) in
                    try service.take(BusMessage(pointer: message))
                    return 0
                }
            }, Unmanaged.passUnretained(self).toOpaque(), 0)
        try BusError.check(code)
        isOwnerNew = false
        state = .requested
    }

    private func take(_ answer: BusMessage) throws(BusError) {
        let token: InhibitionInterface.Token?
        do throws(BusError) { token = answer.isError ? nil : try interface.readToken(answer) } catch {
            // The reply has an unexpected type.
            token = nil
        }
        if let token, let sender = answer.sender, owner == nil || owner == sender {
            state = .held(token, owner: sender)
            try want(isWanted)
        } else {
            // The service has refused, or a previous owner of the name has granted the inhibition, which is then
            // useless.
            if let token, let sender = answer.sender {
                try BusError.tolerate { () throws(BusError) in try release(token, of: sender) }
            }
            state = isOwnerNew && owner != "" ? .idle : .refused
        }
        try onChange()
    }

    private func ownerChanged(to owner: String) throws(BusError) {
        self.owner = owner
        switch state {
        case .requested: isOwnerNew = true
        case .held(_, owner): break
        // A service that has disappeared is not asked again until it reappears. Otherwise, a service that exits because
        // of the request would be asked forever.
        case .idle, .held, .refused: state = owner.isEmpty ? .refused : .idle
        }
        try onChange()
    }

    private func release(_ token: InhibitionInterface.Token, of owner: String) throws(BusError) {
        try interface.makeRelease(token, on: bus, to: owner).post(on: bus)
    }
}
