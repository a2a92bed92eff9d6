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
    /// How much of a late frame's weight a punctual one takes away: up to 6 % may be late for other reasons.
    static let forgetting = 1.0 / 16
    /// The most refreshes that a frame may plausibly take.
    static let longestDelay: Int64 = 8

    /// By how many refreshes frames are later than the first one after they were sent.
    private(set) var delay: Int64 = 0
    /// How much earlier than usual frames are sent, in periods.
    private(set) var advance = 0.0
    /// Whether everything was tried in vain.
    private var hasGivenUp = false
    /// The frames in a row that were later or earlier than `delay`, and the one of them that was closest to it.
    private var (lateRun, earlyRun) = (0, 0)
    private var closest: Int64 = 0
    /// The weight of late frames that did not come in a row.
    private var lateness = 0.0
    /// Whether no frame has been punctual since the last step.
    private var isNew = false

    /// Takes the number of refreshes that a frame missed.
    mutating func observe(missed: Int64) {
        guard 0...Self.longestDelay ~= missed else { return }
        if missed > delay {
            earlyRun = 0
            closest = lateRun == 0 ? missed : min(closest, missed)
            lateRun += 1
            lateness += 1
            if lateRun == Self.run {
                areLate()
            } else if lateness >= Double(Self.run) {
                (lateness, lateRun) = (0, 0)
                advance = min(advance + Self.step, Self.most)
            }
        } else {
            lateRun = 0
            lateness = max(0, lateness - Self.forgetting)
            // A step that was just early enough leaves no reserve.
            if isNew { advance = min(advance + Self.step, Self.most) }
            isNew = false
            if missed == delay {
                earlyRun = 0
                return
            }
            closest = earlyRun == 0 ? missed : max(closest, missed)
            earlyRun += 1
            if earlyRun == Self.run { (delay, earlyRun) = (closest, 0) }
        }
    }

    /// A run of frames was late.
    private mutating func areLate() {
        (lateness, lateRun) = (0, 0)
        if hasGivenUp {
            delay = closest
        } else if advance < Self.most {
            advance += Self.step
            isNew = true
        } else {
            (advance, delay, hasGivenUp, isNew) = (0, closest, true, false)
        }
    }
}
