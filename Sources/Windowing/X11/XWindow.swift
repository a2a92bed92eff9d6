import GlissadeCXlib
import GlissadeGeometry

/// X11 operations for one window that GLFW does not offer, such as mapping the window without waiting. Main thread.
///
/// Uses GLFW's connection, so the requests stay in order with GLFW's own.
@MainActor struct XWindow {
    /// The atoms of the window properties and states in use. All are from EWMH (Extended Window Manager Hints), except
    /// X.Org's `_VARIABLE_REFRESH`.
    struct Atoms {
        let state, fullscreen, above, sticky, desktop, supported, userTime, bypassCompositor,
            variableRefresh: XID
    }

    private static var knownAtoms: Atoms?

    let atoms: Atoms
    let connection: XlibConnection
    private var display: OpaquePointer { connection.display }
    private let root: XID
    /// The window's ID at the server.
    let window: XID

    // Constants of Xatom.h and EWMH.
    private static let (atomType, cardinalType): (XID, XID) = (4, 6)
    private static let everyDesktop: UInt = 0xFFFF_FFFF

    init(_ window: XID, on connection: XlibConnection) {
        self.connection = connection
        self.window = window
        root = connection.root
        let atoms =
            Self.knownAtoms
            ?? Atoms(
                state: connection.atom("_NET_WM_STATE"), fullscreen: connection.atom("_NET_WM_STATE_FULLSCREEN"),
                above: connection.atom("_NET_WM_STATE_ABOVE"), sticky: connection.atom("_NET_WM_STATE_STICKY"),
                desktop: connection.atom("_NET_WM_DESKTOP"), supported: connection.atom("_NET_SUPPORTED"),
                userTime: connection.atom("_NET_WM_USER_TIME"),
                bypassCompositor: connection.atom("_NET_WM_BYPASS_COMPOSITOR"),
                variableRefresh: connection.atom("_VARIABLE_REFRESH"))
        Self.knownAtoms = atoms
        self.atoms = atoms
    }

    // MARK: - Place

    /// The content's current area on the screen, according to the server; nil if the window does not exist. One round
    /// trip.
    var area: PixelRect? { connection.area(of: window) }

    /// Sets the content's position and size in one request.
    func setArea(_ area: PixelRect) {
        XMoveResizeWindow(
            display, window, Int32(clamping: area.minX), Int32(clamping: area.minY), UInt32(clamping: area.width),
            UInt32(clamping: area.height))
        connection.flush()
    }

    /// Makes the server keep the content in place on the screen while the window is resized. Part of the window is
    /// outdated until the next frame is shown, but nothing jumps.
    func keepContent() {
        var attributes = XSetWindowAttributes()
        attributes.bit_gravity = StaticGravity
        XChangeWindowAttributes(display, window, UInt(CWBitGravity), &attributes)
    }

    // MARK: - Visibility

    /// Maps the window without waiting. If there is no window manager, also raises the window above others.
    func map() {
        XMapRaised(display, window)
        connection.flush()
    }

    /// Withdraws the window, even if it is iconified, and tells the window manager (ICCCM 4.1.4). Does not wait.
    func withdraw() {
        XWithdrawWindow(display, window, XDefaultScreen(display))
        connection.flush()
    }

    var isViewable: Bool {
        var attributes = XWindowAttributes()
        return XGetWindowAttributes(display, window, &attributes) != 0 && attributes.map_state == IsViewable
    }

    // MARK: - The window manager

    /// Whether there is a window manager that supports `state`. Two round trips.
    func isManaged(knowing state: XID) -> Bool {
        var attributes = XWindowAttributes()
        guard XGetWindowAttributes(display, root, &attributes) != 0,
            attributes.all_event_masks & SubstructureRedirectMask != 0
        else { return false }
        return connection.values(of: atoms.supported, on: root).contains(state)
    }

    /// The window's states (`_NET_WM_STATE`). One round trip.
    var states: [XID] { connection.values(of: atoms.state, on: window) }

    /// Sets the properties that the window manager reads when the window is mapped.
    func prepare(_ states: [XID], isOnAllDesktops: Bool, takesFocus: Bool) {
        set(atoms.state, type: Self.atomType, states)
        if isOnAllDesktops { set(atoms.desktop, type: Self.cardinalType, [Self.everyDesktop]) }
        // A user time of 0 means that the user did not ask for the window, so it should not get the focus.
        if !takesFocus { set(atoms.userTime, type: Self.cardinalType, [0]) }
    }

    /// Removes a state that `prepare` has set. Call only if no window manager supports the state. Otherwise, the window
    /// manager removes the state itself.
    func forget(_ state: XID) { set(atoms.state, type: Self.atomType, states.filter { $0 != state }) }

    /// Asks the window manager to add or remove up to two states of a window that is mapped or about to be mapped.
    func request(_ isOn: Bool, _ first: XID, _ second: XID = 0) {
        // In the message, 0 removes and 1 adds. The last 1 says that the sender is an application.
        tell(atoms.state, isOn ? 1 : 0, Int(first), Int(second), 1)
    }

    /// Asks the window manager to show the window on every desktop.
    func requestAllDesktops() { tell(atoms.desktop, Int(Self.everyDesktop), 1) }

    /// Sets whether the compositing manager should be bypassed while the window covers the monitor.
    func setBypassesCompositor(_ bypasses: Bool) { setFlag(atoms.bypassCompositor, bypasses) }

    /// Sets whether X.Org's drivers may vary the display's refresh rate while the window fills the screen.
    func setVariableRefresh(_ isVariable: Bool) { setFlag(atoms.variableRefresh, isVariable) }

    /// Sets the property `name` to 1, or removes it.
    private func setFlag(_ name: XID, _ isOn: Bool) {
        if isOn {
            set(name, type: Self.cardinalType, [1])
        } else {
            XDeleteProperty(display, window, name)
        }
        connection.flush()
    }

    /// Whether `setVariableRefresh` is on, according to the server.
    var hasVariableRefresh: Bool { connection.values(of: atoms.variableRefresh, on: window) == [1] }

    private func set(_ name: XID, type: XID, _ values: [UInt]) {
        // Xlib expects 32-bit values as longs.
        values.withUnsafeBytes {
            _ = XChangeProperty(
                display, window, name, type, 32, PropModeReplace, $0.baseAddress?.assumingMemoryBound(to: UInt8.self),
                Int32(values.count))
        }
    }

    /// Sends a message about the window to the window manager. Has no effect if there is no window manager.
    private func tell(_ message: XID, _ first: Int, _ second: Int, _ third: Int = 0, _ fourth: Int = 0) {
        connection.send(
            message, about: window, to: root, mask: SubstructureNotifyMask | SubstructureRedirectMask, first, second,
            third, fourth)
    }
}
