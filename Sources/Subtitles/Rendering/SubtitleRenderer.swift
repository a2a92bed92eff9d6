import Media
import Platform
import Time

/// Makes pictures of lines, on the subtitle thread; what it needs for them is kept from one to the next.
struct SubtitleRenderer: ~Copyable {
    private let report: @Sendable (PlaybackProblem) -> Void
    /// How long this thread has worked.
    private let workTime: () -> Duration
    private var slow = SlowLines()
    /// Whether the renderer has drawn: it looks for fonts, and asks them, in its first drawing.
    private var hasDrawn = false
    private var renderer: AssRenderer?
    private var source: SubtitleSource?
    private var placement = SubtitlePlacement()
    /// Whether the renderer has yet to be told of the source or the placement.
    private var isOutdated = true
    private var lastNumber = 0
    /// What libass drew last.
    private var last: Made?

    /// A picture, or none, and its number.
    struct Made {
        var image: SubtitleImage?
        var number: Int
    }

    /// Lines of the source that are left out, because they take too long to draw.
    var leftOutCount: Int { slow.leftOut.count }

    init(
        report: @escaping @Sendable (PlaybackProblem) -> Void,
        workTime: @escaping () -> Duration = { ThreadCPUClock.current.cpuTime ?? .zero }
    ) {
        self.report = report
        self.workTime = workTime
    }

    /// What the next pictures are of.
    mutating func set(_ source: SubtitleSource, for placement: SubtitlePlacement) {
        if self.source?.id != source.id {
            // Fonts belong to the library: it begins anew where there are any.
            if self.source?.fonts.isEmpty != true || !source.fonts.isEmpty { renderer = nil }
            isOutdated = true
            slow = SlowLines()
        }
        if self.placement != placement { isOutdated = true }
        self.source = source
        self.placement = placement
    }

    /// The picture of events at a time, in nanoseconds.
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

    /// Finds out which of the lines that were drawn together have taken so long, so that they are left out.
    private mutating func blame(_ events: [SubtitleEvent], at time: Int64, _ cost: Duration) {
        let before = slow.leftOut.count
        // What looking for fonts takes is no line's.
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
