import GlissadeMedia
import GlissadePlatform
import GlissadeTime

/// Renders subtitle pictures. Reuses the libass renderer for subsequent pictures. Confined to the subtitle thread.
struct SubtitleRenderer: ~Copyable {
    private let report: @Sendable (PlaybackProblem) -> Void
    /// Returns the CPU time that the calling thread has used.
    private let workTime: () -> Duration
    private var slow = SlowLines()
    /// Whether `renderer` has already rendered a picture. The first rendering also searches for fonts.
    private var hasDrawn = false
    private var renderer: AssRenderer?
    private var source: SubtitleSource?
    private var placement = SubtitlePlacement()
    /// Whether `renderer` must be reconfigured for a new source or placement.
    private var isOutdated = true
    private var lastNumber = 0
    /// The result of libass's last rendering; nil if it must not be reused.
    private var last: Made?

    /// A rendered picture. `number` identifies `image`; `number` is 0 if `image` is nil.
    struct Made {
        var image: SubtitleImage?
        var number: Int
    }

    /// The number of lines in the source that are skipped because each takes too long to render.
    var leftOutCount: Int { slow.leftOut.count }

    init(
        report: @escaping @Sendable (PlaybackProblem) -> Void,
        workTime: @escaping () -> Duration = { ThreadCPUClock.current.cpuTime ?? .zero }
    ) {
        self.report = report
        self.workTime = workTime
    }

    mutating func set(_ source: SubtitleSource, for placement: SubtitlePlacement) {
        if self.source?.id != source.id {
            // Fonts belong to the libass library object, which must be recreated for other fonts.
            if self.source?.fonts.isEmpty != true || !source.fonts.isEmpty { renderer = nil }
            isOutdated = true
            slow = SlowLines()
        }
        if self.placement != placement { isOutdated = true }
        self.source = source
        self.placement = placement
    }

    /// Renders `events` as they appear at `time`, which is in nanoseconds on the source's timeline.
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
        if !drawing.isChanged, let last {
            made = last
        } else {
            made = numbered(AssImages.composed(drawing.images, drawing.correction))
        }
        last = made
        let cost = workTime() - before
        if slow.note(cost) { blame(drawn, at: time, cost) }
        hasDrawn = true
        return made
    }

    /// Finds the slow lines among `events`, and skips them from now on. Rendering all `events` together took the CPU
    /// time `cost`.
    private mutating func blame(_ events: [SubtitleEvent], at time: Int64, _ cost: Duration) {
        let before = slow.leftOut.count
        // In the first rendering, the time may have been spent on searching for fonts.
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
