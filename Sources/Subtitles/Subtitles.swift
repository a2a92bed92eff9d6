public import Geometry
public import Media
public import Picture
import Synchronization
public import Time

/// Shows a film's subtitles: those that come with it, or those of a file beside it.
///
/// Main thread, but for what `Player` calls. Lines are set ahead of their time on a thread of low priority, by libass, which
/// is loaded when there is first something to set; the frame loop asks before each frame and is never held up. Where it
/// asked for something that was not ready (after a seek, or in another size), `wake` is called, from the thread, once it
/// is.
///
/// While a file is open, it is shown instead of what comes with the media.
@MainActor public final class Subtitles {
    /// How it stands with the file that was asked for.
    public enum FileState: Hashable, Sendable {
        case none
        case loading
        case ready
        /// It cannot be read, or holds no subtitles; what was shown before stays: another file, or the media's own. That
        /// it failed is told here alone.
        case failed(PlaybackError)
    }

    /// What is to be done about what is on the screen.
    public enum Change: Hashable, Sendable {
        case unchanged
        /// Nothing is to be seen.
        case clear
        /// `picture` is to be seen and nothing else, in `place`: device pixels, from the upper left corner of the film's
        /// picture; never outside of it.
        case show(_ picture: Bitmap, in: PixelRect)
    }

    /// Later by so much; negative is earlier.
    public var delay = Duration.zero
    /// Where the media begins on its own time line (`MediaInfo.startTime`): files count from there.
    public var mediaStart = MediaTime.zero
    /// The size of text, 0.25…4; 1 is a twentieth of the picture's height.
    public var scale = 1.0 {
        didSet { place { $0.scale = min(4, max(0.25, scale.isNaN ? 1 : scale)) } }
    }

    nonisolated let stage: SubtitlePipeline
    nonisolated let reader = Mutex<SubtitleStreamReader?>(nil)
    /// What was given out last.
    private var shown: SubtitleSlide?
    private var placement = SubtitlePlacement()

    /// - Parameters:
    ///   - wake: makes the frame loop call `update`; called from any thread.
    ///   - report: told what goes wrong; called from any thread.
    public init(
        wake: @escaping @Sendable () -> Void, report: @escaping @Sendable (PlaybackProblem) -> Void = { _ in }
    ) {
        stage = SubtitlePipeline(wake: wake, report: report)
    }

    deinit { stage.end() }

    // MARK: - Files

    /// Reads a file of subtitles (SubRip, SubStation Alpha, WebVTT, MicroDVD, PGS… whatever FFmpeg reads), a path or a
    /// file's address, in the background. How it went is told in `file`.
    public func open(_ location: String) { stage.open(location) }

    /// Closes the file that is open or being read: what comes with the media is shown again.
    public func closeFile() { stage.closeFile() }

    /// The state of the file that was opened last.
    public var file: FileState { stage.state.withLock { $0.file } }

    /// How many of its lines are left out, because they take too long to draw.
    public var leftOutCount: Int { stage.state.withLock { $0.leftOutCount } }

    /// Whether there is anything that could be shown: a stream is selected, or a file open.
    public var isActive: Bool { stage.state.withLock { $0.source != nil } }

    // MARK: - Pictures

    /// Says where lines are to be shown: to be called when the film's picture changes its size, and when controls come or
    /// go. Costs nothing where all is as it was.
    ///
    /// - Parameters:
    ///   - size: of the film's picture on the screen, in device pixels; each side at most 16,384.
    ///   - videoSize: of the picture as it is stored, which some scripts' effects are about.
    ///   - bottomMargin: what is kept clear at the picture's lower edge, in device pixels. Signs that a script puts at a
    ///     place of its own stay there.
    ///   - frameRate: the film's; lines that move do so at most so often.
    public func prepare(
        size: PixelSize, videoSize: PixelSize? = nil, bottomMargin: Int = 0, frameRate: Double? = nil
    ) {
        place { placement in
            let fits = !size.isEmpty && max(size.width, size.height) <= 16384
            placement.size = fits ? size : PixelSize(width: 0, height: 0)
            placement.videoSize = videoSize.flatMap { $0.isEmpty ? nil : $0 }
            placement.bottomMargin = max(0, min(bottomMargin, size.height))
            let rate = frameRate.flatMap { $0.isFinite && $0 > 0 ? $0 : nil } ?? 24
            placement.tick = Int64(1e9 / min(60, max(1, rate)))
        }
    }

    private func place(_ change: (inout SubtitlePlacement) -> Void) {
        var placement = placement
        change(&placement)
        guard placement != self.placement else { return }
        self.placement = placement
        stage.state.update { state in
            state.placement = placement
            state.slides.removeAll()
        }
    }

    /// What is to be done so that the screen shows what belongs to `time`, the presentation time of the frame that will be
    /// seen. Neither waits nor allocates.
    ///
    /// What is not ready is not shown; what is on show stays only while the same lines are due.
    public func update(at time: MediaTime) -> Change {
        let (slide, source, hasWork, time) = stage.state.withLock { state in
            let time = self.time(of: time, in: state)
            guard let source = state.source else { return (nil as SubtitleSlide?, 0, false, time) }
            let found = state.slides.slide(at: time)
            return (found.slide, source.id, found.hasWork, time)
        }
        if hasWork { stage.state.update { _ in } }
        let before = shown
        guard let slide else {
            // In another size, or as the next picture of lines that move, it comes in a moment.
            if let before, source == shownSource, before.from <= time, time < before.momentUntil { return .unchanged }
            shown = nil
            return before?.image == nil ? .unchanged : .clear
        }
        shown = slide
        let isSame = before.map { $0.number == slide.number && ($0.number == 0 || source == shownSource) } ?? false
        shownSource = source
        guard let image = slide.image else { return before?.image == nil ? .unchanged : .clear }
        return isSame ? .unchanged : .show(image.bitmap, in: image.rect)
    }

    private var shownSource = 0

    /// What is on the screen was lost: the next `update` gives it again.
    public func forget() { shown = nil }

    // MARK: - Text

    /// The lines at `time`, and those before and after it, as text.
    public func lines(around time: MediaTime) -> SubtitleLines {
        stage.state.withLock { state in
            state.source?.timeline.lines(around: self.time(of: time, in: state)) ?? SubtitleLines()
        }
    }

    /// When lines begin or end next after `time`; nil where nobody knows of any.
    public func nextChange(after time: MediaTime) -> MediaTime? {
        stage.state.withLock { state in
            guard let source = state.source else { return nil }
            let here = self.time(of: time, in: state)
            let until = source.timeline.moment(at: here).until
            guard until != .max else { return nil }
            return time + .nanoseconds(until.subtractingClamped(here))
        }
    }

    /// A time of the media's on the time line of what is shown, in nanoseconds, within what events may have.
    private func time(of time: MediaTime, in state: SubtitlePipeline.State) -> Int64 {
        let start = state.external != nil ? mediaStart.nanoseconds : 0
        let shifted = time.nanoseconds.subtractingClamped(delay.nanoseconds).subtractingClamped(start)
        return shifted.clamped(to: PacketTimeline.farthest)
    }
}
