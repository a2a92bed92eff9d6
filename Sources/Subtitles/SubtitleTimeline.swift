/// The events of one stream or file, in the order of their beginnings, each once. A value.
///
/// Bounded in bytes: beyond `byteLimit` some go, at the end that is farther from what came last. What it takes to add one and
/// to look for what is shown hardly grows with the number of events: the frame loop waits for either.
struct SubtitleTimeline: Sendable {
    /// So many events are shown at once, the latest to begin; a screen full of signs has fewer.
    static let mostAtOnce = 64
    /// Among so many events the line before and the line after are looked for.
    private static let farthestLine = 256

    let byteLimit: Int
    private(set) var byteCount = 0
    private var order = SubtitleOrder()
    /// Of what was taken in: packets come again after a seek.
    private var seen: Set<Int> = []

    /// By start; events that begin at once in the order in which they came.
    var events: [SubtitleEvent] { order.all }

    init(byteLimit: Int = 48 << 20) { self.byteLimit = byteLimit }

    /// Takes all of `events` in at once.
    init(_ events: [SubtitleEvent], byteLimit: Int = 48 << 20) {
        self.init(byteLimit: byteLimit)
        // The sort is stable, which the documentation does not promise: the order of arrival is part of the order here.
        let order = events.indices.sorted { (events[$0].start, $0) < (events[$1].start, $1) }
        for index in order { _ = insert(events[index]) }
    }

    /// Adds an event; false where it is there already.
    mutating func insert(_ event: SubtitleEvent) -> Bool {
        var event = event
        guard seen.insert(event.identity).inserted else { return false }
        if event.isPicture {
            cutPictures(at: event.start)
            if let next = order.firstPicture(from: order.firstIndex(after: event.start)) {
                event.end = min(event.end, next.start)
            }
        }
        let index = order.insert(event)
        byteCount += event.byteCount
        let isAtEnd = order.isInFirstHalf(index)
        while byteCount > byteLimit, !order.isEmpty {
            for gone in order.removeSome(fromEnd: isAtEnd) {
                byteCount -= gone.byteCount
                // It may come again, and may stay then.
                seen.remove(gone.identity)
            }
        }
        return true
    }

    /// Pictures that are on show at `time` end there: another comes, or none. False where there is none on show.
    @discardableResult mutating func cutPictures(at time: Int64) -> Bool {
        guard let index = order.lastPicture(shownBefore: time, before: order.firstIndex(after: time)) else {
            return false
        }
        order.setEnd(time, at: index)
        return true
    }

    // MARK: - Looking

    /// What is shown at a time.
    struct Moment: Sendable {
        /// At most `mostAtOnce`, in the order of their beginnings.
        var events: [SubtitleEvent] = []
        /// When the next event begins or one of these ends: until then nothing changes. In nanoseconds.
        var until: Int64 = .max
    }

    func moment(at time: Int64) -> Moment {
        let following = order.firstIndex(after: time)
        let shown = order.events(endingAfter: time, before: following, atMost: Self.mostAtOnce)
        let until = shown.reduce(order[following]?.start ?? .max) { min($0, $1.end) }
        return Moment(events: shown.reversed(), until: until)
    }

    /// The lines shown at `time`, those that began last before them, and those that begin next.
    func lines(around time: Int64) -> SubtitleLines {
        let following = order.firstIndex(after: time)
        // Signs that are drawn may come by the thousand.
        let before = order.events(before: following, count: Self.farthestLine)
        let after = order.events(from: following, count: Self.farthestLine)
        return SubtitleLines(
            previous: Self.nearest(of: before) { $0.end <= time }?.reversed().joined(separator: "\n"),
            current: Self.texts(of: moment(at: time).events)?.joined(separator: "\n"),
            next: Self.nearest(of: after) { _ in true }?.joined(separator: "\n"))
    }

    /// The texts of those that begin together, of the first of `events` that have any.
    private static func nearest(of events: [SubtitleEvent], where isMeant: (SubtitleEvent) -> Bool) -> [String]? {
        var rest = events[...]
        while let start = rest.first?.start {
            let group = rest.prefix { $0.start == start }
            if let texts = texts(of: group.filter(isMeant)) { return texts }
            rest = rest[group.endIndex...]
        }
        return nil
    }

    /// What is to be read; nil where that is nothing.
    private static func texts(of events: [SubtitleEvent]) -> [String]? {
        let texts = events.compactMap { event -> String? in
            guard case .line(let line) = event.content else { return nil }
            let text = line.plainText
            return text.isEmpty ? nil : text
        }
        return texts.isEmpty ? nil : texts
    }
}
