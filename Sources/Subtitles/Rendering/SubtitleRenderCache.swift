import Time

/// A stretch of time in which subtitles look the same, with their picture. A value.
struct SubtitleSlide: Sendable {
    /// Nanoseconds on the source's time line, half open.
    var from: Int64
    var until: Int64
    /// Until when the same lines are shown; later than `until` where they move.
    var momentUntil: Int64
    /// Nil where nothing is to be seen.
    var image: SubtitleImage?
    /// Tells pictures apart; 0 where nothing is to be seen.
    var number: Int

    func contains(_ time: Int64) -> Bool { from <= time && time < until }
}

/// What is ready to be shown around a position, and what is to be made next. A value, under the lock of `SubtitlePipeline`.
struct SubtitleRenderCache: Sendable {
    /// A picture to be made, of what is shown from `time` on.
    struct Job: Sendable {
        var time: Int64
        var until: Int64
        var moment: SubtitleTimeline.Moment
    }

    private(set) var slides: [SubtitleSlide] = []
    /// The position that the frame loop asked about last.
    private(set) var position: Int64?
    /// It asked about a position that nothing was ready for: it is to be woken.
    private(set) var isStarved = false
    /// What is being made; nil once it is no longer wanted.
    private var making: Job?

    /// Besides what is on show, so much is made ahead of its time: of lines that move, a third of a second.
    private static let stillPictures = 2
    private static let movingPictures = 8
    /// Pictures ahead together are no larger than this, the next one excepted.
    private static let mostBytes = 48 << 20
    /// So many stretches of time are known ahead, whatever is seen in them: lines may set to nothing, thousands of them.
    static let mostSlides = 16

    /// The slide for `time`, which is where the frame loop is now; nil where none is ready.
    ///
    /// - Returns: in `hasWork` whether there may be something to make now.
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

    /// Everything has to be made anew.
    mutating func removeAll() {
        slides.removeAll()
        making = nil
        if position != nil { isStarved = true }
    }

    /// Something new is shown between `start` and `end`: what is ready for that time is no longer right.
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

    /// What is to be made next; nil where all is ready. Forgets what is behind, and what no longer follows.
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

    /// Adds what was made of the last job. True where the frame loop waits for it.
    mutating func add(_ image: SubtitleImage?, number: Int) -> Bool {
        guard let job = making else { return false }
        making = nil
        slides.append(
            SubtitleSlide(
                from: job.time, until: job.until, momentUntil: job.moment.until, image: image, number: number))
        return settle()
    }

    /// Whether the frame loop waits for what is ready now; it is told once.
    mutating func settle() -> Bool {
        guard isStarved, let position, slides.contains(where: { $0.contains(position) }) else { return false }
        isStarved = false
        return true
    }
}
