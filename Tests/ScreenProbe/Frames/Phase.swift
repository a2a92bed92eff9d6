package import GlissadeTime

/// A named part of an observation, for which a `FrameTimeline` gives a summary of its own.
package struct Phase: Hashable, Sendable {
    package var name: String
    package var time: Range<HostTime>

    package init(name: String, time: Range<HostTime>) { (self.name, self.time) = (name, time) }

    /// `NAME,BEGIN,END`, in nanoseconds of the monotonic clock; nil where it is not that, or empty.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[0].isEmpty, let begin = Int64(parts[1]), let end = Int64(parts[2]), begin < end
        else { return nil }
        self.init(name: String(parts[0]), time: HostTime(nanoseconds: begin)..<HostTime(nanoseconds: end))
    }

    /// What was seen in it; written as JSON.
    package struct Summary: Codable, Hashable, Sendable {
        /// The lowest and the highest number on show, counted on where the film began again; nil where there was none.
        package var first: Int?
        package var last: Int?
        /// Frames from the first to the last, those of them that were seen, and their share.
        package var due = 0
        package var seen = 0
        package var seenFraction: Double?
        package var missed: [Int] = []
        /// How often a frame came after one that follows it, in the same window.
        package var backwards = 0
        /// How often another window took over, and by how many frames it was behind at most.
        package var handovers = 0
        package var handoverLag = 0
        /// How often there was nothing to be seen of the film at all, and for how long at most, in milliseconds.
        package var black = 0
        package var longestBlack = 0.0
        /// How often there was something of it that could not be read, and for how long at most, in milliseconds.
        package var unreadable = 0
        package var longestUnreadable = 0.0
        /// How long frames stood, in milliseconds: the median, one in a hundred, the longest.
        package var stand: Stand?

        package init() {}

        package struct Stand: Codable, Hashable, Sendable {
            package var p50: Double
            package var p99: Double
            package var max: Double
            /// The frame that stood longest.
            package var number: Int
        }
    }
}

extension FrameTimeline {
    /// What was seen between two times; in all, where none are given.
    package func summary(_ time: Range<HostTime>? = nil) -> Phase.Summary {
        func touches(_ began: HostTime, _ ended: HostTime?) -> Bool {
            guard let time else { return true }
            return began < time.upperBound && (ended ?? began) >= time.lowerBound
        }
        var summary = Phase.Summary()
        let stands = stands.filter { touches($0.began, $0.ended) }
        let numbers = Set(stands.map(\.number))
        if let first = numbers.min(), let last = numbers.max() {
            (summary.first, summary.last) = (first, last)
            summary.due = last - first + 1
            summary.seen = numbers.count
            summary.seenFraction = Double(numbers.count) / Double(summary.due)
            summary.missed = (first...last).filter { !numbers.contains($0) }
        }
        summary.backwards = backwards.count { touches($0, nil) }
        let handovers = handovers.filter { touches($0.time, nil) }
        summary.handovers = handovers.count
        summary.handoverLag = handovers.map(\.lag).max() ?? 0
        let gaps = gaps.filter { touches($0.began, $0.ended) }
        func longest(_ gaps: [Gap]) -> Double {
            gaps.map { (($0.ended ?? $0.began) - $0.began).inMilliseconds }.max() ?? 0
        }
        let (black, unreadable) = (gaps.filter { $0.observation == .black }, gaps.filter { $0.observation != .black })
        (summary.black, summary.longestBlack) = (black.count, longest(black))
        (summary.unreadable, summary.longestUnreadable) = (unreadable.count, longest(unreadable))
        let lengths = stands.compactMap { stand in
            stand.ended.map { (length: ($0 - stand.began).inMilliseconds, number: stand.number) }
        }.sorted { $0.length < $1.length }
        func percentile(_ fraction: Double) -> Double {
            lengths[min(lengths.count - 1, Int(fraction * Double(lengths.count)))].length
        }
        if let longest = lengths.last {
            summary.stand = .init(
                p50: percentile(0.5), p99: percentile(0.99), max: longest.length, number: longest.number)
        }
        return summary
    }
}
