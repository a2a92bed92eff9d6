import GlissadeTime

/// Counts the comments that are visible at the same time. Comments must be added in the order in which they appear.
struct CommentCrowd {
    /// The end times of the moving or the resting comments, in ascending order. All comments of one group are visible
    /// for the same duration, so they end in the order in which they are added.
    private struct Ends {
        var ends: [MediaTime] = []
        var first = 0

        mutating func drop(until time: MediaTime) {
            while first < ends.count, ends[first] <= time { first += 1 }
        }

        var count: Int { ends.count - first }
    }

    private let limit: Int
    private var moving = Ends()
    private var resting = Ends()

    init(limit: Int) { self.limit = limit }

    /// Returns whether fewer comments than the limit are visible at `time`. `time` must not decrease from call to call.
    mutating func hasRoom(at time: MediaTime) -> Bool {
        moving.drop(until: time)
        resting.drop(until: time)
        return moving.count + resting.count < limit
    }

    /// Adds a comment that is visible until `end`.
    mutating func add(until end: MediaTime, isMoving: Bool) {
        if isMoving { moving.ends.append(end) } else { resting.ends.append(end) }
    }
}
