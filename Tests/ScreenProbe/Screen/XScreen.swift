import GlissadeCX11
package import GlissadeGeometry
import Glibc
import GlissadePlatform
package import GlissadeTime

/// An X server's screen as somebody before it has it: something to look at, and a pointer to move.
///
/// For one thread. Where the server goes away, Xlib ends the process.
package final class XScreen {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    package let width: Int
    package let height: Int
    let display: OpaquePointer
    let root: Window
    /// The number of the extension's event, once it has been asked for events; nil where there is no such extension.
    private var damageEvent: CInt?

    /// Opens the screen of a server.
    ///
    /// - Parameter name: like `:1`; nil for what DISPLAY names.
    package init(_ name: String? = nil) throws(Failure) {
        guard let display = name.map({ XOpenDisplay($0) }) ?? XOpenDisplay(nil) else {
            throw Failure(description: "no X server at \(name ?? "the display that DISPLAY names")")
        }
        self.display = display
        root = XDefaultRootWindow(display)
        width = Int(XDisplayWidth(display, XDefaultScreen(display)))
        height = Int(XDisplayHeight(display, XDefaultScreen(display)))
    }

    deinit { XCloseDisplay(display) }

    /// All of it.
    package var whole: Region { Region(name: "screen", x: 0..<width, y: 0..<height) }

    // MARK: - Looking

    /// The grey values of a part of the screen, row by row; the brightest of red, green and blue counts. Nil where the
    /// part is not on the screen, or the server's pixels are not four bytes each.
    ///
    /// The pointer is not in it: the server takes it off for as long as it copies.
    package func grey(x: Range<Int>, y: Range<Int>) -> [UInt8]? {
        guard !x.isEmpty, !y.isEmpty, x.lowerBound >= 0, y.lowerBound >= 0, x.upperBound <= width,
            y.upperBound <= height,
            let image = glissade_x11_image(
                display, root, CInt(x.lowerBound), CInt(y.lowerBound), CUnsignedInt(x.count), CUnsignedInt(y.count))
        else { return nil }
        defer { glissade_x11_destroy_image(image) }
        guard image.pointee.bits_per_pixel == 32, let data = image.pointee.data else { return nil }
        let pad = glissade_x11_is_little_endian(image) != 0 ? 0 : 1
        let stride = Int(image.pointee.bytes_per_line)
        return [UInt8](unsafeUninitializedCapacity: x.count * y.count) { grey, count in
            for row in 0..<y.count {
                for column in 0..<x.count {
                    let pixel = UnsafeRawPointer(data + row * stride + column * 4 + pad)
                    func component(_ index: Int) -> UInt8 { pixel.load(fromByteOffset: index, as: UInt8.self) }
                    grey[row * x.count + column] = max(component(0), component(1), component(2))
                }
            }
            count = x.count * y.count
        }
    }

    /// Has the server tell of every drawing from here on. False where it cannot: `waitForDrawing` then comes back each
    /// two milliseconds.
    package func watchDrawing() -> Bool {
        var (event, error): (CInt, CInt) = (0, 0)
        guard XDamageQueryExtension(display, &event, &error) != 0 else { return false }
        // Each drawing by itself, not what has become of all: two pictures between two looks are then two.
        _ = XDamageCreate(display, root, XDamageReportRawRectangles)
        XSync(display, 0)
        damageEvent = event + XDamageNotify
        return true
    }

    /// Waits for drawing, and gives the rectangles that were drawn since the last call, and when the server told of it;
    /// nil where none was by `deadline`.
    package func waitForDrawing(until deadline: HostTime) -> (areas: [Region], time: HostTime)? {
        guard let damageEvent else {
            _ = poll(nil, 0, 2)
            return HostTime.now() < deadline ? ([whole], .now()) : nil
        }
        while XPending(display) == 0 {
            let left = (deadline - HostTime.now()).inMilliseconds
            guard left > 0 else { return nil }
            var connection = pollfd(fd: XConnectionNumber(display), events: Int16(POLLIN), revents: 0)
            _ = poll(&connection, 1, CInt(min(left + 1, 1000)))
        }
        let time = HostTime.now()
        var areas: [Region] = []
        while XPending(display) > 0 {
            var event = XEvent()
            XNextEvent(display, &event)
            guard event.type == damageEvent else { continue }
            let area = withUnsafeBytes(of: &event) { $0.load(as: XDamageNotifyEvent.self).area }
            let (x, y) = (Int(area.x), Int(area.y))
            areas.append(Region(name: "drawing", x: x..<x + Int(area.width), y: y..<y + Int(area.height)))
        }
        return (areas, time)
    }

    // MARK: - The pointer

    /// Whether the server lets its pointer be moved by a program.
    package var hasPointer: Bool {
        var (event, error, major, minor): (CInt, CInt, CInt, CInt) = (0, 0, 0, 0)
        return XTestQueryExtension(display, &event, &error, &major, &minor) != 0
    }

    /// Where the pointer is.
    package var pointer: Point { askPointer().place }

    /// Which of the first five buttons are pressed.
    package var heldButtons: [Int] {
        let mask = askPointer().mask
        return (1...5).filter { mask >> (7 + $0) & 1 == 1 }  // Button1Mask is 1 << 8.
    }

    private func askPointer() -> (place: Point, mask: CUnsignedInt) {
        var (root, child): (Window, Window) = (0, 0)
        var (x, y, windowX, windowY): (CInt, CInt, CInt, CInt) = (0, 0, 0, 0)
        var mask: CUnsignedInt = 0
        XQueryPointer(display, self.root, &root, &child, &x, &y, &windowX, &windowY, &mask)
        return (Point(x: Double(x), y: Double(y)), mask)
    }

    /// Moves the pointer, to the nearest pixel, as a mouse does.
    package func movePointer(to point: Point) {
        XTestFakeMotionEvent(display, -1, CInt(point.x.rounded()), CInt(point.y.rounded()), 0)
        XFlush(display)
    }

    /// Presses a button, or lets it go; 1 is the left one.
    package func setButton(_ button: Int, isPressed: Bool) {
        XTestFakeButtonEvent(display, CUnsignedInt(button), isPressed ? 1 : 0, 0)
        XFlush(display)
    }

    // MARK: - The keyboard

    /// Whether the keyboard has a key for that symbol.
    package func hasKey(_ name: String) -> Bool { key(name) != nil }

    /// Presses a key, with Shift where its symbol needs it, and lets it go; nothing where there is no such key.
    package func tapKey(_ name: String) {
        guard let key = key(name) else { return }
        let shift = XKeysymToKeycode(display, KeySym(XK_Shift_L))
        if key.isShifted { XTestFakeKeyEvent(display, CUnsignedInt(shift), 1, 0) }
        XTestFakeKeyEvent(display, CUnsignedInt(key.code), 1, 0)
        XTestFakeKeyEvent(display, CUnsignedInt(key.code), 0, 0)
        if key.isShifted { XTestFakeKeyEvent(display, CUnsignedInt(shift), 0, 0) }
        XFlush(display)
    }

    private func key(_ name: String) -> (code: KeyCode, isShifted: Bool)? {
        let symbol = XStringToKeysym(name)
        let code = symbol == 0 ? 0 : XKeysymToKeycode(display, symbol)
        guard code != 0 else { return nil }
        return (code, XkbKeycodeToKeysym(display, code, 0, 0) != symbol)
    }

    // MARK: - Windows

    /// Asks a window to close, as a window manager does where its close button is pressed.
    package func requestClose(of window: UInt) {
        var event = XEvent()
        event.xclient.type = ClientMessage
        event.xclient.window = window
        event.xclient.message_type = XInternAtom(display, "WM_PROTOCOLS", 0)
        event.xclient.format = 32
        event.xclient.data.l.0 = CLong(XInternAtom(display, "WM_DELETE_WINDOW", 0))
        XSendEvent(display, window, 0, 0, &event)
        XFlush(display)
    }

    /// Asks the window manager to give a window a state, by its name as `_NET_WM_STATE_FULLSCREEN`, or to take it away, as
    /// a pager does.
    package func requestState(_ state: String, isOn: Bool, of window: UInt) {
        var event = XEvent()
        event.xclient.type = ClientMessage
        event.xclient.window = window
        event.xclient.message_type = XInternAtom(display, "_NET_WM_STATE", 0)
        event.xclient.format = 32
        event.xclient.data.l = (isOn ? 1 : 0, CLong(XInternAtom(display, state, 0)), 0, 2, 0)
        XSendEvent(display, root, 0, SubstructureRedirectMask | SubstructureNotifyMask, &event)
        XFlush(display)
    }
}
