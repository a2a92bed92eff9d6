import GlissadeTime

/// A place in a file at which the container's clock restarts, as where two broadcasts were joined.
package struct ClockJoin: Hashable, Sendable {
    /// The place in the file, in bytes.
    package var position: Int64
    /// The time on the continuous media timeline, in nanoseconds.
    package var start: Int64
    /// The correction to add to the container's times from here on, in nanoseconds.
    package var offset: Int64
}

/// The places at which the clock of a file restarts, as far as they are known. A seek needs them, because the container's
/// own times occur more than once.
package struct ClockJoins: Hashable, Sendable {
    /// The most joins to keep.
    static let limit = 4096
    /// Joins that are closer than this in the file are the same: streams restart at different packets.
    static let nearness: Int64 = 1 << 20

    /// Corrections that differ by less, in nanoseconds, are the same.
    static let tolerance: UInt64 = 300_000_000

    /// In the order of the file.
    package private(set) var joins: [ClockJoin] = []

    package init() {}

    package var isEmpty: Bool { joins.isEmpty }

    /// A part of the file in which the clock does not restart.
    package struct Part: Hashable, Sendable {
        /// Where the part begins and ends, in bytes; `end` is nil for the end of the file.
        package var begin: Int64
        package var end: Int64?
        /// The correction to add to the container's times.
        package var offset: Int64
    }

    /// The part in which the media time `time`, in nanoseconds, lies.
    package func part(at time: Int64) -> Part {
        let next = joins.firstIndex { $0.start > time } ?? joins.count
        let own = next > 0 ? joins[next - 1] : ClockJoin(position: 0, start: .min, offset: 0)
        return Part(
            begin: own.position, end: next < joins.count ? joins[next].position : nil, offset: own.offset)
    }

    /// Adds a join, unless it is known, its place is unknown, or it is out of order.
    package mutating func note(_ join: ClockJoin) {
        guard join.position > 0, joins.count < Self.limit, !joins.contains(where: { isSame($0, join) }) else { return }
        let index = joins.firstIndex { $0.position > join.position } ?? joins.count
        guard index == 0 || joins[index - 1].start <= join.start,
            index == joins.count || joins[index].start >= join.start
        else { return }
        joins.insert(join, at: index)
    }

    /// The correction known for a join near `position` that is close to `offset`; nil if there is none.
    func offset(near position: Int64, like offset: Int64) -> Int64? {
        joins.first { isSame($0, ClockJoin(position: position, start: 0, offset: offset)) }?.offset
    }

    private func isSame(_ left: ClockJoin, _ right: ClockJoin) -> Bool {
        left.position.distance(from: right.position) < Self.nearness.magnitude
            && left.offset.distance(from: right.offset) < Self.tolerance
    }
}
