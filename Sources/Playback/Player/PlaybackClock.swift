package import GlissadeTime

/// Maps host time to media time.
///
/// Callers pass the host time; the clock never reads it itself. Without audio, media time advances steadily with host
/// time. With audio, `observe` keeps the clock close to the media time being heard. Small offsets are corrected by
/// slight changes of speed, so that frames keep their rhythm. If audio is far ahead, the clock jumps; if audio is far
/// behind, the clock stands still. Only `set` can move the clock backwards.
package struct PlaybackClock: Hashable, Sendable {
    /// The largest relative change of speed that brings the clock closer to audio; too small to notice.
    package static let slewLimit = 0.02
    /// The relative change of speed for each second of offset from audio, limited to `slewLimit`.
    package static let slewGain = 3.0
    /// The clock jumps to audio that is further ahead than this.
    package static let jumpThreshold = Duration.milliseconds(80)
    /// The clock waits for audio that is further behind than this.
    package static let holdThreshold = Duration.milliseconds(60)
    /// The clock stops waiting once audio is no further behind than this.
    package static let holdTolerance = Duration.milliseconds(20)

    private var anchor: MediaTime
    private var anchorHost: HostTime
    /// The host time until which the clock stands still; nil if it does not stand still.
    private var heldUntil: HostTime?
    /// When the clock began to wait for audio; nil if it is not waiting.
    private var waitsSince: HostTime?
    /// The current relative change of speed that brings the clock closer to audio; negative if audio is behind.
    package private(set) var correction = 0.0
    /// Whether the clock has been started. Also true while the clock stands still to wait for audio or for its start
    /// time.
    package private(set) var isRunning = false
    /// The speed, in media seconds per second, without `displayFactor` and `correction`.
    package private(set) var speed: Double
    /// The factor that adapts the speed to a display's refresh rate; 1 if no display sets the pace.
    package private(set) var displayFactor = 1.0

    /// - Precondition: `speed` is positive and finite.
    package init(_ time: MediaTime = .zero, speed: Double = 1, at host: HostTime) {
        anchor = time
        anchorHost = host
        self.speed = speed
    }

    private var rate: Double { isRunning ? speed * displayFactor * (1 + correction) : 0 }

    /// The media time at `host`.
    package func time(at host: HostTime) -> MediaTime {
        var time = host - anchorHost
        if let heldUntil { time = max(.zero, host - max(anchorHost, heldUntil)) }
        let elapsed = Double(time.nanoseconds) * rate
        return anchor + .nanoseconds(Int64(clampingNanoseconds: elapsed / 1e9))
    }

    /// The host time at which the clock, at its current rate, reaches `time`; nil while the clock is stopped.
    package func hostTime(of time: MediaTime) -> HostTime? {
        guard rate > 0 else { return nil }
        let start = max(anchorHost, heldUntil ?? anchorHost)
        let wait = Double((time - anchor).nanoseconds) / rate
        return start + .nanoseconds(Int64(clampingNanoseconds: wait / 1e9))
    }

    /// Whether the clock has been started but stands still at `host`, to wait for audio or for its start time.
    package func isHeld(at host: HostTime) -> Bool { isRunning && heldUntil.map { host < $0 } ?? false }

    /// How long the clock has been waiting at `host` for late audio; 0 if it is not waiting.
    package func wait(at host: HostTime) -> Duration { waitsSince.map { host - $0 } ?? .zero }

    /// Sets the clock to `time` at `host`, and ends any correction or wait.
    package mutating func set(_ time: MediaTime, at host: HostTime) {
        anchor = time
        anchorHost = host
        heldUntil = nil
        waitsSince = nil
        correction = 0
    }

    /// Starts the clock at `host`, or at `start` if that is later.
    package mutating func run(at host: HostTime, from start: HostTime? = nil) {
        settle(at: host)
        isRunning = true
        if let start, start > host { heldUntil = start }
    }

    /// Stops the clock at `host`.
    package mutating func stop(at host: HostTime) {
        settle(at: host)
        isRunning = false
        heldUntil = nil
        waitsSince = nil
        correction = 0
    }

    /// Changes the speed to `new` media seconds per second from `host` on, without a jump.
    ///
    /// - Precondition: `new` is positive and finite.
    package mutating func setSpeed(_ new: Double, at host: HostTime) {
        settle(at: host)
        speed = new
    }

    /// Sets the factor that adapts the speed to a display's refresh rate, from `host` on and without a jump.
    ///
    /// - Precondition: `factor` is positive and finite.
    package mutating func setDisplayFactor(_ factor: Double, at host: HostTime) {
        guard factor != displayFactor else { return }
        settle(at: host)
        displayFactor = factor
    }

    /// Records that the media time `audible` is heard at `host`, and brings the clock closer to it. Does nothing while
    /// the clock is stopped.
    package mutating func observe(_ audible: MediaTime, at host: HostTime) {
        guard isRunning else { return }
        settle(at: host)
        let ahead = audible - anchor
        if ahead > Self.jumpThreshold { return set(audible, at: host) }
        let behind = .zero - ahead
        if behind > (isHeld(at: host) ? Self.holdTolerance : Self.holdThreshold) {
            correction = 0
            waitsSince = waitsSince ?? host
            heldUntil = host + (behind - Self.holdTolerance) / speed
            return
        }
        heldUntil = nil
        waitsSince = nil
        correction = min(max(ahead.inSeconds * Self.slewGain, -Self.slewLimit), Self.slewLimit)
    }

    /// Records that no audio is heard at `host`. Ends any correction or wait.
    package mutating func observeSilence(at host: HostTime) {
        guard correction != 0 || heldUntil != nil || waitsSince != nil else { return }
        settle(at: host)
        correction = 0
        heldUntil = nil
        waitsSince = nil
    }

    /// Makes the time at `host` the new anchor, so that a following change of rate causes no jump.
    private mutating func settle(at host: HostTime) {
        anchor = time(at: host)
        anchorHost = host
        if let held = heldUntil, held <= host { heldUntil = nil }
    }
}
