public import GlissadeGeometry
public import GlissadeMedia
public import GlissadePicture
import Synchronization
public import GlissadeTime

/// Shows a film's subtitles, from an embedded track or a subtitle file. An open file takes precedence over the track.
///
/// Main thread, except for calls from `Player`. A low-priority thread renders lines ahead of time with libass, which is
/// loaded when first needed. The frame loop calls `update` before each frame. `update` never waits for rendering. If a
/// picture is not ready, as after a seek or at a new size, `wake` is called once the picture is ready.
@MainActor public final class Subtitles {
    /// The state of the file that was last opened.
    public enum FileState: Hashable, Sendable {
        case none
        case loading
        case ready
        /// The file cannot be read, or contains no subtitles. The previous subtitles stay. The error is not passed to
        /// `report`.
        case failed(PlaybackError)
    }

    /// What to do with the subtitle picture on screen: keep it, remove it or replace it.
    public enum Change: Hashable, Sendable {
        case unchanged
        /// Show no picture.
        case clear
        /// Show only `picture`, in the given rectangle. The rectangle is in device pixels from the top left of the
        /// video, and is always inside the video.
        case show(_ picture: Bitmap, in: PixelRect)
    }

    /// How much later subtitles are shown than their timestamps say. A negative delay shows them earlier.
    public var delay = Duration.zero
    /// The media's start time (`MediaInfo.startTime`). The times in a subtitle file are relative to this time.
    public var mediaStart = MediaTime.zero
    /// The film's frame rate, in frames per second, for files that count frames instead of time, and do not say how many
    /// there are in a second; nil if unknown. Set this before opening a file.
    public var frameRate: Double? {
        get { pipeline.state.withLock { $0.frameRate } }
        set { pipeline.state.withLock { $0.frameRate = newValue.flatMap { $0.isFinite && $0 > 0 ? $0 : nil } } }
    }
    /// The film's matrix (`MediaInfo.colorMatrix`). The colors of scripts that name another one are changed as VSFilter
    /// would. If nil, all colors are shown as they are.
    public var filmMatrix: ColorMatrix? {
        didSet { place { $0.filmMatrix = filmMatrix } }
    }
    /// The text size as a multiple of the normal size. A value outside 0.25…4 counts as the nearest value in this
    /// range; NaN counts as 1.
    public var scale = 1.0 {
        didSet { place { $0.scale = min(4, max(0.25, scale.isNaN ? 1 : scale)) } }
    }

    /// The encoding of text that is not Unicode. If nil, which is the default, the encoding is found out from the text,
    /// the language of the file's name or track, and the user's locale.
    ///
    /// A change applies to files that are opened, and to tracks that are selected, afterwards.
    public var encoding: SubtitleEncoding? {
        get { pipeline.encoding }
        set { pipeline.state.withLock { $0.encoding = newValue } }
    }

    nonisolated let pipeline: SubtitlePipeline
    nonisolated let reader = Mutex<SubtitleStreamReader?>(nil)
    /// The slide that is on screen; nil if there is no slide.
    private var shown: SubtitleSlide?
    private var placement = SubtitlePlacement()

    /// Creates an object that shows no subtitles yet.
    ///
    /// - Parameters:
    ///   - wake: Called on any thread when the frame loop should call `update` again.
    ///   - report: Called with each problem, on any thread.
    public init(
        wake: @escaping @Sendable () -> Void, report: @escaping @Sendable (PlaybackProblem) -> Void = { _ in }
    ) {
        pipeline = SubtitlePipeline(wake: wake, report: report)
    }

    deinit { pipeline.end() }

    // MARK: - Files

    /// The extensions of subtitle files, in lower case, without the dot. A file with another extension may be opened,
    /// too.
    public nonisolated static let fileExtensions: Set<String> = [
        "aqt", "ass", "dfxp", "idx", "jss", "lrc", "mcc", "mks", "mpl", "mpl2", "pjs", "rt", "sami", "scc", "smi",
        "srt", "ssa", "stl", "sub", "sup", "ttml", "vtt",
    ]

    /// Reads a subtitle file in the background, and then shows it. The state is in `file`. `wake` is called when the
    /// state changes to `ready` or `failed`.
    ///
    /// The format is SubRip, SubStation Alpha, WebVTT, TTML, MicroDVD, PGS, VobSub or another one in
    /// `MediaFormats.ofSubtitles`.
    ///
    /// - Parameters:
    ///   - location: A path or a `file:` URL.
    ///   - track: The index of the track to show (`MediaInfo.Track.index`), for a file with several; nil to show the best
    ///     one.
    public func open(_ location: String, track: Int? = nil) { pipeline.open(location, track: track) }

    /// The tracks of the file that is shown, and the `index` of the one that is. There are none for files that can have
    /// only one, or if no file has been read.
    public var fileTracks: (all: [MediaInfo.Track], selected: Int?) {
        pipeline.state.withLock { state in
            let tracks = state.external?.tracks ?? SubtitleSource.Tracks()
            return (tracks.all, tracks.selected)
        }
    }

    /// Closes the open file, and stops reading a file that is still loading. The embedded track is shown again.
    public func closeFile() { pipeline.closeFile() }

    /// The state of the current subtitle file; `.none` if no file has been opened, or if it has been closed.
    public var file: FileState { pipeline.state.withLock { $0.file } }

    /// The number of lines in the last rendered file or track that are skipped because each takes too long to render.
    public var leftOutCount: Int { pipeline.state.withLock { $0.leftOutCount } }

    /// Whether there are subtitles to show: a playable track is selected, or a file has been read.
    public var isActive: Bool { pipeline.state.withLock { $0.source != nil } }

    // MARK: - Rendering

    /// Sets the size and placement of subtitles. Cheap if nothing has changed.
    ///
    /// Call this when the video's size changes, or when controls appear or disappear.
    ///
    /// - Parameters:
    ///   - size: The video's size on screen, in device pixels. Nothing is rendered if a side is 0 or more than 16,384.
    ///   - videoSize: The coded size of the video; nil if unknown. Some script effects and the placement of pictures
    ///     depend on it.
    ///   - bottomMargin: The height to keep clear at the bottom of the video, in device pixels. Lines that a script
    ///     positions explicitly do not move.
    ///   - frameRate: The film's frame rate, in frames per second. Animated lines are rendered at this rate, clamped to
    ///     1…60. If nil, they are rendered at 24 frames per second.
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
        pipeline.state.update { state in
            state.placement = placement
            state.renderCache.removeAll()
        }
    }

    /// Returns the change to make to the picture on screen for the next frame, which is presented at `time`.
    ///
    /// Neither waits for rendering nor allocates. Until the picture for `time` is ready, the previous picture stays on
    /// screen if it shows the same lines. Otherwise, no picture is shown.
    public func update(at time: MediaTime) -> Change {
        let (slide, source, hasWork, time) = pipeline.state.withLock { state in
            let time = self.time(of: time, in: state)
            guard let source = state.source else { return (nil as SubtitleSlide?, 0, false, time) }
            let found = state.renderCache.slide(at: time)
            return (found.slide, source.id, found.hasWork, time)
        }
        if hasWork { pipeline.state.update { _ in } }
        let before = shown
        guard let slide else {
            // The same lines at a new size, or in the next step of an animation, will be ready soon.
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

    /// Forgets the picture on screen, so that the next `update` returns the current picture even if it was returned
    /// before. Call this when the screen's contents have been lost.
    public func forget() { shown = nil }

    // MARK: - Text

    /// Returns the text of the lines shown at `time`, and of the previous and next lines.
    public func lines(around time: MediaTime) -> SubtitleLines {
        pipeline.state.withLock { state in
            state.source?.timeline.lines(around: self.time(of: time, in: state)) ?? SubtitleLines()
        }
    }

    /// Returns the next time after `time` at which a subtitle starts or ends; nil if no such time is known.
    public func nextChange(after time: MediaTime) -> MediaTime? {
        pipeline.state.withLock { state in
            guard let source = state.source else { return nil }
            let here = self.time(of: time, in: state)
            let until = source.timeline.moment(at: here).until
            guard until != .max else { return nil }
            return time + .nanoseconds(until.subtractingClamped(here))
        }
    }

    /// Converts a media time to a time on the timeline of the shown source, in nanoseconds, clamped to
    /// ±`PacketTimeline.farthest`.
    private func time(of time: MediaTime, in state: SubtitlePipeline.State) -> Int64 {
        let start = state.external != nil ? mediaStart.nanoseconds : 0
        let shifted = time.nanoseconds.subtractingClamped(delay.nanoseconds).subtractingClamped(start)
        return shifted.clamped(to: PacketTimeline.farthest)
    }
}
