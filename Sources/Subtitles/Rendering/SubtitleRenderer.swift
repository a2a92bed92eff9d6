import Media
import Platform
import Time

/// Renders subtitles, keeping its state between pictures. Confined to the subtitle thread.
struct SubtitleRenderer: ~Copyable {
    private let report: @Sendable (PlaybackProblem) -> Void
    /// This thread's CPU time so far.
    private let workTime: () -> Duration
    private var slow = SlowLines()
    /// Whether libass has rendered before: its first rendering also searches for fonts.
    private var hasDrawn = false
    private var renderer: AssRenderer?
    private var source: SubtitleSource?
    private var placement = SubtitlePlacement()
    /// Whether the renderer has to be configured for a new source or placement.
    private var isOutdated = true
    private var lastNumber = 0
    /// libass's last result.
    private var last: Made?

    /// A picture, or nil, with its number.
    struct Made {
        var image: SubtitleImage?
        var number: Int
    }

    /// The number of the source's lines skipped because they take too long to render.
    var leftOutCount: Int { slow.leftOut.count }

    init(
        report: @escaping @Sendable (PlaybackProblem) -> Void,
        workTime: @escaping () -> Duration = { ThreadCPUClock.current.cpuTime ?? .zero }
    ) {
        self.report = report
        self.workTime = workTime
    }

    /// Sets the source and placement of the next pictures.
    mutating func set(_ source: SubtitleSource, for placement: SubtitlePlacement) {
        if self.source?.id != source.id {
            // Fonts belong to the libass library, which must be recreated for different ones.
            if self.source?.fonts.isEmpty != true || !source.fonts.isEmpty { renderer = nil }
            isOutdated = true
            slow = SlowLines()
        }
        if self.placement != placement { isOutdated = true }
        self.source = source
        self.placement = placement
    }

    /// Renders the picture of `events` at a time in nanoseconds.
    mutating func picture(of events: [SubtitleEvent], at time: Int64) -> Made {
        let pictures = events.compactMap { event in
            if case .picture(let picture) = event.content { picture } else { nil }
        }
        if pictures.isEmpty { return lines(events, time) }
        last = nil
        return numbered(SubtitleImage(pictures, for: placement))
    }

    private mutating func numbered(_ image: SubtitleImage?) -> Made {
        guard let image else { return Made(image: nil, number: 0) }
        lastNumber += 1
        return Made(image: image, number: lastNumber)
    }

    private mutating func lines(_ events: [SubtitleEvent], _ time: Int64) -> Made {
        guard let source else { return Made(image: nil, number: 0) }
        if renderer == nil {
            renderer = AssRenderer(fonts: source.fonts)
            isOutdated = true
            hasDrawn = false
        }
        if renderer == nil {
            report(.streamNotPlayable(kind: "subtitles", reason: "libass is not installed"))
            return Made(image: nil, number: 0)
        }
        if isOutdated {
            let header =
                source.isStyled
                ? source.header ?? "" : SubtitleStyle.header(replacing: source.header ?? "", scale: placement.scale)
            renderer?.configure(placement, header: header, isStyled: source.isStyled)
            isOutdated = false
            last = nil
        }
        let drawn = events.filter { !slow.isLeftOut($0) }
        if drawn.isEmpty {
            last = nil
            return Made(image: nil, number: 0)
        }
        let before = workTime()
        guard let drawing = renderer?.draw(drawn, at: time) else { return Made(image: nil, number: 0) }
        let made: Made
        if !drawing.isChanged, let last { made = last } else { made = numbered(AssImages.composed(drawing.images)) }
        last = made
        let cost = workTime() - before
        if slow.note(cost) { blame(drawn, at: time, cost) }
        hasDrawn = true
        return made
    }

    /// Finds out which of the lines that were rendered together took too long, and skips them from now on.
    private mutating func blame(_ events: [SubtitleEvent], at time: Int64, _ cost: Duration) {
        let before = slow.leftOut.count
        // A line is not to blame for the time to search for fonts.
        if hasDrawn, events.count == 1 {
            slow.note(cost, of: events[0])
        } else if hasDrawn {
            for event in events where !slow.isExhausted { measure(event, at: time) }
            renderer?.forget()
            last = nil
        }
        if slow.isExhausted {
            report(.subtitlesLeftOut(isAll: true))
        } else if slow.leftOut.count > before {
            report(.subtitlesLeftOut(isAll: false))
        }
    }

    private mutating func measure(_ event: SubtitleEvent, at time: Int64) {
        renderer?.forget()
        let before = workTime()
        _ = renderer?.draw([event], at: time).map { AssImages.composed($0.images) }
        let cost = workTime() - before
        _ = slow.note(cost)
        slow.note(cost, of: event)
    }
}
