public import Time

/// Decides when the frame loop draws, and for which instant.
///
/// Pure: it is told the time. There are two cases:
/// - The display's clock is known (`DisplayClock`). Each draw is for one refresh, and there is one draw for a refresh. A
///   draw begins so long before the refresh as drawing has taken lately, and what is drawn early is held until the refresh
///   before has passed: a queue of the driver never fills, and whether a swap waits makes no difference.
/// - Nobody tells of refreshes. A draw begins so long before a video frame is due as drawing has taken lately, and what is
///   drawn early is held until it is due. While something moves, draws come between at the rate that the display is said
///   to have.
public struct FramePacer: Sendable {
    /// What the loop does next.
    public enum Plan: Hashable, Sendable {
        /// Draw what is to be seen at `visibleAt`, with the newest video frame that is due by `framesBy`: the slack
        /// with which a frame counts as due is the reason to draw, so it must hold for taking the frame as well.
        case draw(visibleAt: HostTime, framesBy: HostTime)
        /// Sleep until then, or until an event; nil: until an event.
        case sleep(until: HostTime?)
    }

    /// Assumed where the display's rate is unknown.
    public static let defaultRefreshRate = 60.0
    /// A swap is called no sooner than this fraction of a period after the refresh before its own.
    static let earliestSwap = 0.25
    /// A swap is called no later than this fraction of a period before its refresh, and `latestSwapTime`: compositors and
    /// drivers need the rest.
    static let latestSwap = 0.25
    static let latestSwapTime = Duration.milliseconds(2.5)
    /// A draw whose swap would come later than this fraction of a period before a refresh, and `deadlineTime`, is for the
    /// next one.
    static let deadline = 0.08
    static let deadlineTime = Duration.milliseconds(1)
    /// Without a display's clock, a frame counts as due by this much before it is.
    static let timerSlack = Duration.microseconds(50)
    /// Without a display's clock, a tick may be so many periods long for the video's frame to fall together with it.
    static let longestTick = 1.1

    /// The display's clock, which knows nothing until refreshes are reported.
    public private(set) var clock = DisplayClock()
    /// How video frames are given to refreshes.
    private var cadence = FrameCadence()
    /// The period that the display is said to have.
    private(set) var nominalPeriod: Duration
    /// The time from one refresh to the next: as measured, else as the window system says.
    public var period: Duration { clock.period ?? nominalPeriod }
    /// How long before its swap a frame is begun: as long as one takes, and a reserve for those that take longer.
    public var lead: Duration { min(max(mean, longest), mean + period / 3) }
    /// How long a frame takes from its first command until its swap has returned: a running mean.
    private var mean = Duration.milliseconds(4)
    /// How long the longest of late has taken. Forgotten slowly: what comes once in some dozens of frames is a jolt each time.
    private var longest = Duration.zero
    /// How long a swap takes.
    private var swapTime = Duration.zero
    private var lastSwap: HostTime?
    /// The refresh that the last draw was for; nil without a display's clock.
    private var lastTarget: Int64?
    /// Until when there is nothing to draw for, whatever is due or moves.
    private var heldUntil: HostTime?

    /// - Parameter refreshRate: the display's, in Hz, as far as the window system knows; used until the clock is known.
    public init(refreshRate: Double?) { nominalPeriod = Self.period(refreshRate) }

    private static func period(_ rate: Double?) -> Duration {
        // No display refreshes more often than 10,000 times a second: that is a driver's mistake.
        guard let rate, 1...10_000 ~= rate else { return period(defaultRefreshRate) }
        return .nanoseconds(Int64(clampingNanoseconds: 1 / rate))
    }

    /// The window lies on a display of another rate, in Hz; nil where it is unknown.
    public mutating func setRefreshRate(_ rate: Double?) { nominalPeriod = Self.period(rate) }

    /// Takes a display's report of one refresh.
    public mutating func observe(_ refresh: DisplayClock.Refresh) {
        clock.observe(refresh)
        if clock.period == nil { lastTarget = nil }
    }

    /// Forgets the display's clock: the window lies on another display, or nobody has told of refreshes for long.
    public mutating func resetClock() {
        clock.reset()
        lastTarget = nil
    }

    /// What to do at `now`.
    ///
    /// - Parameters:
    ///   - frameDue: when the next video frame is to be seen; nil where none waits.
    ///   - isAnimating: whether something else moves and wants the display's rate.
    ///   - needsRedraw: whether what is on screen is wrong and must be drawn at once.
    ///   - wake: when the loop must look again in any case.
    public func plan(
        now: HostTime, frameDue: HostTime?, isAnimating: Bool, needsRedraw: Bool, wake: HostTime?
    ) -> Plan {
        if let heldUntil, now < heldUntil, !needsRedraw { return .sleep(until: min(heldUntil, wake ?? heldUntil)) }
        if let period = clock.period {
            return plan(
                period: period, now: now, frameDue: frameDue, isMoving: isAnimating || needsRedraw, wake: wake)
        }
        let due = now + lead
        if let frameDue, frameDue <= due + Self.timerSlack {
            return .draw(visibleAt: due, framesBy: due + Self.timerSlack)
        }
        // What is held for no frame is seen as soon as it is drawn.
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

    /// It was time to draw, and there was nothing to be drawn: a while passes before the next look, or a loop whose swaps
    /// wait for nothing would spin.
    public mutating func didPass(at time: HostTime) { heldUntil = time + period / 2 }

    /// When the swap of what is drawn from `now` on is to be called, so that it is seen when it should and not sooner; nil
    /// where that is at once.
    ///
    /// - Parameters:
    ///   - frameDue: when the frame that the draw is for is to be seen.
    ///   - framesBy: until when frames count as due for the draw.
    ///   - visible: when the draw will be seen.
    public func swapTime(frameDue: HostTime?, framesBy: HostTime, visibleAt visible: HostTime, now: HostTime)
        -> HostTime?
    {
        if let period = clock.period {
            let swap = visible - period * (1 - Self.earliestSwap)
            return swap > now ? swap : nil
        }
        guard let frameDue, frameDue <= framesBy else { return nil }
        let swap = frameDue - swapTime
        return swap > now ? swap : nil
    }

    /// Takes note that a draw, which will be seen at `visible`, shows a video frame that is due at `due`.
    public mutating func didChoose(due: HostTime, visibleAt visible: HostTime) {
        if let period = clock.period { cadence.didChoose(due: due, at: visible, period: period) }
    }

    /// Takes note of a frame: when its first command was given, when its swap was called, and when that returned.
    ///
    /// - Parameters:
    ///   - held: how long it was ready before the swap was called (`swapTime`).
    ///   - visible: when it was meant to be seen.
    public mutating func didSwap(
        began: HostTime, held: Duration = .zero, swapCalled: HostTime, returned: HostTime, visibleAt visible: HostTime
    ) {
        lastSwap = returned
        heldUntil = nil
        if let meant = clock.refresh(nearestTo: visible),
            let seen = clock.refresh(after: swapCalled)
        {
            lastTarget = max(meant.count, seen.count)
        }
        // A swap that waits for the display does not make the next draw take longer.
        let waited = clock.period == nil ? .zero : max(.zero, returned - swapCalled - .milliseconds(1))
        let cost = min(returned - began - held - waited, period * 4)
        mean += (cost - mean) / 8
        // No longer than what counts, or it would take long to be forgotten.
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
            // The first refresh that the frame is given to, or the first that can be reached.
            guard let own = clock.refresh(after: frameDue - period * threshold),
                let first = reachable(after: now, period: period)
            else { return .sleep(until: wake) }
            target = own.count > first.count ? own : first
        }
        if let target {
            let begin = self.begin(for: target, period: period)
            if begin <= now {
                return .draw(visibleAt: target.time, framesBy: target.time + period * cadence.threshold)
            }
            start = min(start ?? begin, begin)
        }
        return .sleep(until: start)
    }

    /// How long before its refresh a swap is called at the latest.
    private func margin(_ period: Duration) -> Duration {
        max(period * Self.latestSwap, min(Self.latestSwapTime, period * 0.4))
    }

    /// The first refresh that a draw begun now can be seen at, and that no draw was for yet. Most of the margin is for
    /// wake-ups that come late.
    private func reachable(after now: HostTime, period: Duration) -> DisplayClock.Refresh? {
        let deadline = max(period * Self.deadline, min(Self.deadlineTime, period * 0.2))
        guard let next = clock.refresh(after: now + min(mean, period) + deadline) else { return nil }
        guard let lastTarget, next.count <= lastTarget else { return next }
        // A counter that has jumped far ahead would hold every draw.
        guard lastTarget - next.count < 4 else { return next }
        return clock.refresh(numbered: lastTarget + 1)
    }

    /// When to begin what is to be seen at a refresh: as late as its margin and the usual cost allow, for what it shows to
    /// be new; and not before the refresh before it, or a driver without a free buffer would wait, unless it takes longer.
    private func begin(for target: DisplayClock.Refresh, period: Duration) -> HostTime {
        let latest = target.time - margin(period) - lead
        return mean > period * 0.6 ? latest : max(latest, target.time - period * 0.97)
    }

    // MARK: - Without it

    /// The next tick of an animation: a period after the last frame, or with the video's frame where that is next to it.
    ///
    /// Where the video's frame comes between one tick and the next, the two share the time until then: what moves is to
    /// move at the display's rate, whatever the film's, and no two draws are to crowd each other out.
    private func nextTick(frameDue: HostTime?, now: HostTime) -> HostTime {
        guard let lastSwap else { return now }
        guard let frameDue else { return lastSwap + period - mean }
        let gap = frameDue - lastSwap
        if gap <= period * Self.longestTick { return frameDue - lead }
        if gap < period * (Self.longestTick * 1.5) { return lastSwap + gap / 2 - mean }
        return lastSwap + period - mean
    }
}
