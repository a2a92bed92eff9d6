import GlissadeCSystemd

/// A D-Bus interface for keeping the screen on. A value; confined to the bus's thread.
enum InhibitionInterface: CaseIterable {
    /// The interface `org.freedesktop.ScreenSaver` of freedesktop.org's draft "Idle Inhibition Service". Most desktops
    /// and screen lockers provide this interface.
    case screenSaver
    /// The interface `org.freedesktop.portal.Inhibit` of the XDG desktop portal. Needed in a sandbox, and on desktops
    /// without `screenSaver`.
    case portal

    /// Identifies an inhibition that a service has granted. Needed to release the inhibition.
    enum Token: Hashable {
        case cookie(UInt32)
        /// The path of the portal's request object.
        case handle(String)
    }

    /// The interface of the portal's request objects, which has the `Response` signal.
    static let request = "org.freedesktop.portal.Request"
    /// The flag for the portal's `Inhibit` method that keeps the session from becoming idle.
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

    /// Creates a call to the service's `Inhibit` method. `readToken` reads the reply.
    func makeInhibit(on bus: BusConnection, title: String) throws(BusError) -> BusCall {
        let call = try BusCall("Inhibit", of: interface, at: path, to: busName, on: bus)
        switch self {
        case .screenSaver:
            try call.message.append(title)
            try call.message.append(Self.reason)
        case .portal:
            // No parent window: it is only needed for dialogs, and this request shows none.
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

    /// Creates the call that releases the inhibition identified by `token`. The call needs no reply.
    ///
    /// - Parameter owner: The unique bus name of the service that granted the inhibition.
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
