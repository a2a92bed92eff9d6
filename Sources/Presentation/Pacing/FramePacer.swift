public import Time

/// Decides when the frame loop draws, and for which instant.
///
/// Pure: the time is passed in. There are two cases:
/// - The display's clock is known (`DisplayClock`). Each draw is for one refresh, and each refresh gets at most one
/// draw. A draw starts early enough for its recent cost, and its swap is held until the previous refresh has passed. So
/// a driver's queue never fills, and it does not matter whether a swap waits.
/// - No refreshes are reported. A draw starts early enough for its recent cost before a video frame is due, and its
/// swap is held until then. During animations, draws in between follow the nominal refresh rate.
public struct FramePacer: Sendable {
    /// The loop's next step.
    public enum Plan: Hashable, Sendable {
        /// Draw for `visibleAt`, with the newest video frame that is due by `framesBy`. If a frame counts as due with
        /// some slack when deciding to draw, the same slack must apply when taking it.
        case draw(visibleAt: HostTime, framesBy: HostTime)
        /// Sleep until this time or an event; nil: until an event.
        case sleep(until: HostTime?)
    }

    /// Assumed if the display's rate is unknown.
    public static let defaultRefreshRate = 60.0
    /// A swap is called no earlier than this fraction of a period after the previous refresh.
    static let earliestSwap = 0.25
    /// A swap is planned no later than this fraction of a period, and `latestSwapTime`, before its refresh: compositors
    /// and drivers need the rest. Where they need more, it is earlier (`LatchEstimator`).
    static let latestSwap = 0.25
    static let latestSwapTime = Duration.milliseconds(2.5)
    /// A draw whose swap would come later than this fraction of a period, and `deadlineTime`, before a refresh is meant
    /// for the next one.
    static let deadline = 0.08
    static let deadlineTime = Duration.milliseconds(1)
    /// A frame that missed its refresh counts only if it was sent at most this much later than planned, in periods, or this
    /// long.
    static let lateTolerance = 0.03
    static let lateToleranceTime = Duration.milliseconds(0.4)
    /// Without a clock, a frame counts as due this long before its time.
    static let timerSlack = Duration.microseconds(50)
    /// Without a clock, the longest tick, in periods, that waits for a video frame.
    static let longestTick = 1.1

    /// The display's clock. Unknown until refreshes are reported.
    public private(set) var clock = DisplayClock()
    /// How early frames must be sent.
    private(set) var latch = LatchEstimator()
    /// Assigns video frames to refreshes.
    private(set) var cadence = FrameCadence()
    /// The period according to the window system.
    private(set) var nominalPeriod: Duration
    /// The time between refreshes: measured if the clock is known, else nominal.
    public var period: Duration { clockPeriod ?? nominalPeriod }
    /// Whether the display refreshes when a frame arrives, so that its clock says nothing about the next refresh. Each
    /// frame is then shown at its time.
    public var isVariable = false {
        didSet { if isVariable != oldValue { resetClock() } }
    }
    /// The measured period; nil if it is unknown or varies.
    var clockPeriod: Duration? { isVariable ? nil : clock.period }
    /// How long before its swap a frame is begun: its mean cost plus a reserve for slower frames.
    public var lead: Duration { min(max(mean, longest), mean + period / 3) }
    /// The cost of a frame from its first command until its swap returns: a running mean.
    private(set) var mean = Duration.milliseconds(4)
    /// The longest recent cost. Decays slowly, since one slow frame in a few dozen would be a visible jolt each time.
    private var longest = Duration.zero
    /// How long a swap takes.
    private var swapTime = Duration.zero
    private(set) var lastSwap: HostTime?
    /// The refresh that the last draw was for; nil without a clock.
    private var lastTarget: Int64?
    /// No draw before this time, as there is nothing to draw.
    private var heldUntil: HostTime?

    /// - Parameter refreshRate: The display's nominal rate in Hz, used until the clock is known.
    public init(refreshRate: Double?) { nominalPeriod = Self.period(refreshRate) }

    private static func period(_ rate: Double?) -> Duration {
        // No display refreshes more than 10,000 times a second; a driver that reports so is wrong.
        guard let rate, 1...10_000 ~= rate else { return period(defaultRefreshRate) }
        return .nanoseconds(Int64(clampingNanoseconds: 1 / rate))
    }

    /// Sets the nominal rate in Hz; nil if unknown.
    public mutating func setRefreshRate(_ rate: Double?) { nominalPeriod = Self.period(rate) }

    /// Takes a display's report of one refresh.
    public mutating func observe(_ refresh: DisplayClock.Refresh) {
        if isVariable { return }
        clock.observe(refresh)
        if clock.period == nil {
            lastTarget = nil
            resetLatch()
        }
    }

    /// Takes a display's report that a frame sent at `sent` became visible at `refresh`.
    public mutating func didShow(at refresh: DisplayClock.Refresh, sent: HostTime) {
        guard let period = clockPeriod, let first = clock.refresh(after: sent),
            let expected = clock.refresh(numbered: refresh.count)?.time,
            max(expected - refresh.time, refresh.time - expected) <= period * DisplayClock.tolerance
        else { return }
        let missed = refresh.count.subtractingClamped(first.count)
        let early = (first.time - sent - usualMargin(period)) / period
        let deviation = (first.time - sent - margin(period)) / period
        let tolerance = max(Self.lateTolerance, Self.lateToleranceTime / period)
        // If a frame that was sent later than planned missed its refresh, the plan may still be early enough.
        if missed > 0, deviation < -tolerance { return }
        latch.observe(missed: missed, early: early)
    }

    /// Forgets how early frames must be sent, because something else may put them on the screen now.
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
    ///   - isAnimating: Whether something moves at the display's rate.
    ///   - needsRedraw: Whether the screen is out of date and must be redrawn at once.
    ///   - wake: When the loop must run again regardless.
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

    /// Records that there was nothing to draw after all. Pauses for half a period, so that a loop whose swaps do not
    /// wait does not spin.
    public mutating func didPass(at time: HostTime) { heldUntil = time + period / 2 }

    /// When to call the swap of a draw begun at `now`, so that it is not visible too early; nil for immediately.
    ///
    /// - Parameters:
    ///   - frameDue: When the video frame of this draw is due.
    ///   - framesBy: Until when frames count as due for this draw.
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

    /// Records that a draw visible at `visible` shows a video frame due at `due`.
    public mutating func didChoose(due: HostTime, visibleAt visible: HostTime) {
        if let period = clockPeriod { cadence.didChoose(due: due, at: visible, period: period) }
    }

    /// Records a draw: when its first command was given, when its swap was called, and when the swap returned.
    ///
    /// - Parameters:
    ///   - held: How long the finished frame waited for its swap time.
    ///   - visible: When it was meant to be visible.
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
        // A swap that waits for the display does not make the next draw more expensive.
        let waited = clockPeriod == nil ? .zero : max(.zero, returned - swapCalled - .milliseconds(1))
        let cost = min(returned - began - held - waited, period * 4)
        mean += (cost - mean) / 8
        // Clamped, so that one very slow frame is forgotten in time.
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
            // The first refresh that the frame belongs to, or the first that can still be reached.
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

    /// How long before a refresh a swap must be called to reach it. Most of the margin absorbs late wake-ups.
    func deadline(_ period: Duration) -> Duration {
        let usual = max(period * Self.deadline, min(Self.deadlineTime, period * 0.2))
        guard latch.advance > 0 else { return usual }
        let most = margin(period) - period * LatchEstimator.step
        return max(usual, min(latch.enough.map { usualMargin(period) + period * $0 } ?? most, most))
    }

    /// The time from the first refresh after a swap to the one that shows the frame.
    func delay(_ period: Duration) -> Duration { period * Double(latch.delay) }

    /// The first refresh that a draw begun now can reach, after the last one drawn for.
    private func reachable(after now: HostTime, period: Duration) -> DisplayClock.Refresh? {
        guard let next = clock.refresh(after: now + min(mean, period) + deadline(period)) else { return nil }
        guard let lastTarget, next.count <= lastTarget else { return next }
        // If the counter jumped far ahead, it would block every draw.
        guard lastTarget - next.count < 4 else { return next }
        return clock.refresh(numbered: lastTarget + 1)
    }

    /// When to begin drawing for a refresh: as late as margin and cost allow, so that the content is recent, but not
    /// before the previous refresh, where a driver without a free buffer would wait. If drawing takes longer than that
    /// allows, it begins earlier.
    private func begin(for target: DisplayClock.Refresh, period: Duration) -> HostTime {
        target.time - startLead(period)
    }

    /// How long before its refresh a draw begins.
    func startLead(_ period: Duration) -> Duration {
        let longest = margin(period) + lead
        // It must begin early enough to reach the refresh; see `reachable`.
        let isSlow = mean > period * 0.6 || min(mean, period) + deadline(period) > period * 0.85
        return isSlow ? longest : min(longest, period * 0.97)
    }

    // MARK: - Without it

    /// The next tick of an animation: one period after the last frame, or with the video frame if that is close.
    ///
    /// A video frame between two ticks moves the tick halfway, so that animations keep the display's rate regardless of
    /// the film's rate, and no two draws collide.
    private func nextTick(frameDue: HostTime?, now: HostTime) -> HostTime {
        guard let lastSwap else { return now }
        guard let frameDue else { return lastSwap + period - mean }
        let gap = frameDue - lastSwap
        if gap <= period * Self.longestTick { return frameDue - lead }
        if gap < period * (Self.longestTick * 1.5) { return lastSwap + gap / 2 - mean }
        return lastSwap + period - mean
    }
}
