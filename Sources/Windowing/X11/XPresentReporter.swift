import CXCB
import Glibc
import Platform
import Presentation
import Time

/// Reports the refreshes of a window's display with the X Present extension: those at which frames are shown in the
/// window, and those requested. Also counts the frames that are not visible yet. Main thread.
@MainActor final class XPresentReporter {
    private let connection: XConnection
    private let window: UInt32
    private let eventID: UInt32
    private let events: OpaquePointer
    /// Whether the display is virtual, with made-up refreshes.
    var isVirtual = false
    /// When the frames were sent that have not been reported; nil for those that had to wait for another.
    private var unreported: [HostTime?] = []
    /// Frames that were sent and have not been reported.
    var unreportedCount: Int { unreported.count }
    /// Returns when the frame with a serial number was sent; nil if frames are sent by the driver, in order.
    var sentTime: ((UInt32) -> HostTime?)?
    /// Whether the driver shows frames with Present, so that each is reported.
    private(set) var reportsFrames = false
    /// When a frame was last sent or reported.
    private var activeAt = HostTime.now()
    /// Servers report a frame within a second, even of a window that is not seen. After this long, the reports are
    /// lost.
    private static let longestSilence = Duration.seconds(3)
    private var reports: [DisplayReport] = []
    /// The most reports kept for `takeReports`.
    private static let reportLimit = 256

    /// Nil if the server lacks the Present extension.
    ///
    /// - Parameter window: Its ID, already known to the server.
    init?(window: UInt32, on connection: XConnection) {
        guard connection.extensions.present_major >= 1 else { return nil }
        let id = xcb_generate_id(connection.raw)
        // Before the request: without a queue, events would go to the general one.
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

    /// Records that the driver was told at `time` to send a frame to the server.
    func didSendFrame(at time: HostTime) {
        activeAt = .now()
        // Without Present, none is ever reported.
        if unreported.count >= Self.reportLimit { unreported.removeFirst() }
        // The report of a frame that had to wait for another says nothing about how early it was sent.
        unreported.append(unreported.isEmpty ? time : nil)
    }

    /// Waits no longer for reports that are lost, as when a driver drops what it had queued for a screen that went off.
    /// A window that waited for them would never be drawn again.
    func forgetLostFrames(at now: HostTime) {
        if now - activeAt > Self.longestSilence { unreported.removeAll(keepingCapacity: true) }
    }

    /// Appends the reports since the last call to `taken`.
    func takeReports(into taken: inout [DisplayReport]) {
        poll()
        taken += reports
        reports.removeAll(keepingCapacity: true)
    }

    /// Reads the server's reports.
    func poll() {
        while let event = xcb_poll_for_special_event(connection.raw, events) {
            let found = glissade_xcb_present_event(event)
            free(event)
            guard found.type == XCB_PRESENT_COMPLETE_NOTIFY else { continue }
            let isFrame = UInt32(found.kind) == XCB_PRESENT_COMPLETE_KIND_PIXMAP.rawValue
            let isSkipped = UInt32(found.mode) == XCB_PRESENT_COMPLETE_MODE_SKIP.rawValue
            var sent: HostTime?
            if isFrame {
                reportsFrames = true
                let oldest = unreported.isEmpty ? nil : unreported.removeFirst()
                sent = sentTime.map { $0(found.serial) } ?? oldest
                activeAt = .now()
            }
            if reports.count >= Self.reportLimit { reports.removeFirst() }
            let time = HostTime(nanoseconds: Int64(clamping: found.ust.multipliedClamped(by: 1000)))
            reports.append(
                DisplayReport(
                    !isFrame ? .refreshed : isSkipped ? .skipped : .presented, at: time,
                    refreshCount: isVirtual ? nil : Int64(clamping: found.msc), sentTime: sent))
        }
    }
}
