/// The events of a stream or file sorted by start time, without duplicates. A value.
///
/// Limited to `byteLimit`: beyond it, events are dropped at the end that is farther from the last insertion. Insertion
/// and lookup hardly slow down as events accumulate, which matters because the frame loop waits for both.
struct SubtitleTimeline: Sendable {
    /// The most events shown at once; those that start last are preferred. Even a screen full of signs has fewer.
    static let mostAtOnce = 64
    /// The most events to search for the previous and next line.
    private static let farthestLine = 256

    let byteLimit: Int
    private(set) var byteCount = 0
    private var order = SubtitleOrder()
    /// The identities of the events held, since packets repeat after a seek.
    private var seen: Set<Int> = []

    /// All events by start time, then by order of arrival.
    var events: [SubtitleEvent] { order.all }

    init(byteLimit: Int = 48 << 20) { self.byteLimit = byteLimit }

    /// Creates a timeline of `events`.
    init(_ events: [SubtitleEvent], byteLimit: Int = 48 << 20) {
        self.init(byteLimit: byteLimit)
        // Sort by index too: the order of arrival matters, and the sort is not documented as stable.
        let order = events.indices.sorted { (events[$0].start, $0) < (events[$1].start, $1) }
        for index in order { _ = insert(events[index]) }
    }

    /// Adds an event; false if it is already present.
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
                // If its packet comes again, it is added again.
                seen.remove(gone.identity)
            }
        }
        return true
    }

    /// Ends pictures shown at `time`, because another one follows or none does. False if none is shown.
    @discardableResult mutating func cutPictures(at time: Int64) -> Bool {
        guard let index = order.lastPicture(shownBefore: time, before: order.firstIndex(after: time)) else {
            return false
        }
        order.setEnd(time, at: index)
        return true
    }

    // MARK: - Lookup

    /// The subtitles at a time.
    struct Moment: Sendable {
        /// At most `mostAtOnce` events by start time.
        var events: [SubtitleEvent] = []
        /// When the next event starts or one of these ends, in nanoseconds.
        var until: Int64 = .max
    }

    func moment(at time: Int64) -> Moment {
        let following = order.firstIndex(after: time)
        let shown = order.events(endingAfter: time, before: following, atMost: Self.mostAtOnce)
        let until = shown.reduce(order[following]?.start ?? .max) { min($0, $1.end) }
        return Moment(events: shown.reversed(), until: until)
    }

    /// The lines shown at `time`, the previous ones and the next ones.
    func lines(around time: Int64) -> SubtitleLines {
        let following = order.firstIndex(after: time)
        // Signs drawn by a script may come by the thousand.
        let before = order.events(before: following, count: Self.farthestLine)
        let after = order.events(from: following, count: Self.farthestLine)
        return SubtitleLines(
            previous: Self.nearest(of: before) { $0.end <= time }?.reversed().joined(separator: "\n"),
            current: Self.texts(of: moment(at: time).events)?.joined(separator: "\n"),
            next: Self.nearest(of: after) { _ in true }?.joined(separator: "\n"))
    }

    /// The texts of the nearest group of events with the same start that has any text.
    private static func nearest(of events: [SubtitleEvent], where isMeant: (SubtitleEvent) -> Bool) -> [String]? {
        var rest = events[...]
        while let start = rest.first?.start {
            let group = rest.prefix { $0.start == start }
            if let texts = texts(of: group.filter(isMeant)) { return texts }
            rest = rest[group.endIndex...]
        }
        return nil
    }

    /// The readable texts; nil if there are none.
    private static func texts(of events: [SubtitleEvent]) -> [String]? {
        let texts = events.compactMap { event -> String? in
            guard case .line(let line) = event.content else { return nil }
            let text = line.plainText
            return text.isEmpty ? nil : text
        }
        return texts.isEmpty ? nil : texts
    }
}
