public import Time

/// Decides when the frame loop draws, and when each draw is meant to be visible.
///
/// Pure: the time is passed in. There are two cases:
/// - The display's clock is known (`DisplayClock`). Each draw is for one refresh, and each refresh gets at most one
///   draw. A draw starts early enough for the recent cost of draws. Its swap is held until the previous refresh has
///   passed, so the driver's queue never fills. Pacing is the same whether or not swaps wait for the display.
/// - The clock is unknown. A draw starts before a video frame is due, early enough for the recent cost of draws, and
///   its swap is held until the frame is due. Animations draw in between at the nominal refresh rate.
public struct FramePacer: Sendable {
    /// The loop's next step.
    public enum Plan: Hashable, Sendable {
        /// Draw to be visible at `visibleAt`, with the newest video frame that is due by `framesBy`. `framesBy`
        /// includes the slack that was used to decide whether a frame is due, so that the same frame is taken.
        case draw(visibleAt: HostTime, framesBy: HostTime)
        /// Sleep until this time or an event; with nil, until an event.
        case sleep(until: HostTime?)
    }

    /// The refresh rate in Hz that is assumed if the display's is unknown.
    public static let defaultRefreshRate = 60.0
    /// A swap is called no earlier than this fraction of a period after the previous refresh.
    static let earliestSwap = 0.25
    /// A swap is planned this fraction of a period before its refresh, or `latestSwapTime` (but at most 0.4 periods)
    /// if that is longer: compositors and drivers need that time. If they need more, swaps are planned earlier
    /// (`LatchEstimator`).
    static let latestSwap = 0.25
    static let latestSwapTime = Duration.milliseconds(2.5)
    /// A draw is planned for a refresh only if its swap can be called at least this fraction of a period before that
    /// refresh, or `deadlineTime` (but at most 0.2 periods) if that is longer. Otherwise the draw is for the next
    /// refresh.
    static let deadline = 0.08
    static let deadlineTime = Duration.milliseconds(1)
    /// A frame's missed refresh is ignored if the frame was sent too late: later than planned by more than this
    /// fraction of a period, and by more than `lateToleranceTime`.
    static let lateTolerance = 0.03
    static let lateToleranceTime = Duration.milliseconds(0.4)
    /// Without a clock, a frame counts as due this long before its due time.
    static let timerSlack = Duration.microseconds(50)
    /// Without a clock, an animation tick waits for a video frame that is due within this many periods of the last
    /// swap.
    static let longestTick = 1.1

    /// The display's clock; its period is unknown until enough refreshes are reported.
    public private(set) var clock = DisplayClock()
    /// Estimates how early frames must be sent.
    private(set) var latch = LatchEstimator()
    /// Assigns video frames to refreshes.
    private(set) var cadence = FrameCadence()
    /// The period according to the window system.
    private(set) var nominalPeriod: Duration
    /// The time between refreshes: measured if the clock is known, else nominal.
    public var period: Duration { clockPeriod ?? nominalPeriod }
    /// Whether the display has a variable refresh rate: it refreshes when a frame arrives, so its clock cannot
    /// predict the next refresh. Each frame is then shown when it is due.
    public var isVariable = false {
        didSet { if isVariable != oldValue { resetClock() } }
    }
    /// The measured period; nil if it is unknown or varies.
    var clockPeriod: Duration? { isVariable ? nil : clock.period }
    /// How long before its swap a draw begins: the mean cost plus a reserve for slower frames.
    public var lead: Duration { min(max(mean, longest), mean + period / 3) }
    /// The running mean of a frame's cost, from its first command until its swap returns, without waits.
    private(set) var mean = Duration.milliseconds(4)
    /// The longest recent cost. Decays slowly: otherwise, even one slow frame in a few dozen would miss its refresh
    /// each time and be visible as a jolt.
    private var longest = Duration.zero
    /// The running mean of how long a swap takes.
    private var swapTime = Duration.zero
    private(set) var lastSwap: HostTime?
    /// The count of the refresh that the last draw was for; nil without a clock.
    private var lastTarget: Int64?
    /// Nothing is drawn before this time unless a redraw is needed. Set when there was nothing to draw.
    private var heldUntil: HostTime?

    /// - Parameter refreshRate: The display's nominal rate in Hz, used until the clock is known; nil for
    ///   `defaultRefreshRate`.
    public init(refreshRate: Double?) { nominalPeriod = Self.period(refreshRate) }

    private static func period(_ rate: Double?) -> Duration {
        // No display refreshes more than 10,000 times a second; a driver that reports more is wrong.
        guard let rate, 1...10_000 ~= rate else { return period(defaultRefreshRate) }
        return .nanoseconds(Int64(clampingNanoseconds: 1 / rate))
    }

    /// Sets the nominal rate in Hz; nil if it is unknown.
    public mutating func setRefreshRate(_ rate: Double?) { nominalPeriod = Self.period(rate) }

    /// Takes the display's report of one refresh. Ignored while `isVariable` is true.
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

    /// Forgets how early frames must be sent. Call when frames may reach the screen in another way, for example without
    /// the compositor.
    mutating func resetLatch() { latch = LatchEstimator() }

    /// When a frame sent at `sent` is expected to be visible; nil without a clock.
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
    ///   - wake: When the loop must run again in any case; nil if no time is set.
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

    /// Records that there was nothing to draw after all. Draws then pause for half a period, except for a needed
    /// redraw. Without the pause, the loop would spin, since it has no swap to wait for.
    public mutating func didPass(at time: HostTime) { heldUntil = time + period / 2 }

    /// When to call the swap of a draw begun at `now`, so that the frame does not become visible too early; nil to
    /// call it at once.
    ///
    /// - Parameters:
    ///   - frameDue: When the video frame of this draw is due; nil if there is none.
    ///   - framesBy: The latest due time that the video frame of this draw may have.
    ///   - visible: When the draw will be visible.
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

    /// When a draw planned for `planned` becomes visible, given the time of its swap from `swapTime`. Without a clock,
    /// a swap held until a video frame is due decides.
    func visibleTime(planned: HostTime, swapTime swap: HostTime?) -> HostTime {
        guard clockPeriod == nil, let swap else { return planned }
        return swap + swapTime
    }

    /// Records that a draw visible at `visible` shows a video frame due at `due`.
    public mutating func didChoose(due: HostTime, visibleAt visible: HostTime) {
        if let period = clockPeriod { cadence.didChoose(due: due, at: visible, period: period) }
    }

    /// Records the times of a draw: its first command, the call of its swap, and the swap's return.
    ///
    /// - Parameters:
    ///   - held: How long the finished frame waited for its swap time.
    ///   - visible: When the draw was meant to be visible.
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

    /// How long before its refresh a swap is planned.
    private func margin(_ period: Duration) -> Duration {
        min(usualMargin(period) + period * latch.advance, period * (1 - Self.earliestSwap))
    }

    private func usualMargin(_ period: Duration) -> Duration {
        max(period * Self.latestSwap, min(Self.latestSwapTime, period * 0.4))
    }

    /// How long before a refresh a swap must be called to reach that refresh. The rest of the margin absorbs late
    /// wake-ups.
    func deadline(_ period: Duration) -> Duration {
        let usual = max(period * Self.deadline, min(Self.deadlineTime, period * 0.2))
        guard latch.advance > 0 else { return usual }
        let most = margin(period) - period * LatchEstimator.step
        return max(usual, min(latch.enough.map { usualMargin(period) + period * $0 } ?? most, most))
    }

    /// The time from the first refresh after a swap to the one that shows the frame.
    func delay(_ period: Duration) -> Duration { period * Double(latch.delay) }

    /// The first refresh that has had no draw yet and that a draw begun at `now` can reach.
    private func reachable(after now: HostTime, period: Duration) -> DisplayClock.Refresh? {
        guard let next = clock.refresh(after: now + min(mean, period) + deadline(period)) else { return nil }
        guard let lastTarget, next.count <= lastTarget else { return next }
        // After a jump of the counter, a last target far ahead would block every draw.
        guard lastTarget - next.count < 4 else { return next }
        return clock.refresh(numbered: lastTarget + 1)
    }

    /// When to begin drawing for a refresh: as late as margin and cost allow, so that the content is recent. Usually
    /// this is after the previous refresh, because before it the driver may have no free buffer and would wait. A slow
    /// draw begins before the previous refresh.
    private func begin(for target: DisplayClock.Refresh, period: Duration) -> HostTime {
        target.time - startLead(period)
    }

    /// How long before its refresh a draw begins.
    func startLead(_ period: Duration) -> Duration {
        let longest = margin(period) + lead
        // A slow draw begins before the previous refresh, or it would not reach its own (see `reachable`).
        let isSlow = mean > period * 0.6 || min(mean, period) + deadline(period) > period * 0.85
        return isSlow ? longest : min(longest, period * 0.97)
    }

    // MARK: - Without the display's clock

    /// When to begin the next animation tick: early enough to be swapped one period after the last swap, or together
    /// with the video frame if that is due soon.
    ///
    /// If a video frame is due soon after the next tick, the tick is moved to halfway between the last swap and that
    /// frame. So animations keep the display's rate whatever the film's rate is, and no two draws collide.
    private func nextTick(frameDue: HostTime?, now: HostTime) -> HostTime {
        guard let lastSwap else { return now }
        guard let frameDue else { return lastSwap + period - mean }
        let gap = frameDue - lastSwap
        if gap <= period * Self.longestTick { return frameDue - lead }
        if gap < period * (Self.longestTick * 1.5) { return lastSwap + gap / 2 - mean }
        return lastSwap + period - mean
    }
}
