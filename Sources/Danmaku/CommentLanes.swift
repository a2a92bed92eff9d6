import GlissadeGeometry

/// The lanes of a video, and the comments that were last placed in each lane. Lengths are in points, times in seconds.
struct CommentLanes {
    /// A comment that moves in a lane.
    private struct Moving {
        var start: Double
        var width: Double
        var isLeftward: Bool
    }

    private let laneHeight: Double
    private let height: Double
    private let width: Double
    private let gap: Double
    private let crossing: Double
    private let overlaps: Bool
    /// The last moving comment in each lane; nil if the lane has not had a moving comment.
    private var moving: [Moving?]
    /// When each lane becomes free of top comments. `bottom` holds the same for bottom comments; its lanes are counted
    /// from the bottom.
    private var top: [Double]
    private var bottom: [Double]

    init(
        height: Double, fraction: Double, laneHeight: Double, width: Double, gap: Double, crossing: Double,
        overlaps: Bool
    ) {
        self.height = height
        self.laneHeight = laneHeight
        self.width = width
        self.gap = gap
        self.crossing = crossing
        self.overlaps = overlaps
        // At least one lane, so that a small video also has comments. They may then exceed their fraction of its height.
        let count = max(Int(height * fraction / laneHeight), fraction > 0 ? 1 : 0)
        moving = Array(repeating: nil, count: count)
        (top, bottom) = (Array(repeating: -.infinity, count: count), Array(repeating: -.infinity, count: count))
    }

    private var count: Int { moving.count }

    /// Reserves lanes for a comment that appears at `time`. Returns the comment's top edge, or nil if there is no room.
    /// `time` must not decrease from call to call.
    mutating func take(_ kind: MovingComment.Kind, at time: Double, width: Double, height: Double) -> Double? {
        let needed = max(Int((height / laneHeight - 1e-9).rounded(.up)), 1)
        guard needed <= count else { return nil }
        let first =
            switch kind {
            case .leftward, .rightward:
                lane(needed, at: time) { freeTime(of: moving[$0], for: kind == .leftward, width: width) }
            case .top: lane(needed, at: time) { top[$0] }
            case .bottom: lane(needed, at: time) { bottom[$0] }
            }
        guard let first else { return nil }
        for lane in first..<first + needed {
            switch kind {
            case .leftward, .rightward:
                moving[lane] = Moving(start: time, width: width, isLeftward: kind == .leftward)
            case .top: top[lane] = time + crossing / 2
            case .bottom: bottom[lane] = time + crossing / 2
            }
        }
        let y = Double(first) * laneHeight
        return kind == .bottom ? self.height - y - height : y
    }

    /// Returns the index of the first of `needed` adjacent lanes that are free at `time`. If there are no such lanes,
    /// returns nil, unless comments may overlap. If they may, returns the first of the lanes that become free soonest.
    private func lane(_ needed: Int, at time: Double, _ freeTime: (Int) -> Double) -> Int? {
        var soonest = (lane: 0, time: Double.infinity)
        for first in 0...count - needed {
            var free = -Double.infinity
            for lane in first..<first + needed { free = max(free, freeTime(lane)) }
            if free <= time { return first }
            if free < soonest.time { soonest = (first, free) }
        }
        return overlaps ? soonest.lane : nil
    }

    /// Returns the earliest time at which a comment of the given direction and width can follow `ahead` in the same
    /// lane.
    private func freeTime(of ahead: Moving?, for isLeftward: Bool, width: Double) -> Double {
        guard let ahead else { return -.infinity }
        let gone = ahead.start + crossing
        // Comments that move towards each other would meet.
        guard ahead.isLeftward == isLeftward else { return gone }
        let (aheadSpeed, speed) = ((self.width + ahead.width) / crossing, (self.width + width) / crossing)
        // The comment ahead must have entered completely, followed by the gap. A faster comment must also stay a gap
        // away from the far edge until the comment ahead has left.
        let hasRoom = ahead.start + (ahead.width + gap) / aheadSpeed
        return speed > aheadSpeed ? max(hasRoom, gone - (self.width - gap) / speed) : hasRoom
    }
}
