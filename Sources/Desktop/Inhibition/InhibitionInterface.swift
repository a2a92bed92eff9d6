import CSystemd

/// How a service on the session bus is asked to keep the screen on, and released again. A value; the bus's thread alone.
enum InhibitionInterface: CaseIterable {
    /// org.freedesktop.ScreenSaver, as the "Idle Inhibition Service" draft of freedesktop.org has it: desktops, and most
    /// screen lockers.
    case screenSaver
    /// org.freedesktop.portal.Inhibit of the XDG desktop portal: sandboxes, and desktops without the one above.
    case portal

    /// What an inhibition is released by.
    enum Token: Hashable {
        case cookie(UInt32)
        /// The object of the portal's request.
        case handle(String)
    }

    /// The portal's request object and its signal.
    static let request = "org.freedesktop.portal.Request"
    /// "Idle", of the flags of the portal's `Inhibit`.
    private static let idleFlag: UInt32 = 8
    private static let reason = "plays a film"

    var busName: String {
        switch self {
        case .screenSaver: "org.freedesktop.ScreenSaver"
        case .portal: "org.freedesktop.portal.Desktop"
        }
    }

    private var interface: String {
        switch self {
        case .screenSaver: "org.freedesktop.ScreenSaver"
        case .portal: "org.freedesktop.portal.Inhibit"
        }
    }

    private var path: String {
        switch self {
        case .screenSaver: "/org/freedesktop/ScreenSaver"
        case .portal: "/org/freedesktop/portal/desktop"
        }
    }

    /// A call of `Inhibit`, whose answer is for `readToken`.
    func makeInhibit(on bus: BusConnection, title: String) throws(BusError) -> BusCall {
        let call = try BusCall("Inhibit", of: interface, at: path, to: busName, on: bus)
        switch self {
        case .screenSaver:
            try call.message.append(title)
            try call.message.append(Self.reason)
        case .portal:
            // No window: it is for dialogs, of which this has none.
            try call.message.append("")
            try call.message.append(Self.idleFlag)
            try call.message.container("a", of: "{sv}") { () throws(BusError) in
                try call.message.entry("reason", "s") { () throws(BusError) in try call.message.append(Self.reason) }
            }
        }
        return call
    }

    func readToken(_ answer: BusMessage) throws(BusError) -> Token {
        switch self {
        case .screenSaver: .cookie(try answer.readUInt32())
        case .portal: .handle(try answer.readText(as: "o"))
        }
    }

    /// A call that is not answered.
    ///
    /// - Parameter owner: the name of who has granted it.
    func makeRelease(_ token: Token, on bus: BusConnection, to owner: String) throws(BusError) -> BusCall {
        switch token {
        case .cookie(let cookie):
            let call = try BusCall("UnInhibit", of: interface, at: path, to: owner, on: bus)
            try call.message.append(cookie)
            return call
        case .handle(let handle): return try BusCall("Close", of: Self.request, at: handle, to: owner, on: bus)
        }
    }
}
