/// Learns how early a frame must be sent to be visible at the next refresh.
///
/// Pure. A compositor takes the frames for a refresh some time before it (it *latches* them). How long before is known
/// to nobody else, so it is estimated from the frames: how early each was sent, and by how many refreshes it missed the
/// first one after that.
///
/// - A frame that reached its refresh was sent early enough. If others miss theirs, all are sent that early from then on,
///   plus a reserve.
/// - If no frame has reached its refresh yet, frames are sent earlier in steps. Until a step is early enough, this is not
///   visible, since the same refresh still shows them.
/// - If no step is early enough, the display always needs longer. Frames are then sent late again, with recent content,
///   and planned for the refresh that will show them.
struct LatchEstimator: Sendable {
    /// How much earlier frames are sent with each step, and at most, in periods.
    static let (step, most) = (0.125, 0.5)
    /// Added to what was just early enough, in periods, since some frames are sent later than planned.
    static let reserve = 0.2
    /// How many late frames it takes to send all of them earlier: if it is known how early is enough, and if it is not.
    static let (fewLate, manyLate) = (2.0, 4.0)
    /// How much of a late frame's weight a punctual one takes away: up to 1 % may be late for other reasons.
    static let forgetting = 1.0 / 100
    /// The most refreshes that a frame may plausibly miss.
    static let mostMissed: Int64 = 8

    /// By how many refreshes frames are later than the first one after they were sent: 0 or 1. With more, more than two
    /// frames would wait, and the display would be taken for one that holds frames back.
    private(set) var delay: Int64 = 0
    /// How much earlier than usual frames are sent, in periods.
    private(set) var advance = 0.0
    /// How much earlier than usual the latest punctual frame was sent, in periods; nil if none was punctual.
    private(set) var enough: Double?
    /// The frames in a row that missed their refresh, or that did not although they have a delay.
    private var runLength = 0.0
    /// The weight of late frames.
    private var lateness = 0.0

    /// Takes the number of refreshes that a frame missed.
    ///
    /// - Parameter early: How much earlier than usual it was sent, in periods.
    mutating func observe(missed: Int64, early: Double) {
        guard 0...Self.mostMissed ~= missed else { return }
        if delay > 0 {
            runLength = missed == 0 ? runLength + 1 : 0
            if runLength == Self.manyLate { self = LatchEstimator() }
            return
        }
        guard missed > 0 else {
            // The first punctual frame after some steps: the step was just early enough.
            if enough == nil, advance > 0 { advance = min(advance + Self.reserve, Self.most) }
            enough = min(enough ?? early, early)
            runLength = 0
            lateness = max(0, lateness - Self.forgetting)
            return
        }
        runLength += 1
        lateness += 1
        let goal = enough.map { min($0 + Self.reserve, Self.most) } ?? 0
        if let enough, early < enough, advance < goal {
            guard lateness >= Self.fewLate else { return }
            (lateness, runLength, advance) = (0, 0, goal)
        } else if lateness >= Self.manyLate {
            takeStep(areAllLate: runLength >= Self.manyLate)
        }
    }

    private mutating func takeStep(areAllLate: Bool) {
        (lateness, runLength) = (0, 0)
        if areAllLate { enough = nil }
        if advance < Self.most {
            advance = min(advance + Self.step, Self.most)
        } else if areAllLate {
            (advance, delay) = (0, 1)
        }
    }
}
