import CXCB
import Glibc
import Platform
import Presentation
import Time

/// Reports the refreshes of a window's display with the X Present extension: those at which any client shows a frame in
/// the window, and those requested. Main thread.
@MainActor final class XRefreshReporter {
    private let connection: XConnection
    private let window: UInt32
    private let eventID: UInt32
    private let events: OpaquePointer

    /// Fails if the server lacks the Present extension.
    ///
    /// - Parameter window: Its ID, already known to the server.
    init?(window: UInt32, on connection: XConnection) {
        guard connection.extensions.present_major >= 1 else { return nil }
        let id = xcb_generate_id(connection.raw)
        // Before the request: events without a queue would go to the general one.
        guard let events = glissade_xcb_present_events(connection.raw, id) else { return nil }
        (self.connection, self.window, eventID, self.events) = (connection, window, id, events)
        xcb_present_select_input(connection.raw, id, window, XCB_PRESENT_EVENT_MASK_COMPLETE_NOTIFY.rawValue)
        xcb_flush(connection.raw)
    }

    isolated deinit {
        xcb_unregister_for_special_event(connection.raw, events)
        // If the window is gone, nothing was selected, and the server's error is ignored.
        xcb_present_select_input(connection.raw, eventID, window, XCB_PRESENT_EVENT_MASK_NO_EVENT.rawValue)
        xcb_flush(connection.raw)
    }

    /// Requests reports of the next `count` refreshes, which arrive as they happen.
    ///
    /// - Parameter last: The count of a recent refresh; if nil, only the next one is requested.
    func request(_ count: Int, after last: Int64?) {
        let first = last.map { UInt64(clamping: $0) &+ 1 } ?? 0
        for step in 0..<UInt64(last == nil ? 1 : count) {
            xcb_present_notify_msc(connection.raw, window, 0, first &+ step, 0, 0)
        }
        xcb_flush(connection.raw)
    }

    /// Appends the refreshes reported since the last call to `taken`.
    func takeReports(into taken: inout [DisplayClock.Refresh]) {
        while let event = xcb_poll_for_special_event(connection.raw, events) {
            let found = glissade_xcb_present_event(event)
            free(event)
            guard found.type == XCB_PRESENT_COMPLETE_NOTIFY,
                UInt32(found.mode) != XCB_PRESENT_COMPLETE_MODE_SKIP.rawValue
            else { continue }
            let time = Int64(clamping: found.ust.multipliedClamped(by: 1000))
            taken.append(.init(count: Int64(clamping: found.msc), time: HostTime(nanoseconds: time)))
        }
    }
}
