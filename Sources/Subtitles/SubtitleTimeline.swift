/// The subtitle events of a stream or file, sorted by start time and without duplicates.
///
/// If the events take more than `byteLimit` bytes, events are dropped from the end of the timeline that is farther from
/// the latest insertion. The frame loop may have to wait for insertions and lookups, so both are fast even with many
/// events.
struct SubtitleTimeline: Sendable {
    /// The maximum number of events shown at once. If there are more, those that start last are shown.
    static let mostAtOnce = 64
    /// The maximum number of events to search for the previous lines, and for the next lines.
    private static let farthestLine = 256

    let byteLimit: Int
    private(set) var byteCount = 0
    private var order = SubtitleOrder()
    /// The identities of the stored events. After a seek, packets repeat, but their events must not be added again.
    private var seen: Set<Int> = []

    /// All events, sorted by start time. Events that start together are in order of arrival.
    var events: [SubtitleEvent] { order.all }

    init(byteLimit: Int = 48 << 20) { self.byteLimit = byteLimit }

    /// Creates a timeline of `events`, given in order of arrival.
    init(_ events: [SubtitleEvent], byteLimit: Int = 48 << 20) {
        self.init(byteLimit: byteLimit)
        // Sort by index as well, to keep the order of arrival: `sorted` is not documented as stable.
        let order = events.indices.sorted { (events[$0].start, $0) < (events[$1].start, $1) }
        for index in order { _ = insert(events[index]) }
    }

    /// Adds an event, unless it is already present. A new picture ends the picture before it, and is ended by the
    /// picture after it.
    ///
    /// - Returns: False if the event was already present; otherwise true.
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
                // If its packet arrives again, the event is added again.
                seen.remove(gone.identity)
            }
        }
        return true
    }

    /// If a picture that starts before `time` ends after `time`, cuts it off at `time`. Returns false if there is no
    /// such picture.
    @discardableResult mutating func cutPictures(at time: Int64) -> Bool {
        guard let index = order.lastPicture(shownBefore: time, before: order.firstIndex(after: time)) else {
            return false
        }
        order.setEnd(time, at: index)
        return true
    }

    // MARK: - Lookup

    /// The events shown at a time, and when the set of these events changes.
    struct Moment: Sendable {
        /// The events shown, sorted by start time; at most `mostAtOnce`.
        var events: [SubtitleEvent] = []
        /// The time at which the next event starts or one of these events ends, whichever comes first, in nanoseconds;
        /// `Int64.max` if no such time is known.
        var until: Int64 = .max
    }

    func moment(at time: Int64) -> Moment {
        let following = order.firstIndex(after: time)
        let shown = order.events(endingAfter: time, before: following, atMost: Self.mostAtOnce)
        let until = shown.reduce(order[following]?.start ?? .max) { min($0, $1.end) }
        return Moment(events: shown.reversed(), until: until)
    }

    /// Returns the text of the lines shown at `time`, and of the previous and next lines.
    func lines(around time: Int64) -> SubtitleLines {
        let following = order.firstIndex(after: time)
        // The search is limited because scripts can have thousands of drawn signs without text.
        let before = order.events(before: following, count: Self.farthestLine)
        let after = order.events(from: following, count: Self.farthestLine)
        return SubtitleLines(
            previous: Self.nearest(of: before) { $0.end <= time }?.reversed().joined(separator: "\n"),
            current: Self.texts(of: moment(at: time).events)?.joined(separator: "\n"),
            next: Self.nearest(of: after) { _ in true }?.joined(separator: "\n"))
    }

    /// Returns the texts of the first group of events that has any; nil if no group has text. A group consists of
    /// events that start at the same time. Ignores events for which `isMeant` is false.
    private static func nearest(of events: [SubtitleEvent], where isMeant: (SubtitleEvent) -> Bool) -> [String]? {
        var rest = events[...]
        while let start = rest.first?.start {
            let group = rest.prefix { $0.start == start }
            if let texts = texts(of: group.filter(isMeant)) { return texts }
            rest = rest[group.endIndex...]
        }
        return nil
    }

    /// Returns the nonempty texts of the events; nil if there are none.
    private static func texts(of events: [SubtitleEvent]) -> [String]? {
        let texts = events.compactMap { event -> String? in
            guard case .line(let line) = event.content else { return nil }
            let text = line.plainText
            return text.isEmpty ? nil : text
        }
        return texts.isEmpty ? nil : texts
    }
}
