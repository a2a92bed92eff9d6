import GlissadeCXCB
import GlissadeGeometry
import Glibc
import GlissadePlatform
package import GlissadeRendering
package import GlissadeTime

/// An XCB connection to the X server, separate from GLFW's connection. Used only to show frames and
/// window backgrounds, and to receive the display's reports. Any thread that holds `RenderLock`.
///
/// If a window was created on another connection, wait for the reply to a later request on that connection before using
/// the window here. Until then, the server may not know the window.
package final class XConnection {
    let raw: OpaquePointer
    let extensions: GlissadeXExtensions
    /// Whether the connection is a Unix socket, over which file descriptors can be sent.
    let isLocal: Bool
    /// The screen's size in pixels, which determines how much memory to reserve for a frame.
    let screenSize: PixelSize
    private let root: UInt32
    /// The windows' outputs, by window ID.
    private var outputs: [UInt32: Entry] = [:]

    private struct Entry {
        weak var output: XSoftwareOutput?
    }

    // Protected by `RenderLock`.
    nonisolated(unsafe) private static var existing: XConnection?

    /// Returns the shared connection to the display named by DISPLAY. Opens the connection on first use, and again if
    /// it has been lost.
    ///
    /// - Throws: `unavailable` if the server cannot be reached.
    package static func shared() throws(RenderingError) -> XConnection {
        try RenderLock.withLock { () throws(RenderingError) in
            if let existing, existing.isOpen { return existing }
            let made = try XConnection()
            existing = made
            return made
        }
    }

    /// Connects to an X server.
    ///
    /// - Parameter display: A display such as `:1`; nil for the display named by DISPLAY.
    /// - Throws: `unavailable` if the server cannot be reached.
    package init(_ display: String? = nil) throws(RenderingError) {
        // XCB writes to the socket without MSG_NOSIGNAL, so a server that exits would otherwise end the program.
        BrokenPipes.ignore()
        var number: Int32 = 0
        guard let raw = xcb_connect(display, &number) else { throw .unavailable("out of memory") }
        guard xcb_connection_has_error(raw) == 0, let screen = glissade_xcb_screen(raw, number) else {
            xcb_disconnect(raw)
            throw .unavailable("no X server at \(display ?? "the display that DISPLAY names")")
        }
        self.raw = raw
        screenSize = PixelSize(
            width: Int(screen.pointee.width_in_pixels), height: Int(screen.pointee.height_in_pixels))
        root = screen.pointee.root
        isLocal = Self.isLocal(xcb_get_file_descriptor(raw))
        extensions = glissade_xcb_extensions(raw)
    }

    deinit { xcb_disconnect(raw) }

    private static func isLocal(_ descriptor: Int32) -> Bool {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        return result == 0 && Int32(address.ss_family) == AF_UNIX
    }

    /// Whether the connection works. A lost connection counts as working until XCB next reads or writes.
    package var isOpen: Bool { xcb_connection_has_error(raw) == 0 }

    /// A file descriptor to poll for reading. When it is readable, call `readEvents`.
    ///
    /// Also call `readEvents` before polling, since other calls may already have read pending events from the
    /// descriptor.
    package var descriptor: Int32 { xcb_get_file_descriptor(raw) }

    /// Whether the server can show frames from shared memory at a refresh, with X Present.
    var hasPresent: Bool {
        hasSharedMemory && extensions.has_shared_pixmaps != 0 && extensions.present_major >= 1
            && extensions.xfixes_major >= 2
    }

    /// Whether memory can be shared with the server through file descriptors (MIT-SHM 1.2).
    var hasSharedMemory: Bool {
        isLocal && (extensions.shm_major, extensions.shm_minor) >= (1, 2)
    }

    // MARK: - The display

    /// Whether there is a real display, with refreshes that frames can wait for; true if unknown. False for a virtual
    /// display, unless `trustRefreshes` was called. The first access takes two round trips.
    package internal(set) lazy var hasDisplay = extensions.present_major < 1 || hasRefreshes(root)

    /// Checks whether `window` has a real display, unless `hasDisplay` is already true. Returns the updated
    /// `hasDisplay`. XWayland has a display only for mapped windows. The check takes two round trips.
    func findDisplay(of window: UInt32) -> Bool {
        RenderLock.withLock {
            if !hasDisplay { hasDisplay = hasRefreshes(window) }
            return hasDisplay
        }
    }

    /// Treats a virtual display's simulated refreshes as real from now on.
    func trustRefreshes() { RenderLock.withLock { hasDisplay = true } }

    /// Whether a real display refreshes the window; true if unknown.
    ///
    /// If the driver reports any Present capability, there is a display. Otherwise the refresh count decides: without a
    /// driver, X.Org's server computes the count from the time.
    private func hasRefreshes(_ window: UInt32) -> Bool {
        let asked = xcb_present_query_capabilities(raw, window)
        let answer = xcb_present_query_capabilities_reply(raw, asked, nil)
        defer { free(answer) }
        guard let answer, answer.pointee.capabilities == 0 else { return true }
        let id = xcb_generate_id(raw)
        guard let events = glissade_xcb_present_events(raw, id) else { return true }
        defer { xcb_unregister_for_special_event(raw, events) }
        xcb_present_select_input(raw, id, window, XCB_PRESENT_EVENT_MASK_COMPLETE_NOTIFY.rawValue)
        xcb_present_notify_msc(raw, window, 0, 0, 0, 0)
        // A simulated refresh is reported at once: before the reply to the next request.
        _ = isDone(xcb_present_select_input_checked(raw, id, window, XCB_PRESENT_EVENT_MASK_NO_EVENT.rawValue))
        guard let event = xcb_poll_for_special_event(raw, events) else { return true }
        defer { free(event) }
        let found = glissade_xcb_present_event(event)
        return found.type != XCB_PRESENT_COMPLETE_NOTIFY || !Self.isMadeUp(refresh: found.msc, at: found.ust)
    }

    /// Whether a refresh count is computed from the time, as in `present_fake_get_ust_msc` in X.Org's server. Such a
    /// count is the number of 1/60 s periods since boot, rounded. A period is 16,667 µs before version 21.1, and 16,666
    /// µs from that version on.
    static func isMadeUp(refresh: UInt64, at microseconds: UInt64) -> Bool {
        [16_666, 16_667].contains { (period: UInt64) in
            refresh == microseconds / period + (microseconds % period + period / 2) / period
        }
    }

    // MARK: - Events

    func add(_ output: XSoftwareOutput) {
        outputs = outputs.filter { $0.value.output != nil }
        outputs[output.window] = Entry(output: output)
    }

    /// Removes the entry of `window`, unless the window has a newer output. Called when an output is released.
    func remove(_ window: UInt32) { if outputs[window]?.output == nil { outputs[window] = nil } }

    /// Processes the events that have arrived from the server, without waiting for more.
    ///
    /// - Throws: `presentation` if the connection to the server is lost.
    package func readEvents() throws(RenderingError) {
        try RenderLock.withLock { () throws(RenderingError) in try readEventsLocked() }
    }

    private func readEventsLocked() throws(RenderingError) {
        // Polling one queue may read events into another.
        var before: UInt64
        repeat {
            before = xcb_total_read(raw)
            for entry in outputs.values { entry.output?.readPresentEvents() }
            while let event = xcb_poll_for_event(raw) {
                handle(event)
                free(event)
            }
        } while xcb_total_read(raw) != before
        try check()
    }

    /// Waits until the server sends an event or a reply, or until `deadline`, but no longer than a minute. Then
    /// processes the events that have arrived. Returns false if nothing arrived in time.
    ///
    /// - Throws: `presentation` if the connection to the server is lost.
    @discardableResult package func wait(until deadline: HostTime) throws(RenderingError) -> Bool {
        xcb_flush(raw)
        let left = (deadline - HostTime.now()).inMilliseconds
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let isReadable = left > 0 && poll(&watched, 1, Int32(min(left.rounded(.up), 60_000))) > 0
        try readEvents()
        return isReadable
    }

    /// Checks whether the connection still works.
    ///
    /// - Throws: `presentation` if the connection to the server is lost.
    func check() throws(RenderingError) {
        if !isOpen { throw .presentation("the connection to the X server is lost") }
    }

    private func handle(_ event: UnsafeMutablePointer<xcb_generic_event_t>) {
        let type = Int32(event.pointee.response_type & 0x7F)
        switch type {
        case 0:
            event.withMemoryRebound(to: xcb_generic_error_t.self, capacity: 1) { error in
                for entry in outputs.values { entry.output?.handle(error.pointee) }
            }
        case Int32(XCB_EXPOSE):
            event.withMemoryRebound(to: xcb_expose_event_t.self, capacity: 1) {
                outputs[$0.pointee.window]?.output?.contentWasLost()
            }
        case Int32(XCB_DESTROY_NOTIFY):
            event.withMemoryRebound(to: xcb_destroy_notify_event_t.self, capacity: 1) {
                outputs[$0.pointee.window]?.output?.windowHasGone()
            }
        case extensions.shm_first_event where type > 0:
            event.withMemoryRebound(to: xcb_shm_completion_event_t.self, capacity: 1) { completion in
                outputs[completion.pointee.drawable]?.output?.segmentWasRead(completion.pointee.shmseg)
            }
        default: break
        }
    }

    /// Waits until the server has handled all requests of this connection. Requests of other connections, such as
    /// GLFW's, can otherwise overtake them. One round trip.
    func waitForServer() { free(xcb_get_input_focus_reply(raw, xcb_get_input_focus(raw), nil)) }

    /// Whether a checked request succeeded. Takes one round trip.
    func isDone(_ cookie: xcb_void_cookie_t) -> Bool {
        guard let error = xcb_request_check(raw, cookie) else { return isOpen }
        free(error)
        return false
    }
}
