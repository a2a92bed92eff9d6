import Motion

/// The events of one stream or file, in the order of their beginnings, each once. A value.
///
/// Bounded in bytes: beyond `byteLimit` a quarter goes, at the end that is farther from what came last.
struct SubtitleTimeline: Sendable {
    /// So many events are shown at once, the latest to begin; a screen full of signs has fewer.
    static let mostAtOnce = 64
    /// Among so many events the line before and the line after are looked for.
    private static let farthestLine = 256

    let byteLimit: Int
    private(set) var byteCount = 0
    /// By start; events that begin at once in the order in which they came.
    private(set) var events: [SubtitleEvent] = []
    /// For each event the latest end of it and of all before it: where to stop looking for what is still shown.
    private var reach: [Int64] = []
    /// Of what was taken in: packets come again after a seek.
    private var seen: Set<Int> = []

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
        guard seen.insert(Self.key(of: event)).inserted else { return false }
        if case .picture = event.content {
            cutPictures(at: event.start)
            if let next = nextPicture(after: event.start) { event.end = min(event.end, next) }
        }
        let index = firstIndex(after: event.start)
        events.insert(event, at: index)
        reach.insert(event.end, at: index)
        updateReach(from: index)
        byteCount += event.byteCount
        if byteCount > byteLimit { shrink(isAtEnd: index < events.count / 2) }
        return true
    }

    /// Pictures that are on show at `time` end there: another comes, or none. False where there is none on show.
    @discardableResult mutating func cutPictures(at time: Int64) -> Bool {
        var index = firstIndex(after: time) - 1
        while index >= 0, reach[index] > time {
            if case .picture = events[index].content, events[index].start < time, events[index].end > time {
                events[index].end = time
                updateReach(from: index, isWhole: true)
                return true
            }
            index -= 1
        }
        return false
    }

    private func nextPicture(after time: Int64) -> Int64? {
        events[firstIndex(after: time)...].first { if case .picture = $0.content { true } else { false } }?.start
    }

    /// The index of the first event that begins later than `time`.
    private func firstIndex(after time: Int64) -> Int {
        var (low, high) = (0, events.count)
        // Most come in order.
        if let last = events.last, last.start <= time { return high }
        while low < high {
            let middle = (low + high) / 2
            if events[middle].start > time { high = middle } else { low = middle + 1 }
        }
        return low
    }

    private mutating func updateReach(from first: Int, isWhole: Bool = false) {
        for index in first..<events.count {
            let value = max(events[index].end, index > 0 ? reach[index - 1] : .min)
            if index > first, !isWhole, reach[index] == value { return }
            reach[index] = value
        }
    }

    private mutating func shrink(isAtEnd: Bool) {
        let count = max(1, events.count / 4)
        let gone = isAtEnd ? events[(events.count - count)...] : events[..<count]
        byteCount -= gone.reduce(0) { $0 + $1.byteCount }
        if isAtEnd { events.removeLast(count) } else { events.removeFirst(count) }
        reach = Array(repeating: .min, count: events.count)
        updateReach(from: 0, isWhole: true)
        // What went may come again, and may stay then.
        seen.removeAll(keepingCapacity: true)
        for event in events { seen.insert(Self.key(of: event)) }
    }

    /// What tells an event from all others. The end of a picture is only known when the next one comes.
    private static func key(of event: SubtitleEvent) -> Int {
        var hasher = Hasher()
        hasher.combine(event.start)
        hasher.combine(event.content)
        if case .line = event.content { hasher.combine(event.end) }
        return hasher.finalize()
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
        var moment = Moment()
        let following = firstIndex(after: time)
        if following < events.count { moment.until = events[following].start }
        var index = following - 1
        while index >= 0, reach[index] > time {
            if events[index].end > time {
                moment.until = min(moment.until, events[index].end)
                if moment.events.count < Self.mostAtOnce { moment.events.append(events[index]) }
            }
            index -= 1
        }
        moment.events.reverse()
        return moment
    }

    /// The lines shown at `time`, those that began last before them, and those that begin next.
    func lines(around time: Int64) -> SubtitleLines {
        let moment = moment(at: time)
        let following = firstIndex(after: time)
        func text(_ events: some Sequence<SubtitleEvent>) -> String? {
            let texts = events.compactMap { event -> String? in
                guard case .line(let line) = event.content else { return nil }
                let text = line.plainText
                return text.isEmpty ? nil : text
            }
            return texts.isEmpty ? nil : texts.joined(separator: "\n")
        }
        func together(from index: Int, by step: Int, unless isShown: Bool) -> String? {
            var index = index
            // Signs that are drawn may come by the thousand.
            let last = index + step * Self.farthestLine
            while events.indices.contains(index), index != last {
                let start = events[index].start
                var group: [SubtitleEvent] = []
                while events.indices.contains(index), index != last, events[index].start == start {
                    if !isShown || events[index].end <= time { group.append(events[index]) }
                    index += step
                }
                if let text = text(step > 0 ? group : group.reversed()) { return text }
            }
            return nil
        }
        return SubtitleLines(
            previous: together(from: following - 1, by: -1, unless: true), current: text(moment.events),
            next: together(from: following, by: 1, unless: false))
    }
}

/// Lines of text around a time, without tags; those that begin at the same time are one, with line feeds between them.
public struct SubtitleLines: Hashable, Sendable {
    public var previous: String?
    public var current: String?
    public var next: String?

    public init(previous: String? = nil, current: String? = nil, next: String? = nil) {
        self.previous = previous
        self.current = current
        self.next = next
    }
}
