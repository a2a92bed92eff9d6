/// Learns how early a frame must be sent to be visible at the next refresh.
///
/// Pure. A compositor takes (*latches*) the frame for a refresh some time before the refresh, but does not report when.
/// The time is estimated from how early each frame was sent and how many refreshes the frame missed.
///
/// - If some frames reach their refresh and others miss it, all frames are sent as early as the punctual frame that was
///   sent latest, plus a reserve.
/// - If no frame has reached its refresh yet, frames are sent earlier in steps.
/// - If the maximum advance is not early enough, frames are sent at the usual time again, and are planned to become
///   visible one refresh later.
/// - If frames sent at the usual time were punctual before, the cause of late frames may be temporary. In that case, a
///   long time without a late frame is followed by a trial in which frames are sent one step later.
struct LatchEstimator: Sendable {
    /// The advance added by one step, and the maximum advance, in periods.
    static let (step, most) = (0.125, 0.5)
    /// The reserve added to an advance that was just early enough, in periods. It allows for frames that are sent later
    /// than planned.
    static let reserve = 0.2
    /// The number of late frames after which all frames are sent earlier: `fewLate` if a sufficient advance is known,
    /// otherwise `manyLate`.
    static let (fewLate, manyLate) = (2.0, 4.0)
    /// The fraction of a late frame that each punctual frame cancels. If at most 1 % of frames are late, nothing
    /// changes.
    static let forgetting = 1.0 / 100
    /// The number of punctual frames before the first trial, which is almost three minutes at 60 Hz. Each failed trial
    /// doubles the number, up to `longestTrialInterval`.
    static let (trialInterval, longestTrialInterval) = (10_000, 640_000)
    /// The number of frames in a trial.
    static let trialLength = 600
    /// The maximum number of refreshes that a frame can plausibly miss. Reports of more missed refreshes are ignored.
    static let mostMissed: Int64 = 8

    /// The number of refreshes between the first possible refresh and the refresh that shows the frame: 0 or 1.
    private(set) var delay: Int64 = 0
    /// How much earlier than usual frames are sent, in periods.
    private(set) var advance = 0.0
    /// The smallest advance with which a frame was punctual, in periods; nil if none is known.
    private(set) var enough: Double?
    /// The number of consecutive late frames; while `delay` is 1, the number of consecutive punctual frames.
    private var runLength = 0.0
    /// The number of late frames, less those canceled by punctual frames (`forgetting`).
    private var lateness = 0.0
    /// Whether a frame was punctual while `advance` was 0. If false, there are no trials.
    private var wasUsualEnough = false
    /// The number of punctual frames since the last late frame or the beginning of the last trial, whichever is later.
    private var punctualCount = 0
    /// The number of punctual frames before the next trial.
    private var nextTrial = Self.trialInterval
    /// The advance before the current trial; nil if no trial is running.
    private var trialStart: Double?

    /// Updates the estimate with a frame that missed `missed` refreshes.
    ///
    /// - Parameter early: How much earlier than usual the frame was sent, in periods.
    mutating func observe(missed: Int64, early: Double) {
        guard 0...Self.mostMissed ~= missed else { return }
        if delay > 0 {
            runLength = missed == 0 ? runLength + 1 : 0
            if runLength == Self.manyLate { self = LatchEstimator() }
            return
        }
        guard missed > 0 else {
            // This is the first punctual frame after some steps: the last step was just early enough.
            if enough == nil, advance > 0 { advance = min(advance + Self.reserve, Self.most) }
            enough = min(enough ?? early, early)
            runLength = 0
            lateness = max(0, lateness - Self.forgetting)
            if advance == 0 { wasUsualEnough = true }
            considerTrial()
            return
        }
        punctualCount = 0
        if let trialStart {
            // The trial failed: frames were sent too late.
            (advance, self.trialStart) = (trialStart, nil)
            nextTrial = min(nextTrial * 2, Self.longestTrialInterval)
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

    /// Counts a punctual frame. Ends the current trial or begins a new one if enough frames have been punctual.
    private mutating func considerTrial() {
        punctualCount += 1
        if trialStart != nil, punctualCount == Self.trialLength { trialStart = nil }
        guard advance > 0, wasUsualEnough, punctualCount >= nextTrial else { return }
        trialStart = advance
        advance = max(0, advance - Self.step)
        punctualCount = 0
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
