public import GlissadeTime

/// Decides when the frame loop draws, and when each draw is meant to become visible.
///
/// Pure: the time is passed in. There are two cases:
/// - The display's clock is known (`DisplayClock`). Each draw is for one refresh, and each refresh gets at most one
///   draw. The start of a draw depends on the recent cost of draws. The frame is not swapped before the preceding
///   refresh has passed, so the driver's queue never fills. Pacing is the same whether or not swaps wait for the
///   display.
/// - The clock is unknown. The draw for a video frame starts before the frame is due, by a margin that depends on the
///   recent cost of draws. The swap is held until the frame is due. Between video frames, animations are drawn at the
///   nominal refresh rate.
public struct FramePacer: Sendable {
    /// The loop's next step.
    public enum Plan: Hashable, Sendable {
        /// Draw so that the frame is visible at `visibleAt`, with the newest video frame that is due by `framesBy`.
        /// `framesBy` includes the tolerance with which the pacer decided that a frame is due.
        case draw(visibleAt: HostTime, framesBy: HostTime)
        /// Sleep until an event arrives, or until this time if it is not nil.
        case sleep(until: HostTime?)
    }

    /// The refresh rate in Hz that is assumed if the display's rate is unknown.
    public static let defaultRefreshRate = 60.0
    /// A swap is called no earlier than this fraction of a period after the previous refresh.
    static let earliestSwap = 0.25
    /// A swap is planned this fraction of a period before its refresh. If `latestSwapTime` (at most 0.4 periods) is
    /// longer, that time is used instead. `LatchEstimator` can make the swap earlier still.
    static let latestSwap = 0.25
    static let latestSwapTime = Duration.milliseconds(2.5)
    /// A swap must be called at least this fraction of a period before its refresh. If `deadlineTime` (at most 0.2
    /// periods) is longer, that time is used instead. A draw that would miss this deadline is planned for the next
    /// refresh.
    static let deadline = 0.08
    static let deadlineTime = Duration.milliseconds(1)
    /// A missed refresh does not count if the frame was sent later than planned by more than this fraction of a period
    /// and by more than `lateToleranceTime`.
    static let lateTolerance = 0.03
    static let lateToleranceTime = Duration.milliseconds(0.4)
    /// How long before its due time a video frame counts as due if the clock is unknown.
    static let timerSlack = Duration.microseconds(50)
    /// If the clock is unknown, an animation tick waits for a video frame that is due within this many periods of the
    /// last swap.
    static let longestTick = 1.1

    /// The display's clock. Its period is unknown until enough refreshes have been reported.
    public private(set) var clock = DisplayClock()
    /// Estimates how early frames must be sent.
    private(set) var latch = LatchEstimator()
    /// Assigns video frames to refreshes.
    private(set) var cadence = FrameCadence()
    /// The time between refreshes according to the window system.
    private(set) var nominalPeriod: Duration
    /// The time between refreshes: measured if the clock is known, otherwise nominal.
    public var period: Duration { clockPeriod ?? nominalPeriod }
    /// Whether the display has a variable refresh rate. Such a display refreshes whenever a frame arrives. Its clock is
    /// ignored, and each video frame is shown when it is due.
    public var isVariable = false {
        didSet { if isVariable != oldValue { resetClock() } }
    }
    /// The measured period; nil if the period is unknown or varies.
    var clockPeriod: Duration? { isVariable ? nil : clock.period }
    /// The time from the start of a draw to its swap: the mean cost plus a reserve for slower frames.
    public var lead: Duration { min(max(mean, longest), mean + period / 3) }
    /// The running mean of a frame's cost: the time from its first command until its swap returns, without waits.
    private(set) var mean = Duration.milliseconds(4)
    /// The longest recent cost. Decays slowly, so that even occasional slow frames reach their refresh.
    private var longest = Duration.zero
    /// The running mean of how long a swap takes.
    private var swapTime = Duration.zero
    private(set) var lastSwap: HostTime?
    /// The count of the refresh for which the last draw was planned, or of the first refresh after the draw's swap if
    /// that refresh is later. Nil if the clock is unknown, and before the first draw.
    private var lastTarget: Int64?
    /// The time until which nothing is drawn, unless a redraw is needed. Set when there was nothing to draw.
    private var heldUntil: HostTime?

    /// - Parameter refreshRate: The display's nominal rate in Hz, used until the clock is known; nil for
    ///   `defaultRefreshRate`.
    public init(refreshRate: Double?) { nominalPeriod = Self.period(refreshRate) }

    private static func period(_ rate: Double?) -> Duration {
        // No display refreshes more than 10,000 times a second; a driver that reports more is wrong.
        guard let rate, 1...10_000 ~= rate else { return period(defaultRefreshRate) }
        return .nanoseconds(Int64(clampingNanoseconds: 1 / rate))
    }

    /// Sets the display's nominal refresh rate in Hz; nil if the rate is unknown.
    public mutating func setRefreshRate(_ rate: Double?) { nominalPeriod = Self.period(rate) }

    /// Takes the display's report of one refresh. Does nothing while `isVariable` is true.
    public mutating func observe(_ refresh: DisplayClock.Refresh) {
        if isVariable { return }
        clock.observe(refresh)
        if clock.period == nil {
            lastTarget = nil
            resetLatch()
        }
    }

    /// Takes the display's report that a frame sent at `sent` became visible at `refresh`.
    public mutating func didShow(at refresh: DisplayClock.Refresh, sent: HostTime) {
        guard let period = clockPeriod, let first = clock.refresh(after: sent),
            let expected = clock.refresh(numbered: refresh.count)?.time,
            max(expected - refresh.time, refresh.time - expected) <= period * DisplayClock.tolerance
        else { return }
        let missed = refresh.count.subtractingClamped(first.count)
        let early = (first.time - sent - usualMargin(period)) / period
        let deviation = (first.time - sent - margin(period)) / period
        let tolerance = max(Self.lateTolerance, Self.lateToleranceTime / period)
        // If a frame missed its refresh because it was sent later than planned, the plan may still be early enough.
        if missed > 0, deviation < -tolerance { return }
        latch.observe(missed: missed, early: early)
    }

    /// Forgets how early frames must be sent. Call when the path of frames to the screen may have changed, for example
    /// after a fullscreen change.
    mutating func resetLatch() { latch = LatchEstimator() }

    /// Returns when a frame sent at `sent` is expected to become visible; nil if the clock is unknown.
    public func visibleTime(sent: HostTime) -> HostTime? {
        guard let period = clockPeriod, let first = clock.refresh(after: sent) else { return nil }
        return first.time + delay(period)
    }

    /// Forgets the clock, for instance because the window has moved to another display.
    public mutating func resetClock() {
        clock.reset()
        resetLatch()
        lastTarget = nil
    }

    /// Decides what to do at `now`.
    ///
    /// - Parameters:
    ///   - frameDue: When the next video frame is due; nil if there is none.
    ///   - isAnimating: Whether an animation needs a draw at every refresh.
    ///   - needsRedraw: Whether the screen is out of date and must be redrawn at once.
    ///   - wake: The latest time by which the loop must run again; nil if there is none.
    public func plan(
        now: HostTime, frameDue: HostTime?, isAnimating: Bool, needsRedraw: Bool, wake: HostTime?
    ) -> Plan {
        if let heldUntil, now < heldUntil, !needsRedraw { return .sleep(until: min(heldUntil, wake ?? heldUntil)) }
        if let period = clockPeriod {
            return plan(
                period: period, now: now, frameDue: frameDue, isMoving: isAnimating || needsRedraw, wake: wake)
        }
        let due = now + lead
        if let frameDue, frameDue <= due + Self.timerSlack {
            return .draw(visibleAt: due, framesBy: due + Self.timerSlack)
        }
        // A draw that does not wait for a video frame is visible as soon as it is done.
        let visible = now + mean
        let draw = Plan.draw(visibleAt: visible, framesBy: visible + Self.timerSlack)
        if needsRedraw && !isAnimating { return draw }
        var start = frameDue.map { $0 - lead }
        if isAnimating {
            let tick = nextTick(frameDue: frameDue, now: now)
            if tick <= now { return draw }
            start = min(start ?? tick, tick)
        }
        if let wake { start = min(start ?? wake, wake) }
        return .sleep(until: start)
    }

    /// Records that there was nothing to draw after all. Drawing then pauses for half a period, unless a redraw is
    /// needed. The pause keeps the loop from spinning.
    public mutating func didPass(at time: HostTime) { heldUntil = time + period / 2 }

    /// Returns when to call the swap of a draw that begins at `now`, so that the frame does not become visible too
    /// early; nil to call the swap at once.
    ///
    /// - Parameters:
    ///   - frameDue: When the video frame of this draw is due; nil if there is none.
    ///   - framesBy: The latest due time that the video frame of this draw may have.
    ///   - visible: When the draw is meant to become visible.
    public func swapTime(frameDue: HostTime?, framesBy: HostTime, visibleAt visible: HostTime, now: HostTime)
        -> HostTime?
    {
        if let period = clockPeriod {
            let swap = visible - delay(period) - period * (1 - Self.earliestSwap)
            return swap > now ? swap : nil
        }
        guard let frameDue, frameDue <= framesBy else { return nil }
        let swap = frameDue - swapTime
        return swap > now ? swap : nil
    }

    /// Returns when a draw is expected to become visible. This is one mean swap duration after `swap` if the clock is
    /// unknown and the swap is held until `swap`; otherwise it is `planned`.
    func visibleTime(planned: HostTime, swapTime swap: HostTime?) -> HostTime {
        guard clockPeriod == nil, let swap else { return planned }
        return swap + swapTime
    }

    /// Records that the draw for `visible` shows the video frame due at `due`.
    public mutating func didChoose(due: HostTime, visibleAt visible: HostTime) {
        if let period = clockPeriod { cadence.didChoose(due: due, at: visible, period: period) }
    }

    /// Records the times of a draw: when its first command was issued, when its swap was called, and when the swap
    /// returned.
    ///
    /// - Parameters:
    ///   - held: How long the finished frame waited for its swap time.
    ///   - visible: When the draw was meant to become visible.
    public mutating func didSwap(
        began: HostTime, held: Duration = .zero, swapCalled: HostTime, returned: HostTime, visibleAt visible: HostTime
    ) {
        lastSwap = returned
        heldUntil = nil
        if let period = clockPeriod, let meant = clock.refresh(nearestTo: visible - delay(period)),
            let seen = clock.refresh(after: swapCalled)
        {
            lastTarget = max(meant.count, seen.count)
        }
        // Waiting for the display is not part of the cost.
        let waited = clockPeriod == nil ? .zero : max(.zero, returned - swapCalled - .milliseconds(1))
        let cost = min(returned - began - held - waited, period * 4)
        mean += (cost - mean) / 8
        // Clamped, so that a single very slow frame is soon forgotten.
        longest = min(max(cost, longest - (longest - mean) / 128), mean + period / 3)
        swapTime += (min(returned - swapCalled, period / 4) - swapTime) / 8
    }

    // MARK: - With the display's clock

    private func plan(
        period: Duration, now: HostTime, frameDue: HostTime?, isMoving: Bool, wake: HostTime?
    ) -> Plan {
        var start = wake
        var target: DisplayClock.Refresh?
        if isMoving { target = reachable(after: now, period: period) }
        if target == nil, let frameDue {
            let threshold = cadence.threshold
            // The refresh that the frame belongs to, or the first reachable one if that is later.
            guard let own = clock.refresh(after: frameDue - delay(period) - period * threshold),
                let first = reachable(after: now, period: period)
            else { return .sleep(until: wake) }
            target = own.count > first.count ? own : first
        }
        if let target {
            let begin = self.begin(for: target, period: period)
            if begin <= now {
                let visible = target.time + delay(period)
                return .draw(visibleAt: visible, framesBy: visible + period * cadence.threshold)
            }
            start = min(start ?? begin, begin)
        }
        return .sleep(until: start)
    }

    /// The planned time from a swap to its refresh.
    private func margin(_ period: Duration) -> Duration {
        min(usualMargin(period) + period * latch.advance, period * (1 - Self.earliestSwap))
    }

    private func usualMargin(_ period: Duration) -> Duration {
        max(period * Self.latestSwap, min(Self.latestSwapTime, period * 0.4))
    }

    /// The minimum time from a swap to its refresh. The rest of the margin allows for late wake-ups.
    func deadline(_ period: Duration) -> Duration {
        let usual = max(period * Self.deadline, min(Self.deadlineTime, period * 0.2))
        guard latch.advance > 0 else { return usual }
        let most = margin(period) - period * LatchEstimator.step
        return max(usual, min(latch.enough.map { usualMargin(period) + period * $0 } ?? most, most))
    }

    /// The time from the first refresh after a swap to the refresh that shows the frame.
    func delay(_ period: Duration) -> Duration { period * Double(latch.delay) }

    /// Returns the first refresh that a draw begun at `now` can reach and that has no draw yet; nil if the clock is
    /// unknown.
    private func reachable(after now: HostTime, period: Duration) -> DisplayClock.Refresh? {
        guard let next = clock.refresh(after: now + min(mean, period) + deadline(period)) else { return nil }
        guard let lastTarget, next.count <= lastTarget else { return next }
        // After a jump of the counter, a last target far ahead would block every draw.
        guard lastTarget - next.count < 4 else { return next }
        return clock.refresh(numbered: lastTarget + 1)
    }

    /// Returns when to begin drawing for a refresh. This is as late as the margin and the cost allow, so that the
    /// content is recent. Unless draws are slow, drawing begins after the previous refresh, because the driver may have
    /// no free buffer before that.
    private func begin(for target: DisplayClock.Refresh, period: Duration) -> HostTime {
        target.time - startLead(period)
    }

    /// The time from the start of a draw to its refresh.
    func startLead(_ period: Duration) -> Duration {
        let longest = margin(period) + lead
        // A slow draw begins before the previous refresh, or it would not reach its own (see `reachable`).
        let isSlow = mean > period * 0.6 || min(mean, period) + deadline(period) > period * 0.85
        return isSlow ? longest : min(longest, period * 0.97)
    }

    // MARK: - Without the display's clock

    /// Returns when to begin the next animation tick. The swap of a tick is usually called one period after the last
    /// swap.
    ///
    /// If a video frame is due within `longestTick` periods of the last swap, the tick is drawn together with that
    /// frame. If the frame is due later, but within 1.5 times that limit, the tick is moved to halfway between the last
    /// swap and the frame, so that the two draws do not collide.
    private func nextTick(frameDue: HostTime?, now: HostTime) -> HostTime {
        guard let lastSwap else { return now }
        guard let frameDue else { return lastSwap + period - mean }
        let gap = frameDue - lastSwap
        if gap <= period * Self.longestTick { return frameDue - lead }
        if gap < period * (Self.longestTick * 1.5) { return lastSwap + gap / 2 - mean }
        return lastSwap + period - mean
    }
}
