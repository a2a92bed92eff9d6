/// Subtitle events, sorted by start time. Events that start together are in order of arrival.
///
/// The events are stored in blocks of up to `capacity` events. An insertion moves only the events of one block. A
/// lookup skips blocks whose events have all ended.
struct SubtitleOrder: Sendable {
    /// A nonempty block of consecutive events.
    private struct Block: Sendable {
        var events: [SubtitleEvent]
        var latestEnd: Int64
        var pictureCount: Int

        init(_ events: [SubtitleEvent]) {
            self.events = events
            latestEnd = events.reduce(.min) { max($0, $1.end) }
            pictureCount = events.count { $0.isPicture }
        }
    }

    /// The position of an event, or the position after the last event.
    struct Index: Equatable, Sendable {
        fileprivate var block: Int
        fileprivate var offset: Int
    }

    private static let capacity = 128

    private var blocks: [Block] = []

    var isEmpty: Bool { blocks.isEmpty }
    var endIndex: Index { Index(block: blocks.count, offset: 0) }
    var all: [SubtitleEvent] { blocks.flatMap(\.events) }

    /// The event at `index`; nil at `endIndex`.
    subscript(index: Index) -> SubtitleEvent? {
        index.block < blocks.count ? blocks[index.block].events[index.offset] : nil
    }

    /// Whether `index` is closer to the first event than to the last. If there are several blocks, the result is a
    /// rough estimate.
    func isInFirstHalf(_ index: Index) -> Bool {
        blocks.count == 1 ? index.offset * 2 + 1 < blocks[0].events.count : index.block * 2 < blocks.count
    }

    /// Returns the index of the first event that starts after `time`; `endIndex` if there is none.
    func firstIndex(after time: Int64) -> Index {
        // Fast path: most events arrive in order.
        guard let last = blocks.last?.events.last, last.start > time else { return endIndex }
        let block = Self.first(of: blocks.count) { blocks[$0].events.last.map { $0.start > time } ?? true }
        let events = blocks[block].events
        return Index(block: block, offset: Self.first(of: events.count) { events[$0].start > time })
    }

    /// Returns the first index in 0..<`count` for which `isPast` is true, by binary search; `count` if there is no such
    /// index. If `isPast` is true for an index, it must be true for all later ones.
    private static func first(of count: Int, where isPast: (Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isPast(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    // MARK: - Changes

    /// Inserts an event after all events that start earlier or at the same time. Returns its index.
    mutating func insert(_ event: SubtitleEvent) -> Index {
        var index = firstIndex(after: event.start)
        if index == endIndex {
            // Events that arrive in order fill one block after another.
            guard let last = blocks.last, last.events.count < Self.capacity else {
                blocks.append(Block([event]))
                return Index(block: blocks.count - 1, offset: 0)
            }
            index = Index(block: blocks.count - 1, offset: last.events.count)
        } else if blocks[index.block].events.count == Self.capacity {
            let half = Self.capacity / 2
            let events = blocks[index.block].events
            blocks[index.block] = Block(Array(events[..<half]))
            blocks.insert(Block(Array(events[half...])), at: index.block + 1)
            if index.offset > half { index = Index(block: index.block + 1, offset: index.offset - half) }
        }
        blocks[index.block].events.insert(event, at: index.offset)
        blocks[index.block].latestEnd = max(blocks[index.block].latestEnd, event.end)
        if event.isPicture { blocks[index.block].pictureCount += 1 }
        return index
    }

    mutating func setEnd(_ end: Int64, at index: Index) {
        blocks[index.block].events[index.offset].end = end
        blocks[index.block].latestEnd = blocks[index.block].events.reduce(.min) { max($0, $1.end) }
    }

    /// Removes a quarter of the events in the last block, or in the first block if `isAtEnd` is false, but at least one
    /// event. Returns the removed events.
    mutating func removeSome(fromEnd isAtEnd: Bool) -> [SubtitleEvent] {
        guard !blocks.isEmpty else { return [] }
        let block = isAtEnd ? blocks.count - 1 : 0
        let events = blocks[block].events
        let count = max(1, events.count / 4)
        let kept = isAtEnd ? events.dropLast(count) : events.dropFirst(count)
        if kept.isEmpty { blocks.remove(at: block) } else { blocks[block] = Block(Array(kept)) }
        return Array(isAtEnd ? events.suffix(count) : events.prefix(count))
    }

    // MARK: - Lookup

    /// Returns the events before `index` that end after `time`, in reverse order. If there are more than `limit` such
    /// events, returns those that start last.
    func events(endingAfter time: Int64, before index: Index, atMost limit: Int) -> [SubtitleEvent] {
        var found: [SubtitleEvent] = []
        visitBlocks(before: index) { block, count in
            guard block.latestEnd > time else { return true }
            for event in block.events[..<count].reversed() where event.end > time {
                found.append(event)
                if found.count == limit { return false }
            }
            return true
        }
        return found
    }

    /// Returns the index of the last picture before `index` that starts before `time` and ends after it; nil if there
    /// is no such picture.
    func lastPicture(shownBefore time: Int64, before index: Index) -> Index? {
        var number = min(index.block, blocks.count - 1)
        while number >= 0 {
            let block = blocks[number]
            if block.pictureCount > 0, block.latestEnd > time {
                let events = number == index.block ? block.events[..<index.offset] : block.events[...]
                let offset = events.lastIndex { $0.isPicture && $0.start < time && $0.end > time }
                if let offset { return Index(block: number, offset: offset) }
            }
            number -= 1
        }
        return nil
    }

    /// Calls `body` for each block that has events before `index`, in reverse order. Passes the block and the number of
    /// those events. Stops when `body` returns false.
    private func visitBlocks(before index: Index, _ body: (_ block: Block, _ count: Int) -> Bool) {
        if index.block < blocks.count, index.offset > 0 {
            if !body(blocks[index.block], index.offset) { return }
        }
        for block in blocks[..<index.block].reversed() where !body(block, block.events.count) { return }
    }

    /// Returns the first picture at or after `index`; nil if there is none.
    func firstPicture(from index: Index) -> SubtitleEvent? {
        guard index.block < blocks.count else { return nil }
        if let picture = blocks[index.block].events[index.offset...].first(where: \.isPicture) { return picture }
        let block = blocks[(index.block + 1)...].first { $0.pictureCount > 0 }
        return block?.events.first { $0.isPicture }
    }

    /// Returns up to `count` events, starting at `index`.
    func events(from index: Index, count: Int) -> [SubtitleEvent] {
        guard index.block < blocks.count else { return [] }
        var found = Array(blocks[index.block].events[index.offset...].prefix(count))
        for block in blocks[(index.block + 1)...] {
            if found.count == count { break }
            found += block.events.prefix(count - found.count)
        }
        return found
    }

    /// Returns up to `count` events before `index`, in reverse order.
    func events(before index: Index, count: Int) -> [SubtitleEvent] {
        var found: [SubtitleEvent] = []
        visitBlocks(before: index) { block, end in
            found += block.events[..<end].suffix(count - found.count).reversed()
            return found.count < count
        }
        return found
    }
}
