import GlissadeCGLFW
import GlissadeGeometry

/// X11 operations for one window that GLFW does not offer, such as mapping the window without waiting. Main thread.
///
/// Uses GLFW's connection, so the requests stay in order with GLFW's own.
@MainActor struct XWindow {
    /// The atoms of the window properties and states in use. All are from EWMH (Extended Window Manager Hints), except
    /// X.Org's `_VARIABLE_REFRESH`.
    struct Atoms {
        let state, fullscreen, above, sticky, desktop, supported, userTime, bypassCompositor,
            variableRefresh: GlissadeXID
    }

    private static let xlib: GlissadeXlib? = {
        var functions = GlissadeXlib()
        return glissade_load_xlib(&functions) != 0 ? functions : nil
    }()
    private static let xcb: GlissadeXcb? = {
        var functions = GlissadeXcb()
        return glissade_load_xcb(&functions) != 0 ? functions : nil
    }()
    private static var knownAtoms: Atoms?

    let atoms: Atoms
    private let x: GlissadeXlib
    private let display: UnsafeMutableRawPointer
    private let root: GlissadeXID
    /// The window's ID at the server.
    let window: GlissadeXID

    // Constants of X.h, Xatom.h and EWMH.
    private static let isViewable: Int32 = 2
    private static let staticGravity: Int32 = 10
    private static let bitGravity: UInt = 1 << 4
    fileprivate static let clientMessage: Int32 = 33
    private static let substructureMasks = (1 << 19) | (1 << 20)
    private static let substructureRedirect = 1 << 20
    private static let (atomType, cardinalType): (GlissadeXID, GlissadeXID) = (4, 6)
    private static let everyDesktop: UInt = 0xFFFF_FFFF

    init?(_ handle: OpaquePointer) {
        guard let x = Self.xlib, let display = x.glfw_display(), case let window = x.glfw_window(handle), window != 0
        else {
            // Clears the error that GLFW records for this query.
            _ = GLFW.takeError()
            return nil
        }
        self.x = x
        self.display = display
        self.window = window
        root = x.default_root(display)
        let atoms =
            Self.knownAtoms
            ?? {
                func atom(_ name: String) -> GlissadeXID { x.intern_atom(display, name, 0) }
                return Atoms(
                    state: atom("_NET_WM_STATE"), fullscreen: atom("_NET_WM_STATE_FULLSCREEN"),
                    above: atom("_NET_WM_STATE_ABOVE"), sticky: atom("_NET_WM_STATE_STICKY"),
                    desktop: atom("_NET_WM_DESKTOP"), supported: atom("_NET_SUPPORTED"),
                    userTime: atom("_NET_WM_USER_TIME"), bypassCompositor: atom("_NET_WM_BYPASS_COMPOSITOR"),
                    variableRefresh: atom("_VARIABLE_REFRESH"))
            }()
        Self.knownAtoms = atoms
        self.atoms = atoms
    }

    /// GLFW's connection to the X server.
    struct Connection {
        let display: UnsafeMutableRawPointer
        fileprivate let x: GlissadeXlib

        /// The function that sets Xlib's error handler and returns the previous one.
        @MainActor var setErrorHandler: (GlissadeXErrorHandler?) -> GlissadeXErrorHandler? {
            { handler in x.set_error_handler(handler) }
        }

        /// The root window of the default screen.
        @MainActor var root: GlissadeXID { x.default_root(display) }

        @MainActor func flush() { _ = x.flush(display) }

        /// Returns once the server has handled all requests, and its events until then have been read. One round trip.
        @MainActor func synchronize() {
            var (parent, child): (GlissadeXID, GlissadeXID) = (0, 0)
            var (left, top, inX, inY, mask): (Int32, Int32, Int32, Int32, UInt32) = (0, 0, 0, 0, 0)
            _ = x.query_pointer(display, root, &parent, &child, &left, &top, &inX, &inY, &mask)
        }

        @MainActor func atom(_ name: String) -> GlissadeXID { x.intern_atom(display, name, 0) }

        /// Returns the bytes of the property `name`; nil if the property's type is not `wanted`, or if its value is
        /// longer than `limit` bytes. One round trip.
        @MainActor func bytes(
            of name: GlissadeXID, on window: GlissadeXID, as wanted: GlissadeXID, atMost limit: Int
        ) -> [UInt8]? {
            var (type, format): (GlissadeXID, Int32) = (0, 0)
            var (count, rest): (UInt, UInt) = (0, 0)
            var bytes: UnsafeMutablePointer<UInt8>?
            // The length is in 32-bit words.
            let words = limit / 4
            guard
                x.get_property(
                    display, window, name, 0, words, 0, wanted, &type, &format, &count, &rest, &bytes) == 0,
                let bytes
            else { return nil }
            defer { _ = x.free(bytes) }
            guard type == wanted, format == 8, rest == 0 else { return nil }
            return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
        }

        /// Tells the source of a drop that the drop is finished (XDND 5). If the source no longer exists, `XErrors`
        /// ignores the error.
        @MainActor func finishDrop(on window: GlissadeXID, from source: GlissadeXID, isTaken: Bool) {
            var event = GlissadeXClientMessage()
            event.type = XWindow.clientMessage
            event.display = display
            event.window = source
            event.message_type = atom("XdndFinished")
            event.format = 32
            event.data.0 = Int(bitPattern: window)
            event.data.1 = isTaken ? 1 : 0
            event.data.2 = isTaken ? Int(bitPattern: atom("XdndActionCopy")) : 0
            _ = x.send_event(display, source, 0, 0, &event)
            flush()
        }
    }

    /// GLFW's connection; nil if GLFW does not use X11.
    static var connection: Connection? {
        guard let x = xlib, let display = x.glfw_display() else {
            _ = GLFW.takeError()
            return nil
        }
        return Connection(display: display, x: x)
    }

    /// Returns GLFW's connection and the ID of a window at the X server; nil if GLFW does not use X11.
    static func names(of handle: OpaquePointer) -> (display: UnsafeMutableRawPointer, window: GlissadeXID)? {
        guard let x = xlib, let display = x.glfw_display(), case let window = x.glfw_window(handle), window != 0 else {
            _ = GLFW.takeError()
            return nil
        }
        return (display, window)
    }

    /// Deletes the root window's reference to a window manager (`_NET_SUPPORTING_WM_CHECK`) if that window manager has
    /// died. Returns whether the reference was deleted.
    static func forgetDeadManager() -> Bool {
        guard let x = xlib, var xcb, let display = x.glfw_display() else {
            _ = GLFW.takeError()
            return false
        }
        let root = x.default_root(display)
        let name = x.intern_atom(display, "_NET_SUPPORTING_WM_CHECK", 1)
        var area = GlissadeXcbArea()
        guard name != 0, let window = values(of: name, on: root, x, display).first else { return false }
        // Uses XCB, since an error from Xlib would end the program if the window no longer exists. If the window
        // exists, it may by now belong to another client. But a window manager's own window has a property that refers
        // to the window itself.
        if glissade_xcb_area(&xcb, display, window, root, &area) != 0,
            values(of: name, on: window, x, display).first == window
        {
            return false
        }
        _ = x.delete_property(display, root, name)
        _ = x.flush(display)
        return true
    }

    // MARK: - Place

    /// The content's current area on the screen, according to the server; nil if the window does not exist. Takes one
    /// round trip, or two without XCB.
    var area: PixelRect? {
        if var xcb = Self.xcb {
            var area = GlissadeXcbArea()
            guard glissade_xcb_area(&xcb, display, window, root, &area) != 0 else { return nil }
            let (left, top) = (Int(area.x), Int(area.y))
            return PixelRect(minX: left, minY: top, maxX: left + Int(area.width), maxY: top + Int(area.height))
        }
        var (ignored, child, left, top): (GlissadeXID, GlissadeXID, Int32, Int32) = (0, 0, 0, 0)
        var (width, height, border, depth): (UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0)
        guard x.get_geometry(display, window, &ignored, &left, &top, &width, &height, &border, &depth) != 0,
            x.translate(display, window, root, 0, 0, &left, &top, &child) != 0
        else { return nil }
        return PixelRect(minX: Int(left), minY: Int(top), maxX: Int(left) + Int(width), maxY: Int(top) + Int(height))
    }

    /// Sets the content's position and size in one request.
    func setArea(_ area: PixelRect) {
        _ = x.move_resize(
            display, window, Int32(clamping: area.minX), Int32(clamping: area.minY), UInt32(clamping: area.width),
            UInt32(clamping: area.height))
        _ = x.flush(display)
    }

    /// The pointer's position on the screen; nil if the pointer is on another X screen. One round trip.
    var pointer: Point? {
        var (parent, child): (GlissadeXID, GlissadeXID) = (0, 0)
        var (left, top, inX, inY, mask): (Int32, Int32, Int32, Int32, UInt32) = (0, 0, 0, 0, 0)
        guard x.query_pointer(display, root, &parent, &child, &left, &top, &inX, &inY, &mask) != 0 else { return nil }
        return Point(x: Double(left), y: Double(top))
    }

    /// Makes the server keep the content in place on the screen while the window is resized. Part of the window is
    /// outdated until the next frame is shown, but nothing jumps.
    func keepContent() {
        var attributes = GlissadeXSetWindowAttributes()
        attributes.bit_gravity = Self.staticGravity
        _ = x.change_attributes(display, window, Self.bitGravity, &attributes)
    }

    // MARK: - Visibility

    /// Maps the window without waiting. If there is no window manager, also raises the window above others.
    func map() {
        _ = x.map_raised(display, window)
        _ = x.flush(display)
    }

    /// Withdraws the window, even if it is iconified, and tells the window manager (ICCCM 4.1.4). Does not wait.
    func withdraw() {
        _ = x.withdraw(display, window, x.default_screen(display))
        _ = x.flush(display)
    }

    var isViewable: Bool {
        var attributes = GlissadeXWindowAttributes()
        return x.get_attributes(display, window, &attributes) != 0 && attributes.map_state == Self.isViewable
    }

    // MARK: - The window manager

    /// Whether there is a window manager that supports `state`. Two round trips.
    func isManaged(knowing state: GlissadeXID) -> Bool {
        var attributes = GlissadeXWindowAttributes()
        guard x.get_attributes(display, root, &attributes) != 0,
            attributes.all_event_masks & Self.substructureRedirect != 0
        else { return false }
        return values(of: atoms.supported, on: root).contains(state)
    }

    /// The window's states (`_NET_WM_STATE`). One round trip.
    var states: [GlissadeXID] { values(of: atoms.state, on: window) }

    /// Sets the properties that the window manager reads when the window is mapped.
    func prepare(_ states: [GlissadeXID], isOnAllDesktops: Bool, takesFocus: Bool) {
        set(atoms.state, type: Self.atomType, states)
        if isOnAllDesktops { set(atoms.desktop, type: Self.cardinalType, [Self.everyDesktop]) }
        // A user time of 0 means that the user did not ask for the window, so it should not get the focus.
        if !takesFocus { set(atoms.userTime, type: Self.cardinalType, [0]) }
    }

    /// Removes a state that `prepare` has set. Call only if no window manager supports the state. Otherwise, the window
    /// manager removes the state itself.
    func forget(_ state: GlissadeXID) { set(atoms.state, type: Self.atomType, states.filter { $0 != state }) }

    /// Asks the window manager to add or remove up to two states of a window that is mapped or about to be mapped.
    func request(_ isOn: Bool, _ first: GlissadeXID, _ second: GlissadeXID = 0) {
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
    private func setFlag(_ name: GlissadeXID, _ isOn: Bool) {
        if isOn {
            set(name, type: Self.cardinalType, [1])
        } else {
            _ = x.delete_property(display, window, name)
        }
        _ = x.flush(display)
    }

    /// Whether `setVariableRefresh` is on, according to the server.
    var hasVariableRefresh: Bool { values(of: atoms.variableRefresh, on: window) == [1] }

    private func set(_ name: GlissadeXID, type: GlissadeXID, _ values: [UInt]) {
        // Xlib expects 32-bit values as longs.
        values.withUnsafeBytes {
            _ = x.change_property(
                display, window, name, type, 32, 0, $0.baseAddress?.assumingMemoryBound(to: UInt8.self),
                Int32(values.count))
        }
    }

    private func values(of name: GlissadeXID, on window: GlissadeXID) -> [UInt] {
        Self.values(of: name, on: window, x, display)
    }

    private static func values(
        of name: GlissadeXID, on window: GlissadeXID, _ x: GlissadeXlib, _ display: UnsafeMutableRawPointer
    ) -> [UInt] {
        var (type, format): (GlissadeXID, Int32) = (0, 0)
        var (count, rest): (UInt, UInt) = (0, 0)
        var bytes: UnsafeMutablePointer<UInt8>?
        let any: GlissadeXID = 0
        guard x.get_property(display, window, name, 0, 1024, 0, any, &type, &format, &count, &rest, &bytes) == 0,
            let bytes
        else { return [] }
        defer { _ = x.free(bytes) }
        guard format == 32 else { return [] }
        return bytes.withMemoryRebound(to: UInt.self, capacity: Int(count)) {
            Array(UnsafeBufferPointer(start: $0, count: Int(count)))
        }
    }

    /// Sends a message about the window to the window manager. Has no effect if there is no window manager.
    private func tell(_ message: GlissadeXID, _ data: Int...) {
        var event = GlissadeXClientMessage()
        event.type = Self.clientMessage
        event.display = display
        event.window = window
        event.message_type = message
        event.format = 32
        event.data.0 = data[0]
        if data.count > 1 { event.data.1 = data[1] }
        if data.count > 2 { event.data.2 = data[2] }
        if data.count > 3 { event.data.3 = data[3] }
        _ = x.send_event(display, root, 0, Self.substructureMasks, &event)
        _ = x.flush(display)
    }
}
