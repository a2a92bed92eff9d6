import GlissadeCX11
import Glibc
import GlissadePlatform
import GlissadeTime

extension XScreen {
    /// Drops a list of files on a window, as a file manager does (XDND 5), and waits until the window has taken it.
    ///
    /// - Parameters:
    ///   - list: as it goes over, in the form of text/uri-list.
    ///   - process: whose window takes it: the first that is found.
    ///   - isSourceGone: whether the source that the window is told of at last is a window that does not exist any more.
    /// - Returns: whether the window says that it has taken it; nil where it says nothing in time, or there is no such window.
    ///   A source that is gone is told nothing: true once the list was asked for.
    package func drop(
        _ list: [UInt8], onWindowOf process: Int32, isSourceGone: Bool = false, within bound: Duration = .seconds(10)
    ) -> Bool? {
        guard let target = window(of: process, under: root) else { return nil }
        func atom(_ name: String) -> Atom { XInternAtom(display, name, 0) }
        let source = XCreateSimpleWindow(display, root, 0, 0, 1, 1, 0, 0, 0)
        defer { XDestroyWindow(display, source) }
        XSetSelectionOwner(display, atom("XdndSelection"), source, Time(CurrentTime))
        let form = Int(atom("text/uri-list"))
        tell(target, "XdndEnter", [5 << 24, form, 0, 0], from: source)
        tell(target, "XdndPosition", [0, 0, 0, Int(atom("XdndActionCopy"))], from: source)
        tell(target, "XdndDrop", [0, 0], from: isSourceGone ? goneWindow() : source)
        XFlush(display)

        let finished = atom("XdndFinished")
        let end = HostTime.now() + bound
        while HostTime.now() < end {
            guard XPending(display) > 0 else {
                var descriptor = pollfd(fd: XConnectionNumber(display), events: Int16(POLLIN), revents: 0)
                poll(&descriptor, 1, 50)
                continue
            }
            var event = XEvent()
            XNextEvent(display, &event)
            if event.type == SelectionRequest {
                answer(event.xselectionrequest, with: list)
                if isSourceGone { return true }
            }
            if event.type == ClientMessage, event.xclient.message_type == finished {
                return withUnsafeBytes(of: event.xclient.data) { $0.load(fromByteOffset: 8, as: Int.self) & 1 != 0 }
            }
        }
        return nil
    }

    /// Sends a window what no source of a drop would: a drag from a window that does not exist, and answers to a request for a
    /// dropped list that it has not made, one for a window that does not exist, and one of a type that does not. Whether there
    /// is a window of that process.
    package func forgeDrop(onWindowOf process: Int32) -> Bool {
        guard let target = window(of: process, under: root) else { return false }
        let gone = goneWindow()
        // More than three forms: the others are on the source.
        tell(target, "XdndEnter", [5 << 24 | 1, 0, 0, 0], from: gone)
        let form = Int(XInternAtom(display, "text/uri-list", 0))
        tell(target, "XdndEnter", [5 << 24, form, 0, 0], from: gone)
        tell(target, "XdndPosition", [0, 0, 0, Int(XInternAtom(display, "XdndActionCopy", 0))], from: gone)
        for (requestor, type) in [(gone, Atom(form)), (target, 0x0FFF_FFFF)] {
            var event = XEvent()
            event.xselection.type = SelectionNotify
            event.xselection.display = display
            event.xselection.requestor = requestor
            event.xselection.selection = XInternAtom(display, "XdndSelection", 0)
            event.xselection.target = type
            event.xselection.property = event.xselection.selection
            XSendEvent(display, target, 0, 0, &event)
        }
        XFlush(display)
        return true
    }

    /// Sends a window a message of the protocol.
    private func tell(_ target: Window, _ name: String, _ data: [Int], from source: Window) {
        var event = XEvent()
        event.xclient.type = ClientMessage
        event.xclient.display = display
        event.xclient.window = target
        event.xclient.message_type = XInternAtom(display, name, 0)
        event.xclient.format = 32
        withUnsafeMutableBytes(of: &event.xclient.data) { bytes in
            bytes.withMemoryRebound(to: Int.self) { words in
                words[0] = Int(source)
                for (index, value) in data.enumerated() { words[index + 1] = value }
            }
        }
        XSendEvent(display, target, 0, 0, &event)
    }

    /// The number of a window that has been destroyed.
    private func goneWindow() -> Window {
        let window = XCreateSimpleWindow(display, root, 0, 0, 1, 1, 0, 0, 0)
        XDestroyWindow(display, window)
        return window
    }

    private func answer(_ request: XSelectionRequestEvent, with list: [UInt8]) {
        XChangeProperty(
            display, request.requestor, request.property, request.target, 8, PropModeReplace, list, CInt(list.count))
        var event = XEvent()
        event.xselection.type = SelectionNotify
        event.xselection.display = display
        event.xselection.requestor = request.requestor
        event.xselection.selection = request.selection
        event.xselection.target = request.target
        event.xselection.property = request.property
        event.xselection.time = request.time
        XSendEvent(display, request.requestor, 0, 0, &event)
        XFlush(display)
    }

    private func window(of process: Int32, under parent: Window) -> Window? {
        let takesDrops = cardinal("XdndAware", of: parent) != nil
        if takesDrops, cardinal("_NET_WM_PID", of: parent) == Int(process) { return parent }
        var (ignored, alsoIgnored): (Window, Window) = (0, 0)
        var children: UnsafeMutablePointer<Window>?
        var count: CUnsignedInt = 0
        guard XQueryTree(display, parent, &ignored, &alsoIgnored, &children, &count) != 0, let children else {
            return nil
        }
        defer { XFree(children) }
        for index in 0..<Int(count) { if let found = window(of: process, under: children[index]) { return found } }
        return nil
    }

    /// The first number of a property; nil where there is none.
    private func cardinal(_ name: String, of window: Window) -> Int? {
        var (type, format): (Atom, CInt) = (0, 0)
        var (count, rest): (UInt, UInt) = (0, 0)
        var bytes: UnsafeMutablePointer<UInt8>?
        let name = XInternAtom(display, name, 0)
        guard
            XGetWindowProperty(
                display, window, name, 0, 1, 0, Atom(AnyPropertyType), &type, &format, &count, &rest, &bytes) == 0,
            let bytes
        else { return nil }
        defer { XFree(bytes) }
        guard format == 32, count > 0 else { return nil }
        return bytes.withMemoryRebound(to: Int.self, capacity: 1) { $0.pointee }
    }
}
