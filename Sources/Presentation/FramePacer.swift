public import Time

/// Decides when the frame loop draws, and for which instant.
///
/// Pure: it is told the time. Two kinds of display:
/// - The swap waits for the display's refresh. Then ticks are the display's: a frame that is due is drawn right after
///   the refresh before the one at which it will be seen.
/// - The swap does not wait (the CPU draws, or the X server is a virtual one). Then a draw begins so long before a video frame
///   is due as drawing has taken lately, and some more; what is drawn by then is held until it is due. Only while
///   something moves, there are draws in between at the display's rate.
///
/// Which kind it is need not be known: it is seen from how long swaps take.
public struct FramePacer: Sendable {
    /// What the loop is to do now.
    public enum Plan: Hashable, Sendable {
        /// Draw what is to be seen at `visibleAt`, with the newest video frame that is due by `framesBy`: the slack
        /// with which a frame counts as due is the reason to draw, so it must hold for taking the frame as well.
        case draw(visibleAt: HostTime, framesBy: HostTime)
        /// Sleep until then, or until an event; nil: until an event.
        case sleep(until: HostTime?)
    }

    /// Assumed where nobody knows the display's rate.
    public static let defaultRefreshRate = 60.0
    /// A frame counts as due at a refresh this share of a period before it: films whose rate is nearly the display's
    /// would otherwise flip between two refreshes with every breath of the clock.
    public static let dueSlack = 0.25
    /// Swaps that return sooner do not wait for a display.
    public static let blockingThreshold = Duration.microseconds(500)
    /// A tick may be so many periods long for the video's frame to fall together with it.
    static let longestTick = 1.1
    /// So many in a row decide.
    public static let decisiveSwaps = 16

    /// The time from one refresh to the next.
    public private(set) var period: Duration
    /// Whether swaps wait for the display, as far as known.
    public private(set) var isBlocking: Bool
    /// How long before it is seen a frame is begun, where swaps do not wait: as long as one takes, and a reserve for those that
    /// take longer.
    public var lead: Duration { min(max(mean, longest), mean + period / 3) }
    /// How long a frame takes from its first command until it is seen: a running mean.
    private var mean = Duration.milliseconds(4)
    /// How long the longest of late has taken. Forgotten slowly: what comes once in some dozens of frames is a jolt each time.
    private var longest = Duration.zero
    /// How long a swap takes that does not wait.
    private var swapTime = Duration.zero
    private let isDecided: Bool
    private var lastSwap: HostTime?
    /// Until when there is nothing to draw for, whatever is due or moves.
    private var heldUntil: HostTime?
    private var quickSwaps = 0

    /// - Parameters:
    ///   - swapBlocks: whether swaps wait for the display; nil where watching must tell.
    ///   - refreshRate: the display's, in Hz.
    public init(swapBlocks: Bool?, refreshRate: Double?) {
        isDecided = swapBlocks != nil
        isBlocking = swapBlocks ?? true
        period = Self.period(refreshRate)
    }

    private static func period(_ rate: Double?) -> Duration {
        // No display refreshes more often than 10,000 times a second: that is a driver's mistake.
        guard let rate, 1...10_000 ~= rate else { return period(defaultRefreshRate) }
        return .nanoseconds(Int64(clampingNanoseconds: 1 / rate))
    }

    /// The window lies on a display of another rate, in Hz; nil where nobody knows.
    public mutating func setRefreshRate(_ rate: Double?) { period = Self.period(rate) }

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
        let slack = isBlocking ? period * Self.dueSlack : .microseconds(50)
        let due = nextVisible(after: now, taking: lead)
        if let frameDue, frameDue <= due + slack { return .draw(visibleAt: due, framesBy: due + slack) }
        // What is held for no frame is seen as soon as it is drawn.
        let visible = nextVisible(after: now, taking: mean)
        let draw = Plan.draw(visibleAt: visible, framesBy: visible + slack)
        if needsRedraw && !isAnimating { return draw }
        var start = frameDue.map { self.start(forDue: $0) }
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

    /// When the swap of what is drawn from `now` on is to be called, so that it is seen when its video frame is due and not
    /// sooner; nil where that is at once.
    ///
    /// - Parameters:
    ///   - frameDue: when the frame that the draw is for is to be seen.
    ///   - framesBy: until when frames count as due for the draw.
    public func swapTime(frameDue: HostTime?, framesBy: HostTime, now: HostTime) -> HostTime? {
        guard !isBlocking, let frameDue, frameDue <= framesBy else { return nil }
        let swap = frameDue - swapTime
        return swap > now ? swap : nil
    }

    /// Takes note of a frame: when its first command was given, when its swap was called, and when that returned.
    ///
    /// - Parameter held: how long it was ready before the swap was called (`swapTime`).
    public mutating func didSwap(
        began: HostTime, held: Duration = .zero, swapCalled: HostTime, returned: HostTime
    ) {
        if !isDecided {
            quickSwaps = returned - swapCalled < Self.blockingThreshold ? quickSwaps + 1 : 0
            if quickSwaps >= Self.decisiveSwaps {
                isBlocking = false
            } else if !isBlocking, returned - swapCalled > period / 2 {
                isBlocking = true
            }
        }
        lastSwap = returned
        heldUntil = nil
        let cost = min(returned - began - held, period * 4)
        mean += (cost - mean) / 8
        // No longer than what counts, or it would take long to be forgotten.
        longest = min(max(cost, longest - (longest - mean) / 128), mean + period / 3)
        swapTime += (min(returned - swapCalled, period / 4) - swapTime) / 8
    }

    /// When something drawn from `now` on will be seen, where it takes `time` if no display is waited for.
    private func nextVisible(after now: HostTime, taking time: Duration) -> HostTime {
        guard isBlocking, let lastSwap else { return now + time }
        let refreshes = ((now - lastSwap).nanoseconds / period.nanoseconds).addingClamped(1)
        return lastSwap + period * Int(refreshes)
    }

    /// When to begin a frame that is to be seen at `due`.
    private func start(forDue due: HostTime) -> HostTime {
        guard isBlocking, let lastSwap else { return due - lead }
        // The first refresh at which it counts as due, and the whole period before that to draw it in.
        let wait = (due - period * Self.dueSlack - lastSwap).nanoseconds
        let refreshes = max(1, wait.addingClamped(period.nanoseconds - 1) / period.nanoseconds)
        return lastSwap + period * Int(refreshes - 1)
    }

    /// The next tick of an animation: a period after the last frame, or with the video's frame where that is next to it.
    ///
    /// Where the video's frame comes between one tick and the next, the two share the time until then: what moves is to
    /// move at the display's rate, whatever the film's, and no two draws are to crowd each other out.
    private func nextTick(frameDue: HostTime?, now: HostTime) -> HostTime {
        guard let lastSwap else { return now }
        if isBlocking { return lastSwap }
        guard let frameDue else { return lastSwap + period - mean }
        let gap = frameDue - lastSwap
        if gap <= period * Self.longestTick { return frameDue - lead }
        if gap < period * (Self.longestTick * 1.5) { return lastSwap + gap / 2 - mean }
        return lastSwap + period - mean
    }
}
