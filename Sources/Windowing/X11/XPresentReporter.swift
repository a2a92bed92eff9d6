import CXCB
import Glibc
import Platform
import Presentation
import Time

/// Reports the refreshes of a window's display with the X Present extension, those at which frames are shown in the window
/// and those requested, and knows how many frames have not been seen yet. Main thread.
@MainActor final class XPresentReporter {
    private let connection: XConnection
    private let window: UInt32
    private let eventID: UInt32
    private let events: OpaquePointer
    /// Whether the display's refreshes are made up.
    var isVirtual = false
    /// Frames that were sent and not reported since.
    private(set) var unreportedCount = 0
    /// Whether the driver shows frames with Present, so that each is reported.
    private(set) var reportsFrames = false
    private var reports: [DisplayReport] = []
    /// The most reports kept for `takeReports`.
    private static let reportLimit = 256

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

    /// Records that a frame was sent to the server.
    func didSendFrame() { unreportedCount += 1 }

    /// Appends the reports since the last call to `taken`.
    func takeReports(into taken: inout [DisplayReport]) {
        poll()
        taken += reports
        reports.removeAll(keepingCapacity: true)
    }

    /// Reads what the server has reported.
    func poll() {
        while let event = xcb_poll_for_special_event(connection.raw, events) {
            let found = glissade_xcb_present_event(event)
            free(event)
            guard found.type == XCB_PRESENT_COMPLETE_NOTIFY else { continue }
            let isFrame = UInt32(found.kind) == XCB_PRESENT_COMPLETE_KIND_PIXMAP.rawValue
            let isSkipped = UInt32(found.mode) == XCB_PRESENT_COMPLETE_MODE_SKIP.rawValue
            if isFrame {
                reportsFrames = true
                unreportedCount = max(0, unreportedCount - 1)
            }
            if reports.count >= Self.reportLimit { reports.removeFirst() }
            let time = HostTime(nanoseconds: Int64(clamping: found.ust.multipliedClamped(by: 1000)))
            reports.append(
                DisplayReport(
                    !isFrame ? .refreshed : isSkipped ? .skipped : .presented, at: time,
                    refreshCount: isVirtual ? nil : Int64(clamping: found.msc)))
        }
    }
}
