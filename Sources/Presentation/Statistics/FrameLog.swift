import Histogram
import Platform
public import Time

/// Takes down what each frame cost and when it was seen, for reports.
///
/// Main thread. Takes no memory per frame once made, unless each frame is asked for.
public final class FrameLog {
    /// One video frame that was shown.
    public struct Row: Sendable {
        /// When its swap returned.
        public var visible: HostTime
        /// When it was due; nil for the first frame after a seek, which is due when it is there.
        public var due: HostTime?
        /// Its time in the media.
        public var presentationTime: MediaTime
    }

    /// Milliseconds, kept as microseconds, with three significant digits up to 100 s.
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
    private(set) var resolutions = Times()
    private(set) var uploads = Times()
    private(set) var compositions = Times()
    private(set) var rounds = Times()
    /// Pictures that were resolved on the frame loop.
    private(set) var resolutionCount = 0
    private(set) var draws = Times()
    private(set) var swaps = Times()
    private(set) var audioOffsets = Times()
    private(set) var floatingIntervals = Times()
    private(set) var floatingDraws = Times()
    private(set) var floatingSwaps = Times()
    /// Frames that went on screen in windows beside the main one.
    public private(set) var floatingCount = 0
    /// Frames that were brought to the GPU, each once, however many windows showed it.
    public private(set) var uploadCount = 0
    /// How often a frame that was there already was made anew, for another size or brightness, where the CPU draws.
    public private(set) var resizeCount = 0
    /// Grows with each interruption.
    private(set) var stretch = 0
    /// Frames that went on screen, with a new picture in them or not.
    public private(set) var presentCount = 0
    /// Video frames that were shown, each once.
    public private(set) var shownCount = 0
    /// Of those, the ones that stayed too long.
    public private(set) var repeatedCount = 0
    /// The last frames, while they are asked for.
    public private(set) var recent: RecentFrames?
    private(set) var firstFrame: HostTime?
    /// The frames shown so far, if the log keeps them; otherwise empty.
    public private(set) var rows: [Row] = []

    private let keepsRows: Bool
    private var lastPresent: HostTime?
    private var lastShown: (visible: HostTime, due: HostTime)?

    /// - Parameter keepsRows: whether each video frame shown is remembered.
    public init(keepsRows: Bool = false) { self.keepsRows = keepsRows }

    /// Whether the last frames are kept; they are forgotten when it ends.
    public var keepsRecent: Bool {
        get { recent != nil }
        set { if newValue != keepsRecent { recent = newValue ? RecentFrames() : nil } }
    }

    /// What was drawn until now is no measure for what comes: a pause, a seek, a window put away.
    public func interrupt() {
        lastPresent = nil
        lastShown = nil
        stretch &+= 1
    }

    /// A picture was taken that has cost so much before; nil where that was not measured.
    public func recordTaken(decode: Duration?, prepare: Duration?) {
        if let decode { decodes.record(decode) }
        if let prepare { preparations.record(prepare) }
    }

    /// A picture was resolved to RGB on the frame loop.
    public func recordResolution(_ duration: Duration) {
        resolutionCount += 1
        resolutions.record(duration)
    }

    /// A frame was brought to the GPU.
    ///
    /// - Parameter isAgain: it was there already, in another size.
    public func recordUpload(_ duration: Duration, isAgain: Bool = false) {
        if isAgain { resizeCount += 1 } else { uploadCount += 1 }
        uploads.record(duration)
        recent?.record(upload: duration)
    }

    /// Records the distance of a frame on screen from what is heard, in either direction.
    public func recordAudioOffset(_ offset: Duration) { audioOffsets.record(offset < .zero ? .zero - offset : offset) }

    /// A swap has returned.
    ///
    /// - Parameters:
    ///   - compose: what it took to place everything and list what is to be drawn; nil where nobody measured.
    ///   - bring: what it took to take the video's frame and bring it where it is drawn from.
    public func recordPresent(
        compose: Duration? = nil, bring: Duration = .zero, draw: Duration, swap: Duration, at time: HostTime
    ) {
        presentCount += 1
        if let compose {
            compositions.record(compose)
            rounds.record(compose + bring + draw + swap)
        }
        draws.record(draw)
        swaps.record(swap)
        let interval = lastPresent.map { time - $0 }
        if let interval { intervals.record(interval) }
        recent?.record(draw: draw, swap: swap, interval: interval, at: time)
        lastPresent = time
    }

    /// A swap of a window beside the main one has returned, `interval` after the one before in the same window.
    public func recordFloatingPresent(draw: Duration, swap: Duration, interval: Duration?) {
        floatingCount += 1
        floatingDraws.record(draw)
        floatingSwaps.record(swap)
        if let interval { floatingIntervals.record(interval) }
    }

    /// A new video frame was in that swap.
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
