import CXCB
import Glibc
import Platform
import Presentation
import Time

/// Reports when the display that a window lies on refreshes, by the X Present extension: of every frame that is shown in
/// the window, whoever draws it, and of refreshes that are asked for. Main thread.
@MainActor final class XRefreshReporter {
    private let connection: XConnection
    private let window: UInt32
    private let eventID: UInt32
    private let events: OpaquePointer

    /// - Parameter window: its number, which the server knows already.
    /// - Returns: nil where the server has no Present extension.
    init?(window: UInt32, on connection: XConnection) {
        guard connection.extensions.present_major >= 1 else { return nil }
        let id = xcb_generate_id(connection.raw)
        // Before the server is asked: events of a queue that does not exist would be everybody's.
        guard let events = glissade_xcb_present_events(connection.raw, id) else { return nil }
        (self.connection, self.window, eventID, self.events) = (connection, window, id, events)
        xcb_present_select_input(connection.raw, id, window, XCB_PRESENT_EVENT_MASK_COMPLETE_NOTIFY.rawValue)
        xcb_flush(connection.raw)
    }

    isolated deinit {
        xcb_unregister_for_special_event(connection.raw, events)
        // Where the window has gone, nothing was selected: what the server says to that is nobody's.
        xcb_present_select_input(connection.raw, eventID, window, XCB_PRESENT_EVENT_MASK_NO_EVENT.rawValue)
        xcb_flush(connection.raw)
    }

    /// Asks for reports of the `count` refreshes that follow; they come as they happen.
    ///
    /// - Parameter last: the number of a recent one; nil where none is known, for the next one alone.
    func request(_ count: Int, after last: Int64?) {
        let first = last.map { UInt64(clamping: $0) &+ 1 } ?? 0
        for step in 0..<UInt64(last == nil ? 1 : count) {
            xcb_present_notify_msc(connection.raw, window, 0, first &+ step, 0, 0)
        }
        xcb_flush(connection.raw)
    }

    /// Hands over what has been reported since the last call.
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
