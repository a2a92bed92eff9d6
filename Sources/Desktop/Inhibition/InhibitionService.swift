import CSystemd

/// One service on the bus that may keep the screen on: what was asked of it, and what it answered. On the bus's thread
/// alone.
///
/// Its answers are not waited for, but each is taken: what it grants too late is released at once. One that takes longer
/// than the bus's limit for a call counts as a refusal.
final class InhibitionService {
    let interface: InhibitionInterface
    private let bus: BusConnection
    private let title: String
    /// Called when the state has changed by itself.
    private let onChange: () throws(BusError) -> Void
    private var isWanted = false
    private var state = State.idle
    private var call: OpaquePointer?
    private var ownerMatch: OpaquePointer?
    /// The unique name of who has the service's name, "" for nobody; nil until the bus tells of a change.
    private var owner: String?
    /// Whether that has changed since the call was sent.
    private var isOwnerNew = false

    private enum State {
        case idle
        /// A call is on its way.
        case asking
        case held(InhibitionInterface.Token, owner: String)
        /// It cannot be had, until it is asked for again or the service comes back.
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
    /// Whether it keeps the screen on, or may do so when it answers.
    var isBusy: Bool {
        switch state {
        case .asking, .held: true
        case .idle, .refused: false
        }
    }

    /// Begins to hear of the service coming and going.
    func listen() {
        let rule =
            "type='signal',sender='org.freedesktop.DBus',path='/org/freedesktop/DBus',interface='org.freedesktop.DBus',"
            + "member='NameOwnerChanged',arg0='\(interface.busName)'"
        sd_bus_add_match_async(
            bus.pointer, &ownerMatch, rule,
            { message, context, _ in
                // The slot goes with its service, which is there as long as this may be called.
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

    /// What was refused may be asked for again.
    func forgetRefusal() { if isRefused { state = .idle } }

    /// Says whether this service is to keep the screen on.
    func want(_ isWanted: Bool) throws(BusError) {
        self.isWanted = isWanted
        switch state {
        case .idle where isWanted: try BusError.tolerate { () throws(BusError) in try ask() }
        case .held(let token, let owner) where !isWanted:
            state = .idle
            try BusError.tolerate { () throws(BusError) in try release(token, of: owner) }
        default: break
        }
    }

    /// The portal says later, by a signal, that it could not do what a handle stands for.
    func failed(_ token: InhibitionInterface.Token) throws(BusError) {
        guard case .held(token, _) = state else { return }
        state = .refused
        try onChange()
    }

    private func ask() throws(BusError) {
        // Until the call is on its way.
        state = .refused
        let message = try interface.makeInhibit(on: bus, title: title)
        sd_bus_slot_unref(call)
        call = nil
        let code = sd_bus_call_async(
            bus.pointer, &call, message.message.pointer,
            { message, context, _ in
                // As above.
                guard let message, let context else { return 0 }
                let service = Unmanaged<InhibitionService>.fromOpaque(context).takeUnretainedValue()
                return BusError.code { () throws(BusError) in
                    try service.take(BusMessage(pointer: message))
                    return 0
                }
            }, Unmanaged.passUnretained(self).toOpaque(), 0)
        try BusError.check(code)
        isOwnerNew = false
        state = .asking
    }

    private func take(_ answer: BusMessage) throws(BusError) {
        let token: InhibitionInterface.Token?
        do throws(BusError) { token = answer.isError ? nil : try interface.readToken(answer) } catch {
            // It answers with something else than it should.
            token = nil
        }
        if let token, let sender = answer.sender, owner == nil || owner == sender {
            state = .held(token, owner: sender)
            try want(isWanted)
        } else {
            // Somebody else has the name by now. What the former owner grants is of no use.
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
        case .asking: isOwnerNew = true
        case .held(_, owner): break
        // A service that has gone is not asked again: where it goes because it is asked, that would have no end.
        case .idle, .held, .refused: state = owner.isEmpty ? .refused : .idle
        }
        try onChange()
    }

    private func release(_ token: InhibitionInterface.Token, of owner: String) throws(BusError) {
        try interface.makeRelease(token, on: bus, to: owner).post(on: bus)
    }
}
