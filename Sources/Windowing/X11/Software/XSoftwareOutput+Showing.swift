import GlissadeCXCB
import GlissadeGeometry
import Glibc
import GlissadePlatform
import GlissadeTime

/// The server-side objects that an output uses for the X Present extension. Any thread that holds `RenderLock`.
struct XPresentation {
    let connection: XConnection
    let window: UInt32
    let eventID: UInt32
    /// The queue of the window's Present events.
    let events: OpaquePointer
    /// A region object on the server, which is set to the changed part of each frame shown.
    let region: UInt32

    func end() {
        xcb_unregister_for_special_event(connection.raw, events)
        xcb_xfixes_destroy_region(connection.raw, region)
        // If the window is gone, this request fails, and the error is ignored.
        xcb_present_select_input(connection.raw, eventID, window, XCB_PRESENT_EVENT_MASK_NO_EVENT.rawValue)
    }
}

/// Shows frames with each method, and handles events and errors from the server.
extension XSoftwareOutput {
    /// The maximum number of reports kept for `takeShown`.
    private static let keptAnswers = 64

    // MARK: - X Present

    func beginPresenting() {
        let raw = connection.raw
        let id = xcb_generate_id(raw)
        let mask =
            XCB_PRESENT_EVENT_MASK_CONFIGURE_NOTIFY.rawValue | XCB_PRESENT_EVENT_MASK_COMPLETE_NOTIFY.rawValue
            | XCB_PRESENT_EVENT_MASK_IDLE_NOTIFY.rawValue
        // The queue must exist before the request. Otherwise the first events would go to the general queue.
        guard let events = glissade_xcb_present_events(raw, id) else {
            _ = useNextMethod()
            return
        }
        let region = xcb_generate_id(raw)
        let selected = xcb_present_select_input_checked(raw, id, window, mask)
        let made = xcb_xfixes_create_region_checked(raw, region, 0, nil)
        presentation = XPresentation(
            connection: connection, window: window, eventID: id, events: events, region: region)
        let isSelected = connection.isDone(selected)
        if !connection.isDone(made) || !isSelected { _ = useNextMethod() }
    }

    /// Shows a frame when the display's refresh count reaches `refresh`. If `refresh` is nil, shows the frame at the
    /// next refresh or, without a real display, immediately.
    ///
    /// - Parameter area: The area of the frame that has changed; nil if everything has changed.
    func present(_ frame: XFrame, _ area: PixelRect?, at refresh: UInt64?) {
        guard let cookie = present(frame.pixmap, serial: frame.serial, area, x: 0, y: 0, at: refresh) else { return }
        frame.request = cookie.sequence
        frame.isBusy = true
        pending.insert(frame.serial)
    }

    /// Shows a pixmap with its top-left corner at (`x`, `y`) in the window. If the Present extension is not in use,
    /// returns nil and shows nothing.
    ///
    /// - Parameter area: The part of the pixmap to show; nil to show all of it.
    func present(
        _ pixmap: UInt32, serial: UInt32, _ area: PixelRect?, x: Int, y: Int, at refresh: UInt64?
    ) -> xcb_void_cookie_t? {
        guard let presentation else { return nil }
        if let area {
            if area.isEmpty {
                xcb_xfixes_set_region(connection.raw, presentation.region, 0, nil)
            } else {
                var rectangle = xcb_rectangle_t(
                    x: Int16(area.minX), y: Int16(area.minY), width: UInt16(area.width), height: UInt16(area.height))
                xcb_xfixes_set_region(connection.raw, presentation.region, 1, &rectangle)
            }
        }
        if sentTimes.count >= Self.keptSentTimes { sentTimes.removeFirst() }
        sentTimes.append((serial, .now()))
        // Without a display, there is no refresh to wait for.
        let isAtOnce = refresh == nil && !connection.hasDisplay
        // Refresh 0 means the next one; a newer frame replaces one that waits for the same refresh. The valid region is
        // the whole pixmap, because a display that reads directly from the pixmap shows all of it.
        return xcb_present_pixmap(
            connection.raw, window, pixmap, serial, 0, area == nil ? 0 : presentation.region, Int16(clamping: x),
            Int16(clamping: y), 0, 0, 0, (isAtOnce ? XCB_PRESENT_OPTION_ASYNC : XCB_PRESENT_OPTION_NONE).rawValue,
            refresh ?? 0, 0, 0, 0, nil)
    }

    func readPresentEvents() {
        while let events = presentation?.events, let event = xcb_poll_for_special_event(connection.raw, events) {
            let found = glissade_xcb_present_event(event)
            free(event)
            switch found.type {
            case XCB_PRESENT_COMPLETE_NOTIFY where UInt32(found.kind) == XCB_PRESENT_COMPLETE_KIND_PIXMAP.rawValue:
                isShown(found)
            case XCB_PRESENT_IDLE_NOTIFY:
                for frame in frames where frame.pixmap == found.pixmap && frame.serial == found.serial {
                    frame.isBusy = false
                }
                pictureIsIdle(pixmap: found.pixmap, serial: found.serial)
            case XCB_PRESENT_CONFIGURE_NOTIFY where found.is_window_gone != 0:
                windowHasGone()
            default: break
            }
        }
    }

    private func isShown(_ event: GlissadePresentEvent) {
        guard pending.remove(event.serial) != nil else { return }
        let mode: ShownFrame.Mode =
            switch UInt32(event.mode) {
            case XCB_PRESENT_COMPLETE_MODE_FLIP.rawValue: .flip
            case XCB_PRESENT_COMPLETE_MODE_SKIP.rawValue: .skip
            case XCB_PRESENT_COMPLETE_MODE_SUBOPTIMAL_COPY.rawValue: .suboptimalCopy
            default: .copy
            }
        let nanoseconds = Int64(clamping: event.ust.multipliedReportingOverflow(by: 1000).partialValue)
        let shown = ShownFrame(
            serial: event.serial, refresh: event.msc, time: HostTime(nanoseconds: nanoseconds), mode: mode)
        if mode != .skip { lastShown = shown }
        if answers.count >= Self.keptAnswers { answers.removeFirst() }
        answers.append(shown)
    }

    // MARK: - Shared memory and socket

    func put(_ frame: XFrame, _ area: PixelRect) {
        guard !area.isEmpty else { return }
        let cookie = xcb_shm_put_image(
            connection.raw, window, context, UInt16(frame.size.width), UInt16(frame.size.height), UInt16(area.minX),
            UInt16(area.minY), UInt16(area.width), UInt16(area.height), Int16(area.minX), Int16(area.minY),
            UInt8(format.depth), UInt8(XCB_IMAGE_FORMAT_Z_PIXMAP.rawValue), 1, frame.segment, 0)
        frame.request = cookie.sequence
        frame.isBusy = true
    }

    func segmentWasRead(_ segment: UInt32) {
        for frame in frames where frame.segment == segment { frame.isBusy = false }
    }

    func send(_ frame: XFrame, _ area: PixelRect) {
        guard !area.isEmpty else { return }
        frame.request = writer.send(frame, area)
        if let syncRequest { xcb_discard_reply(connection.raw, syncRequest) }
        syncRequest = xcb_get_input_focus_unchecked(connection.raw).sequence
    }

    // MARK: - Errors and lost content

    /// Records that the window has lost its content. The next frame must be complete.
    func contentWasLost() { isContentLost = true }

    /// Stops showing frames because the window no longer exists. From then on, no frame counts as in use.
    func windowHasGone() {
        hasWindow = false
        pending = []
        picturesAreIdle()
        for frame in frames { frame.isBusy = false }
    }

    /// Handles the error of a failed request. Ignores errors that belong to the requests of other outputs.
    func handle(_ error: xcb_generic_error_t) {
        if hasRefusedPicture(error) { return }
        guard let frame = frames.first(where: { $0.hasSent(error.full_sequence) }) else { return }
        frame.isBusy = false
        pending.remove(frame.serial)
        isContentLost = true
        // BadWindow or BadDrawable (Xproto.h): the window was destroyed before the request arrived.
        if [3, 9].contains(error.error_code), error.resource_id == window { return windowHasGone() }
        // This frame is lost. The next one uses another method.
        _ = useNextMethod()
    }
}
