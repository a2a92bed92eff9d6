package import GlissadeTime

/// What was observed at one place, kept as the changes from one observation to the next.
package struct FrameStatistics: Sendable {
    /// Frames in the film, where it may begin again: a step back of more than half of it is then a step on.
    package let filmLength: Int?

    private var last: (observation: FrameObservation, edges: Range<Int>?)?
    /// Each frame that came on show, counted on where the film began again, and when.
    private var frames: [(number: Int, time: HostTime)] = []
    /// Since the last frame; counted once another one comes.
    private var pending: (black: Int, unreadable: Int) = (0, 0)
    private var blackCount = 0
    private var unreadableCount = 0
    private var restartCount = 0
    private var places: (count: Int, distinct: Set<Int>) = (0, [])

    package init(filmLength: Int? = nil) { self.filmLength = filmLength }

    /// Adds a look, and says whether it saw anything new.
    ///
    /// - Parameter edges: The columns between which the picture lies, where that is known.
    @discardableResult package mutating func add(
        _ observation: FrameObservation, edges: Range<Int>? = nil, at time: HostTime
    ) -> Bool {
        let isNew = observation != last?.observation
        guard isNew || edges != last?.edges else { return false }
        last = (observation, edges)
        if let edges {
            places.count += 1
            places.distinct.insert(edges.lowerBound)
        }
        guard isNew else { return true }
        switch observation {
        case .black: pending.black += frames.isEmpty ? 0 : 1
        case .unreadable: pending.unreadable += frames.isEmpty ? 0 : 1
        case .frame(let number):
            blackCount += pending.black
            unreadableCount += pending.unreadable
            pending = (0, 0)
            let counted = countedOn(number)
            // The same frame after something else was before it is no step.
            if counted != frames.last?.number { frames.append((counted, time)) }
        }
        return true
    }

    private mutating func countedOn(_ number: Int) -> Int {
        guard let before = frames.last?.number, let filmLength, filmLength > 0 else { return number }
        let half = filmLength / 2
        var step = (number - before) % filmLength
        if step < -half { step += filmLength }
        if step > half { step -= filmLength }
        if (before % filmLength + filmLength) % filmLength + step >= filmLength { restartCount += 1 }
        return before + step
    }

    /// The summary of all observations.
    package var summary: FrameSummary {
        let numbers = Set(frames.map(\.number))
        var summary = FrameSummary()
        summary.black = blackCount
        summary.unreadable = unreadableCount
        summary.restarts = restartCount
        summary.moves = places.count
        summary.positions = places.distinct.count
        summary.seen = numbers.count
        guard let first = numbers.min(), let last = numbers.max(), let began = frames.first, let ended = frames.last
        else { return summary }
        summary.first = first
        summary.last = last
        summary.firstAt = began.time.nanoseconds
        summary.lastAt = ended.time.nanoseconds
        summary.missed = (first...last).filter { !numbers.contains($0) }
        summary.seenFraction = Double(numbers.count) / Double(last - first + 1)
        summary.backwards = zip(frames, frames.dropFirst()).count { $0.number > $1.number }
        summary.intervals = FrameSummary.Intervals(zip(frames, frames.dropFirst()).map { $1.time - $0.time })
        return summary
    }
}
