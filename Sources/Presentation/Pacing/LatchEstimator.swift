/// Learns how early a frame must be sent to be visible at the next refresh.
///
/// Pure. A compositor takes the frames for a refresh some time before it (it *latches* them). How long before is known
/// to nobody else, so it is learned from the frames: how early each was sent, and by how many refreshes it missed the
/// first one after that. A punctual frame proves that its time was early enough. If frames miss their refresh, they are
/// sent at that time and a reserve; or if none was punctual yet, earlier in steps. That by itself is not visible, as
/// they are still shown by the same refresh, until a step is early enough. If none is, the display always needs longer:
/// frames are sent late again, to be recent, and planned for the refresh at which they will be visible.
struct LatchEstimator: Sendable {
    /// By how much earlier frames are tried to be sent, in periods: in steps, up to the longest.
    static let (step, most) = (0.125, 0.5)
    /// What is added to the time that was just early enough, in periods: the busier the machine, the later a frame.
    static let reserve = 0.2
    /// The number of late frames that decide: if a later time was early enough before, and if none is known to be.
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
            // After steps in the dark, the first punctual frame shows the way.
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
