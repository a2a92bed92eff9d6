import Histogram
import GlissadePlatform
public import GlissadeTime

/// Records what each frame cost and when it was shown, for reports.
///
/// Main thread. Allocates nothing per frame, unless it keeps rows.
public final class FrameLog {
    /// A video frame that was shown.
    public struct Row: Sendable {
        /// The best estimate of when the frame became visible.
        public var visible: HostTime
        /// When the frame was due. Nil for the first frame after a seek, which is due as soon as it is ready.
        public var due: HostTime?
        /// The frame's time in the media.
        public var presentationTime: MediaTime
    }

    /// A histogram of durations in microseconds, with three significant digits, up to 100 s.
    struct Times {
        private var histogram = Histogram<UInt32>(lowestDiscernibleValue: 1, highestTrackableValue: 100_000_000)
        private var isEmpty = true

        mutating func record(_ duration: Duration) {
            histogram.record(UInt64(min(max(0, duration.nanoseconds / 1000), 99_999_999)))
            isEmpty = false
        }

        var summary: FrameReport.Times? {
            if isEmpty { return nil }
            func milliseconds(_ percentile: Double) -> Double {
                Double(histogram.valueAtPercentile(percentile)) / 1000
            }
            return FrameReport.Times(
                p50: milliseconds(50), p95: milliseconds(95), p99: milliseconds(99),
                max: Double(histogram.max) / 1000)
        }
    }

    private(set) var lateness = Times()
    private(set) var intervals = Times()
    private(set) var decodes = Times()
    private(set) var preparations = Times()
    private(set) var conversions = Times()
    private(set) var uploads = Times()
    private(set) var compositions = Times()
    private(set) var rounds = Times()
    /// The number of conversions to RGB on the frame loop.
    private(set) var conversionCount = 0
    private(set) var draws = Times()
    private(set) var swaps = Times()
    private(set) var audioOffsets = Times()
    private(set) var floatingIntervals = Times()
    private(set) var floatingDraws = Times()
    private(set) var floatingSwaps = Times()
    /// The number of frames shown in secondary windows.
    public private(set) var floatingCount = 0
    /// The number of video frames uploaded. A frame counts once, no matter how many windows show it.
    public private(set) var uploadCount = 0
    /// The number of repeated uploads, for instance to show the same frame at another size or brightness.
    public private(set) var resizeCount = 0
    /// The number of the current stretch of uninterrupted frames. Each call to `interrupt` adds 1.
    private(set) var stretch = 0
    /// The number of frames shown in the main window, with or without a new video frame.
    public private(set) var presentCount = 0
    /// The number of video frames shown, each counted once.
    public private(set) var shownCount = 0
    /// The number of video frames that stayed on screen longer than intended by more than half a frame's duration.
    public private(set) var repeatedCount = 0
    /// The costs and intervals of the latest frames; nil unless `keepsRecent` is true.
    package private(set) var recent: RecentFrames?
    private(set) var firstFrame: HostTime?
    /// The video frames shown so far if the log keeps rows; otherwise empty.
    public private(set) var rows: [Row] = []

    /// The number of frames of the main window that became visible, according to the display.
    public private(set) var presentedCount = 0
    /// The number of frames of the main window that were replaced before they were visible, according to the display.
    public private(set) var skippedCount = 0
    private(set) var presentedIntervals = Times()
    private var lastPresented: (time: HostTime, stretch: Int)?

    private let keepsRows: Bool
    private var lastPresent: HostTime?
    private var lastShown: (visible: HostTime, due: HostTime)?

    /// - Parameter keepsRows: Whether to keep a row for each video frame shown.
    public init(keepsRows: Bool = false) { self.keepsRows = keepsRows }

    /// Whether the costs and intervals of the latest frames are kept. Setting this to false drops them.
    package var keepsRecent: Bool {
        get { recent != nil }
        set { if newValue != keepsRecent { recent = newValue ? RecentFrames() : nil } }
    }

    /// Starts a new stretch of frames. Call at a pause, at a seek, and while no window is visible, so that no interval
    /// includes the interruption.
    public func interrupt() {
        lastPresent = nil
        lastShown = nil
        stretch &+= 1
    }

    /// Records the costs of decoding and preparing a video frame taken from the queue. A cost that was not measured is
    /// nil.
    public func recordTaken(decode: Duration?, prepare: Duration?) {
        if let decode { decodes.record(decode) }
        if let prepare { preparations.record(prepare) }
    }

    /// Records how long a conversion to RGB on the frame loop took.
    public func recordConversion(_ duration: Duration) {
        conversionCount += 1
        conversions.record(duration)
    }

    /// Records the upload of a video frame.
    ///
    /// - Parameter isAgain: Whether the frame has been uploaded before, for instance at another size or brightness.
    public func recordUpload(_ duration: Duration, isAgain: Bool = false) {
        if isAgain { resizeCount += 1 } else { uploadCount += 1 }
        uploads.record(duration)
        recent?.record(upload: duration)
    }

    /// Records the offset between the frame on screen and the audio being heard. The sign of `offset` is ignored.
    public func recordAudioOffset(_ offset: Duration) { audioOffsets.record(offset < .zero ? .zero - offset : offset) }

    /// Records a frame shown in the main window. `time` is when its swap returned.
    ///
    /// - Parameters:
    ///   - compose: How long it took to lay out the window and to build the display list; nil if not measured.
    ///   - take: How long it took to take, fit and upload the video frame.
    public func recordPresent(
        compose: Duration? = nil, take: Duration = .zero, draw: Duration, swap: Duration, at time: HostTime
    ) {
        presentCount += 1
        if let compose {
            compositions.record(compose)
            rounds.record(compose + take + draw + swap)
        }
        draws.record(draw)
        swaps.record(swap)
        let interval = lastPresent.map { time - $0 }
        if let interval { intervals.record(interval) }
        recent?.record(draw: draw, swap: swap, interval: interval, at: time)
        lastPresent = time
    }

    /// Records the display's report about a frame of the main window.
    func recordPresented(_ report: DisplayReport) {
        guard report.event == .presented else {
            skippedCount += 1
            return
        }
        presentedCount += 1
        if let last = lastPresented, last.stretch == stretch, report.time > last.time {
            presentedIntervals.record(report.time - last.time)
        }
        lastPresented = (report.time, stretch)
    }

    /// Records a frame shown in a secondary window. `interval` is the time since the previous frame of that window; nil
    /// for the first frame of a stretch.
    public func recordFloatingPresent(draw: Duration, swap: Duration, interval: Duration?) {
        floatingCount += 1
        floatingDraws.record(draw)
        floatingSwaps.record(swap)
        if let interval { floatingIntervals.record(interval) }
    }

    /// Records that a new video frame became visible at `time`.
    public func recordShown(presentationTime: MediaTime, due: HostTime?, frameDuration: Duration, at time: HostTime) {
        shownCount += 1
        if firstFrame == nil { firstFrame = time }
        if keepsRows { rows.append(Row(visible: time, due: due, presentationTime: presentationTime)) }
        guard let due else {
            lastShown = nil
            return
        }
        lateness.record(time - due)
        if let last = lastShown, (time - last.visible) - (due - last.due) > frameDuration / 2 { repeatedCount += 1 }
        lastShown = (time, due)
    }
}
