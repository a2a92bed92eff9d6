import Motion

/// Makes pictures of lines, on the subtitle thread; what it needs for them is kept from one to the next.
struct SubtitleSetter: ~Copyable {
    private let report: @Sendable (PlaybackProblem) -> Void
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

    init(report: @escaping @Sendable (PlaybackProblem) -> Void) { self.report = report }

    /// What the next pictures are of.
    mutating func set(_ source: SubtitleSource, for placement: SubtitlePlacement) {
        if self.source?.id != source.id {
            // Fonts belong to the library: it begins anew where there are any.
            if self.source?.fonts.isEmpty != true || !source.fonts.isEmpty { renderer = nil }
            isOutdated = true
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
        guard let drawing = renderer?.draw(events, at: time) else { return Made(image: nil, number: 0) }
        if !drawing.isChanged, let last { return last }
        let made = numbered(AssImages.composed(drawing.images))
        last = made
        return made
    }
}
