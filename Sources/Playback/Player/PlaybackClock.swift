public import Time

/// Which media time is on show at which instant.
///
/// A value of the frame loop's; it reads no clock. It runs on the host's monotonic clock by itself. Where sound leads,
/// `observe` draws it towards what is audible: by running a little faster or slower, so that frames keep their rhythm; by a
/// jump where the sound is far ahead; and by holding still where the sound has fallen behind. It never runs backwards.
public struct PlaybackClock: Hashable, Sendable {
    /// The share of the speed by which it may differ while it catches up with the sound; below what the eye notices.
    public static let slewLimit = 0.02
    /// How fast a small difference is made up for, as a share of it per second.
    public static let slewGain = 3.0
    /// Sound that is further ahead is jumped to.
    public static let jumpThreshold = Duration.milliseconds(80)
    /// Sound that has fallen further behind is waited for,
    public static let holdThreshold = Duration.milliseconds(60)
    /// until it is no further behind than this.
    public static let holdTolerance = Duration.milliseconds(20)

    private var anchor: MediaTime
    private var anchorHost: HostTime
    /// It stands still before this.
    private var heldUntil: HostTime?
    /// Since when sound that has fallen behind is waited for, without a break.
    private var waitsSince: HostTime?
    /// The share of the speed by which it runs faster, or slower, to catch up with the sound.
    public private(set) var correction = 0.0
    public private(set) var isRunning = false
    /// Media seconds a second.
    public private(set) var speed: Double

    /// - Precondition: `speed` is positive and finite, here and in `setSpeed`.
    public init(_ time: MediaTime = .zero, speed: Double = 1, at host: HostTime) {
        anchor = time
        anchorHost = host
        self.speed = speed
    }

    private var rate: Double { isRunning ? speed * (1 + correction) : 0 }

    /// The media time that is to be on show at `host`.
    public func time(at host: HostTime) -> MediaTime {
        var time = host - anchorHost
        if let heldUntil { time = max(.zero, host - max(anchorHost, heldUntil)) }
        let elapsed = Double(time.nanoseconds) * rate
        return anchor + .nanoseconds(Int64(clampingNanoseconds: elapsed / 1e9))
    }

    /// When `time` is to be on show; nil while the clock stands.
    public func hostTime(of time: MediaTime) -> HostTime? {
        guard rate > 0 else { return nil }
        let start = max(anchorHost, heldUntil ?? anchorHost)
        let wait = Double((time - anchor).nanoseconds) / rate
        return start + .nanoseconds(Int64(clampingNanoseconds: wait / 1e9))
    }

    /// Whether it stands still at `host` though it runs: sound that has fallen behind, or has yet to begin, is waited for.
    public func isHeld(at host: HostTime) -> Bool { isRunning && heldUntil.map { host < $0 } ?? false }

    /// For how long sound that has fallen behind has been waited for.
    public func wait(at host: HostTime) -> Duration { waitsSince.map { host - $0 } ?? .zero }

    /// Goes to `time` at once, as a seek does.
    public mutating func set(_ time: MediaTime, at host: HostTime) {
        anchor = time
        anchorHost = host
        heldUntil = nil
        waitsSince = nil
        correction = 0
    }

    /// Runs on, from `start` where that is later than `host`.
    public mutating func run(at host: HostTime, from start: HostTime? = nil) {
        settle(at: host)
        isRunning = true
        if let start, start > host { heldUntil = start }
    }

    public mutating func stop(at host: HostTime) {
        settle(at: host)
        isRunning = false
        heldUntil = nil
        waitsSince = nil
        correction = 0
    }

    public mutating func setSpeed(_ new: Double, at host: HostTime) {
        settle(at: host)
        speed = new
    }

    /// Takes note that `audible` is what is heard at `host`.
    public mutating func observe(_ audible: MediaTime, at host: HostTime) {
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

    /// Takes note that nothing is heard: it runs by itself, at its very speed.
    public mutating func observeSilence(at host: HostTime) {
        guard correction != 0 || heldUntil != nil || waitsSince != nil else { return }
        settle(at: host)
        correction = 0
        heldUntil = nil
        waitsSince = nil
    }

    /// Makes the present value the new anchor, so that a change of rate does not move it.
    private mutating func settle(at host: HostTime) {
        anchor = time(at: host)
        anchorHost = host
        if let held = heldUntil, held <= host { heldUntil = nil }
    }
}
