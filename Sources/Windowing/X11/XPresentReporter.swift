import GlissadeCXCB
import Glibc
import GlissadePlatform
import GlissadePresentation
import GlissadeTime

/// Uses the X Present extension to report when a window's frames are shown and, on request, when its display refreshes.
/// Also counts the frames that are not visible yet. Any thread that holds `RenderLock`.
final class XPresentReporter {
    private let connection: XConnection
    private let window: UInt32
    private let eventID: UInt32
    private let events: OpaquePointer
    /// Whether the display is virtual. The refresh counts of a virtual display are made up, so the reports leave them
    /// out.
    var isVirtual = false
    /// The send times of the frames not reported yet, oldest first. The entry is nil for a frame that was sent while
    /// another frame was unreported.
    private var unreported: [HostTime?] = []
    /// The number of frames that were sent but not reported yet.
    var unreportedCount: Int { unreported.count }
    /// A closure that returns the send time of the frame with the given serial number, or nil if the time is unknown.
    /// The property itself is nil if the OpenGL driver sends the frames. Such frames are reported in the order in which
    /// they were sent, so their send times are taken from `unreported` instead.
    var sentTime: ((UInt32) -> HostTime?)?
    /// Whether frames are shown with Present and are therefore reported. Becomes true when the first frame is reported.
    private(set) var reportsFrames = false
    /// When a frame was last sent or reported.
    private var activeAt = HostTime.now()
    /// How long to wait for a report before it counts as lost. Servers report a frame within a second, even if the
    /// window is not visible.
    private static let longestSilence = Duration.seconds(3)
    private var reports: [DisplayReport] = []
    /// The maximum number of reports kept for `takeReports`, and of entries in `unreported`.
    private static let reportLimit = 256

    /// Starts listening to the window's Present events. Nil if the server lacks the extension.
    ///
    /// - Parameter window: The window's ID, which the server must already know.
    init?(window: UInt32, on connection: XConnection) {
        guard connection.extensions.present_major >= 1 else { return nil }
        let id = xcb_generate_id(connection.raw)
        // The queue must exist before the request. Otherwise the first events would go to the general queue.
        guard let events = glissade_xcb_present_events(connection.raw, id) else { return nil }
        (self.connection, self.window, eventID, self.events) = (connection, window, id, events)
        xcb_present_select_input(connection.raw, id, window, XCB_PRESENT_EVENT_MASK_COMPLETE_NOTIFY.rawValue)
        xcb_flush(connection.raw)
    }

    deinit {
        xcb_unregister_for_special_event(connection.raw, events)
        // If the window is gone, this request fails, and the error is ignored.
        xcb_present_select_input(connection.raw, eventID, window, XCB_PRESENT_EVENT_MASK_NO_EVENT.rawValue)
        xcb_flush(connection.raw)
    }

    /// Requests a report for each of `count` refreshes.
    ///
    /// - Parameter last: The count of a recent refresh. Reports are requested for the refreshes that follow. If nil,
    ///   only one report is requested.
    func request(_ count: Int, after last: Int64?) {
        let first = last.map { UInt64(clamping: $0) &+ 1 } ?? 0
        for step in 0..<UInt64(last == nil ? 1 : count) {
            xcb_present_notify_msc(connection.raw, window, 0, first &+ step, 0, 0)
        }
        xcb_flush(connection.raw)
    }

    /// Records that a frame was sent at `time`.
    func didSendFrame(at time: HostTime) {
        activeAt = .now()
        // If the driver does not use Present, frames are never reported, so the list would grow without limit.
        if unreported.count >= Self.reportLimit { unreported.removeFirst() }
        // Records no send time for a frame that has to wait for another: its report does not tell whether it was sent
        // early.
        unreported.append(unreported.isEmpty ? time : nil)
    }

    /// Stops waiting for lost reports, which would keep the window from ever being drawn again. For example, some
    /// drivers drop the frames queued for a screen that is switched off.
    func forgetLostFrames(at now: HostTime) {
        if now - activeAt > Self.longestSilence { unreported.removeAll(keepingCapacity: true) }
    }

    /// Appends to `taken` the reports since the last call.
    func takeReports(into taken: inout [DisplayReport]) {
        poll()
        taken += reports
        reports.removeAll(keepingCapacity: true)
    }

    /// Reads the server's reports without waiting.
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
