/// Learns how early a frame must be sent to be visible at the next refresh.
///
/// Pure. A compositor takes the frames for a refresh some time before it (it *latches* them). How long before is known
/// to nobody else, so it is learned from the frames: by how many refreshes each missed the first one after it was sent.
/// If they miss it, frames are sent earlier, in steps; that by itself is not visible, as they are still shown by the
/// same refresh, until a step is early enough. If none is, the display always needs longer: frames are sent late again,
/// to be recent, and planned for the refresh at which they will be visible.
struct LatchEstimator: Sendable {
    /// By how much earlier frames are tried to be sent, in periods: in steps, up to the longest.
    static let (step, most) = (0.125, 0.5)
    /// The number of frames in a row that decide about a step.
    static let run = 4
    /// What is added to the first advance that is early enough, in periods: the busier the machine, the later a frame.
    static let reserve = 0.25
    /// How much of a late frame's weight a punctual one takes away: up to 1 % may be late for other reasons.
    static let forgetting = 1.0 / 100
    /// The most refreshes that a frame may plausibly miss.
    static let mostMissed: Int64 = 8

    /// By how many refreshes frames are later than the first one after they were sent: 0 or 1. With more, more than two
    /// frames would wait, and the display would be taken for one that holds frames back.
    private(set) var delay: Int64 = 0
    /// How much earlier than usual frames are sent, in periods.
    private(set) var advance = 0.0
    /// How much earlier than usual was early enough, or is the least that may be, in periods.
    private(set) var enough = 0.0
    /// The frames in a row that missed their refresh, or that did not although they have a delay.
    private var runLength = 0
    /// The weight of late frames that did not come in a row.
    private var lateness = 0.0
    /// Whether no frame has been punctual since the last step.
    private var isNew = false

    /// Takes the number of refreshes that a frame missed.
    ///
    /// - Parameter early: How much earlier than usual it was sent, in periods.
    mutating func observe(missed: Int64, early: Double) {
        guard 0...Self.mostMissed ~= missed else { return }
        if delay > 0 {
            runLength = missed == 0 ? runLength + 1 : 0
            if runLength == Self.run { self = LatchEstimator() }
        } else if missed > 0 {
            runLength += 1
            lateness += 1
            if runLength == Self.run {
                takeStep()
            } else if lateness >= Double(Self.run) {
                (lateness, runLength) = (0, 0)
                advance = min(advance + Self.step, Self.most)
                enough = advance
            }
        } else {
            runLength = 0
            lateness = max(0, lateness - Self.forgetting)
            // What was just early enough leaves no reserve.
            if isNew {
                enough = max(advance, early)
                advance = min(enough + Self.reserve, Self.most)
            }
            isNew = false
        }
    }

    /// All frames miss their refresh.
    private mutating func takeStep() {
        (lateness, runLength) = (0, 0)
        if advance < Self.most {
            advance = min(advance + Self.step, Self.most)
            (enough, isNew) = (advance, true)
        } else {
            (advance, enough, delay, isNew) = (0, 0, 1, false)
        }
    }
}
