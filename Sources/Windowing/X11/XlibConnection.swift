import GlissadeCXCB
import GlissadeCXlib
import GlissadeGeometry
import Glibc

/// GLFW's connection to the X server, on which requests stay in order with GLFW's own. Main thread.
@MainActor struct XlibConnection {
    let display: OpaquePointer

    init(_ display: OpaquePointer) { self.display = display }

    /// The root window of the default screen.
    var root: XID { XDefaultRootWindow(display) }

    func flush() { XFlush(display) }

    /// Returns once the server has handled all requests, and its events until then have been read. One round trip.
    func synchronize() { _ = pointer }

    /// The pointer's position on the screen; nil if the pointer is on another X screen. One round trip.
    var pointer: Point? {
        var (parent, child): (XID, XID) = (0, 0)
        var (left, top, inX, inY, mask): (Int32, Int32, Int32, Int32, UInt32) = (0, 0, 0, 0, 0)
        guard XQueryPointer(display, root, &parent, &child, &left, &top, &inX, &inY, &mask) != 0 else { return nil }
        return Point(x: Double(left), y: Double(top))
    }

    func atom(_ name: String) -> XID { XInternAtom(display, name, 0) }

    /// The area of `window` relative to `root`; nil if the server does not know the window. One round trip.
    ///
    /// Uses XCB: Xlib would wait for each of the two replies, and the window may change in between. Also, an error from
    /// Xlib would end the program.
    func area(of window: XID) -> PixelRect? {
        let raw = XGetXCBConnection(display)
        let size = xcb_get_geometry(raw, UInt32(window))
        let corner = xcb_translate_coordinates(raw, UInt32(window), UInt32(root), 0, 0)
        let (geometry, place) = (
            xcb_get_geometry_reply(raw, size, nil), xcb_translate_coordinates_reply(raw, corner, nil)
        )
        defer {
            free(geometry)
            free(place)
        }
        guard let geometry = geometry?.pointee, let place = place?.pointee else { return nil }
        let (left, top) = (Int(place.dst_x), Int(place.dst_y))
        return PixelRect(
            minX: left, minY: top, maxX: left + Int(geometry.width), maxY: top + Int(geometry.height))
    }

    /// Deletes the root window's reference to a window manager (`_NET_SUPPORTING_WM_CHECK`) if that window manager has
    /// died. Returns whether the reference was deleted.
    func forgetDeadManager() -> Bool {
        let name = XInternAtom(display, "_NET_SUPPORTING_WM_CHECK", 1)
        guard name != 0, let window = values(of: name, on: root).first else { return false }
        // If the window exists, it may by now belong to another client. But a window manager's own window has
        // a property that refers to the window itself.
        if area(of: window) != nil, values(of: name, on: window).first == window { return false }
        XDeleteProperty(display, root, name)
        flush()
        return true
    }

    // MARK: - Properties and messages

    /// Returns the values of the property `name`, up to 1024; empty if it has no values of 32 bits. One round trip.
    func values(of name: XID, on window: XID) -> [UInt] {
        var (type, format): (XID, Int32) = (0, 0)
        var (count, rest): (UInt, UInt) = (0, 0)
        var bytes: UnsafeMutablePointer<UInt8>?
        let any: XID = 0
        guard XGetWindowProperty(display, window, name, 0, 1024, 0, any, &type, &format, &count, &rest, &bytes) == 0,
            let bytes
        else { return [] }
        defer { XFree(bytes) }
        guard format == 32 else { return [] }
        // Xlib stores 32-bit values as longs.
        return bytes.withMemoryRebound(to: UInt.self, capacity: Int(count)) {
            Array(UnsafeBufferPointer(start: $0, count: Int(count)))
        }
    }

    /// Returns the bytes of the property `name`; nil if the property's type is not `wanted`, or if its value is
    /// longer than `limit` bytes. One round trip.
    func bytes(of name: XID, on window: XID, as wanted: XID, atMost limit: Int) -> [UInt8]? {
        var (type, format): (XID, Int32) = (0, 0)
        var (count, rest): (UInt, UInt) = (0, 0)
        var bytes: UnsafeMutablePointer<UInt8>?
        // The length is in 32-bit words.
        let words = limit / 4
        guard
            XGetWindowProperty(
                display, window, name, 0, words, 0, wanted, &type, &format, &count, &rest, &bytes) == 0,
            let bytes
        else { return nil }
        defer { XFree(bytes) }
        guard type == wanted, format == 8, rest == 0 else { return nil }
        return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
    }

    /// Sends a client message of the type `message` about `window` to `receiver`.
    ///
    /// - Parameter mask: The events one of which a client must have selected to receive the message; 0 to send it to the
    ///   receiver's own client.
    func send(
        _ message: XID, about window: XID, to receiver: XID, mask: Int, _ first: Int, _ second: Int = 0,
        _ third: Int = 0, _ fourth: Int = 0
    ) {
        var event = XEvent()
        event.xclient.type = ClientMessage
        event.xclient.window = window
        event.xclient.message_type = message
        event.xclient.format = 32
        event.xclient.data.l = (first, second, third, fourth, 0)
        XSendEvent(display, receiver, 0, mask, &event)
        flush()
    }

    /// Tells the source of a drop that the drop is finished (XDND 5). If the source no longer exists, `XErrors`
    /// ignores the error.
    func finishDrop(on window: XID, from source: XID, isTaken: Bool) {
        send(
            atom("XdndFinished"), about: source, to: source, mask: 0, Int(bitPattern: window), isTaken ? 1 : 0,
            isTaken ? Int(bitPattern: atom("XdndActionCopy")) : 0)
    }
}
