import CGLFW
import Geometry

/// What of X11 GLFW has no words for: a window's place in one answer, states that it keeps on every desktop, and a map
/// that waits for nobody. Main thread.
///
/// On GLFW's own connection, so that all requests keep their order. Nil where GLFW speaks to something else than X11.
@MainActor struct XWindow {
    /// Names of the Extended Window Manager Hints, with the numbers that the server has for them.
    struct Atoms {
        let state, fullscreen, above, sticky, desktop, supported, userTime, bypassCompositor: GlissadeXID
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
    /// The server's number for it.
    let window: GlissadeXID

    // X.h, Xatom.h and the hints' own specification.
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
            // GLFW calls it an error to be asked.
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
                    userTime: atom("_NET_WM_USER_TIME"), bypassCompositor: atom("_NET_WM_BYPASS_COMPOSITOR"))
            }()
        Self.knownAtoms = atoms
        self.atoms = atoms
    }

    /// GLFW's connection to the server.
    struct Connection {
        let display: UnsafeMutableRawPointer
        fileprivate let x: GlissadeXlib

        /// Sets a handler and returns the former one.
        @MainActor var setErrorHandler: (GlissadeXErrorHandler?) -> GlissadeXErrorHandler? {
            { handler in x.set_error_handler(handler) }
        }

        /// Sends what is waiting.
        @MainActor func flush() { _ = x.flush(display) }

        @MainActor func atom(_ name: String) -> GlissadeXID { x.intern_atom(display, name, 0) }

        /// A property in bytes; nil where it is of another type, or longer. One round trip.
        @MainActor func bytes(
            of name: GlissadeXID, on window: GlissadeXID, as wanted: GlissadeXID, atMost limit: Int
        ) -> [UInt8]? {
            var (type, format): (GlissadeXID, Int32) = (0, 0)
            var (count, rest): (UInt, UInt) = (0, 0)
            var bytes: UnsafeMutablePointer<UInt8>?
            // In words of 32 bits.
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

        /// Tells the source of a drop that it is over (XDND 5). A source that is gone by now is `XErrors`' concern.
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

    /// Nil where GLFW speaks to something else than X11.
    static var connection: Connection? {
        guard let x = xlib, let display = x.glfw_display() else {
            _ = GLFW.takeError()
            return nil
        }
        return Connection(display: display, x: x)
    }

    /// GLFW's connection, and the server's number for a window; nil where GLFW speaks to something else than X11.
    static func names(of handle: OpaquePointer) -> (display: UnsafeMutableRawPointer, window: GlissadeXID)? {
        guard let x = xlib, let display = x.glfw_display(), case let window = x.glfw_window(handle), window != 0 else {
            _ = GLFW.takeError()
            return nil
        }
        return (display, window)
    }

    /// Takes the name of a window manager away that is gone, ended before it could do so itself; whether there was one.
    static func forgetDeadManager() -> Bool {
        guard let x = xlib, var xcb, let display = x.glfw_display() else {
            _ = GLFW.takeError()
            return false
        }
        let root = x.default_root(display)
        let name = x.intern_atom(display, "_NET_SUPPORTING_WM_CHECK", 1)
        var area = GlissadeXcbArea()
        guard name != 0, let window = values(of: name, on: root, x, display).first else { return false }
        // By XCB, which does not end the program where there is no such window. One that there is may be somebody else's by
        // now: a window manager's names itself.
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

    /// Where the content is on the screen, as the server has it now. One round trip.
    ///
    /// Place and size are asked for together: seldom is anything done between the two answers. Where there is no XCB it is
    /// two round trips.
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

    /// Place and size in one request.
    func setArea(_ area: PixelRect) {
        _ = x.move_resize(
            display, window, Int32(clamping: area.minX), Int32(clamping: area.minY), UInt32(clamping: area.width),
            UInt32(clamping: area.height))
        _ = x.flush(display)
    }

    /// Where the pointer is on the screen, wherever that is. One round trip.
    var pointer: Point? {
        var (parent, child): (GlissadeXID, GlissadeXID) = (0, 0)
        var (left, top, inX, inY, mask): (Int32, Int32, Int32, Int32, UInt32) = (0, 0, 0, 0, 0)
        guard x.query_pointer(display, root, &parent, &child, &left, &top, &inX, &inY, &mask) != 0 else { return nil }
        return Point(x: Double(left), y: Double(top))
    }

    /// Has the server keep what is on show at its place on the screen when the window changes: until the next frame, a
    /// part of the window is out of date, but nothing jumps.
    func keepContent() {
        var attributes = GlissadeXSetWindowAttributes()
        attributes.bit_gravity = Self.staticGravity
        _ = x.change_attributes(display, window, Self.bitGravity, &attributes)
    }

    // MARK: - On the screen or not

    /// Asks for the window to be mapped, above others where nobody manages windows, and waits for nothing.
    func map() {
        _ = x.map_raised(display, window)
        _ = x.flush(display)
    }

    /// Takes the window off the screen, iconified or not, and tells the window manager so (ICCCM 4.1.4). Waits for nothing.
    func withdraw() {
        _ = x.withdraw(display, window, x.default_screen(display))
        _ = x.flush(display)
    }

    var isViewable: Bool {
        var attributes = GlissadeXWindowAttributes()
        return x.get_attributes(display, window, &attributes) != 0 && attributes.map_state == Self.isViewable
    }

    // MARK: - The window manager

    /// Whether somebody manages windows, and knows of `state`. Two round trips.
    func isManaged(knowing state: GlissadeXID) -> Bool {
        var attributes = GlissadeXWindowAttributes()
        guard x.get_attributes(display, root, &attributes) != 0,
            attributes.all_event_masks & Self.substructureRedirect != 0
        else { return false }
        return values(of: atoms.supported, on: root).contains(state)
    }

    /// The window's states, as the window manager last set them; one round trip.
    var states: [GlissadeXID] { values(of: atoms.state, on: window) }

    /// The states with which the window manager will find the window when it is mapped.
    func prepare(_ states: [GlissadeXID], isOnAllDesktops: Bool, takesFocus: Bool) {
        set(atoms.state, type: Self.atomType, states)
        if isOnAllDesktops { set(atoms.desktop, type: Self.cardinalType, [Self.everyDesktop]) }
        // The hints' word for a window that nobody asked for.
        if !takesFocus { set(atoms.userTime, type: Self.cardinalType, [0]) }
    }

    /// Takes a state back that the window was prepared with, where nobody manages windows who would.
    func forget(_ state: GlissadeXID) { set(atoms.state, type: Self.atomType, states.filter { $0 != state }) }

    /// Asks the window manager for states of a window that is mapped, or about to be.
    func request(_ isOn: Bool, _ first: GlissadeXID, _ second: GlissadeXID = 0) {
        // Remove 0, add 1; from an application 1.
        tell(atoms.state, isOn ? 1 : 0, Int(first), Int(second), 1)
    }

    /// Asks for the window to be on every desktop.
    func requestAllDesktops() { tell(atoms.desktop, Int(Self.everyDesktop), 1) }

    /// Whether a compositing manager should leave the window alone, for as long as it covers the monitor.
    func setBypassesCompositor(_ bypasses: Bool) {
        if bypasses {
            set(atoms.bypassCompositor, type: Self.cardinalType, [1])
        } else {
            _ = x.delete_property(display, window, atoms.bypassCompositor)
        }
        _ = x.flush(display)
    }

    private func set(_ name: GlissadeXID, type: GlissadeXID, _ values: [UInt]) {
        // Values of 32 bits come and go as longs.
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

    /// A message about the window to whoever manages windows; nothing where nobody does.
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
