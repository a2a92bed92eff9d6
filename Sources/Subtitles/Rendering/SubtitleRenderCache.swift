import GlissadeTime

/// A span of time in which the subtitles look the same, and the picture to show.
struct SubtitleSlide: Sendable {
    /// When the slide is shown, from `from` until just before `until`, in nanoseconds on the source's timeline.
    var from: Int64
    var until: Int64
    /// The time at which the set of visible lines changes, in nanoseconds. For animated lines, this time may be later
    /// than `until`.
    var momentUntil: Int64
    /// The picture to show; nil if nothing is visible.
    var image: SubtitleImage?
    /// A number that identifies the picture; 0 if nothing is visible.
    var number: Int

    func contains(_ time: Int64) -> Bool { from <= time && time < until }
}

/// The slides that are ready, from the current position on, and the rules for what to render next. A value, protected
/// by the lock of `SubtitlePipeline`.
struct SubtitleRenderCache: Sendable {
    /// A request to render a picture of the subtitles from `time` until just before `until`, in nanoseconds.
    struct Job: Sendable {
        var time: Int64
        var until: Int64
        var moment: SubtitleTimeline.Moment
    }

    private(set) var slides: [SubtitleSlide] = []
    /// The last position that the frame loop requested, in nanoseconds on the source's timeline; nil before the first
    /// request.
    private(set) var position: Int64?
    /// Whether no slide was ready for `position`. If so, the frame loop must be woken once such a slide is ready.
    private(set) var isStarved = false
    /// The job in progress; nil if there is no job or its result is no longer wanted.
    private var making: Job?

    /// The number of pictures to keep ready, including the visible one: `stillPictures`, or `movingPictures` for
    /// animated lines.
    private static let stillPictures = 2
    private static let movingPictures = 8
    /// The total size of rendered pictures, in bytes, above which no more are rendered ahead. The visible and the next
    /// picture are rendered regardless.
    private static let mostBytes = 48 << 20
    /// The maximum number of slides to prepare ahead, including slides without a picture.
    static let mostSlides = 16

    /// Makes `time` the current position. Returns the slide for that position, or nil if the slide is not ready. Also
    /// returns whether there may be something to render.
    mutating func slide(at time: Int64) -> (slide: SubtitleSlide?, hasWork: Bool) {
        let previous = position
        position = time
        guard let index = slides.firstIndex(where: { $0.contains(time) }) else {
            isStarved = true
            return (nil, true)
        }
        isStarved = false
        let hasMoved = previous.map { !slides[index].contains($0) } ?? true
        return (slides[index], hasMoved)
    }

    /// Removes all slides, and discards the result of the job in progress.
    mutating func removeAll() {
        slides.removeAll()
        making = nil
        if position != nil { isStarved = true }
    }

    /// Invalidates the time from `start` until just before `end`, in which the subtitles have changed. Removes the
    /// slides that start in this time. If the job in progress starts in this time, its result will be discarded.
    /// Earlier slides and an earlier job are cut so that they end no later than `start`.
    mutating func invalidate(from start: Int64, until end: Int64) {
        slides.removeAll { $0.from >= start && $0.from < end }
        for index in slides.indices where slides[index].from < start {
            slides[index].until = min(slides[index].until, start)
            slides[index].momentUntil = min(slides[index].momentUntil, start)
        }
        if let job = making {
            if start > job.time {
                making?.until = min(job.until, start)
                making?.moment.until = min(job.moment.until, start)
            } else if end > job.time {
                making = nil
            }
        }
        if let position, !slides.contains(where: { $0.contains(position) }) { isStarved = true }
    }

    /// Returns the next picture to render; nil if enough slides are ready. Adds slides without a picture where no
    /// subtitles are shown. Removes slides before the current position, and slides after a gap.
    mutating func nextJob(_ timeline: SubtitleTimeline, tick: Int64) -> Job? {
        guard let position else { return nil }
        var time = position
        var kept: [SubtitleSlide] = []
        var (pictures, bytes, isMoving) = (0, 0, false)
        defer { slides = kept }
        while true {
            if let slide = slides.first(where: { $0.contains(time) }) {
                kept.append(slide)
                time = slide.until
                if let image = slide.image {
                    pictures += 1
                    bytes += image.bitmap.pixels.count
                }
                isMoving = slide.momentUntil > slide.until
                let isEnough =
                    pictures >= (isMoving ? Self.movingPictures : Self.stillPictures) || kept.count >= Self.mostSlides
                if time == .max || isEnough || pictures > 1 && bytes > Self.mostBytes { return nil }
                continue
            }
            let moment = timeline.moment(at: time)
            if moment.events.isEmpty {
                let slide = SubtitleSlide(
                    from: time, until: moment.until, momentUntil: moment.until, image: nil, number: 0)
                slides.append(slide)
                continue
            }
            let job = Job(time: time, until: Self.end(of: moment, at: time, tick), moment: moment)
            making = job
            return job
        }
    }

    private static func end(of moment: SubtitleTimeline.Moment, at time: Int64, _ tick: Int64) -> Int64 {
        let isAnimated = moment.events.contains { event in
            if case .line(let line) = event.content { line.isAnimated } else { false }
        }
        guard isAnimated, tick > 0 else { return moment.until }
        let number = time / tick - (time % tick < 0 ? 1 : 0)
        return min(moment.until, (number + 1).multipliedClamped(by: tick))
    }

    /// Adds the result of the last job, unless that result is no longer wanted. Returns whether the frame loop is
    /// waiting for it.
    mutating func add(_ image: SubtitleImage?, number: Int) -> Bool {
        guard let job = making else { return false }
        making = nil
        slides.append(
            SubtitleSlide(
                from: job.time, until: job.until, momentUntil: job.moment.until, image: image, number: number))
        return settle()
    }

    /// Returns whether the slide that the frame loop is waiting for is ready. If so, the wait ends, and the next call
    /// returns false.
    mutating func settle() -> Bool {
        guard isStarved, let position, slides.contains(where: { $0.contains(position) }) else { return false }
        isStarved = false
        return true
    }
}
