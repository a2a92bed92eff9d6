public import Motion

/// Which media time is on show at which instant.
///
/// A value of the frame loop's; it reads no clock. It runs on the host's monotonic clock by itself. Where sound leads,
/// `observe` draws it towards what is audible: by running a little faster or slower, so that frames keep their rhythm,
/// and by a jump only where the sound is far ahead. It never runs backwards.
public struct PlaybackClock: Hashable, Sendable {
    /// The share of the speed by which it may differ while it catches up with the sound; below what the eye notices.
    public static let slewLimit = 0.02
    /// How fast a small difference is made up for, as a share of it per second.
    public static let slewGain = 3.0
    /// Beyond this, differences are no jitter.
    public static let jumpThreshold = Duration.milliseconds(80)

    private var anchor: MediaTime
    private var anchorHost: HostTime
    /// The share of the speed by which it runs faster, or slower, to catch up with the sound.
    public private(set) var correction = 0.0
    public private(set) var isRunning = false
    /// Media seconds a second.
    public private(set) var speed: Double

    public init(_ time: MediaTime = .zero, speed: Double = 1, at host: HostTime) {
        anchor = time
        anchorHost = host
        self.speed = speed
    }

    private var rate: Double { isRunning ? speed * (1 + correction) : 0 }

    /// The media time that is to be on show at `host`.
    public func time(at host: HostTime) -> MediaTime {
        let elapsed = Double((host - anchorHost).nanoseconds) * rate
        return MediaTime(nanoseconds: anchor.nanoseconds &+ Int64(clampingNanoseconds: elapsed / 1e9))
    }

    /// When `time` is to be on show; nil while the clock stands.
    public func hostTime(of time: MediaTime) -> HostTime? {
        guard rate > 0 else { return nil }
        let wait = Double((time - anchor).nanoseconds) / rate
        let (sum, isBeyond) = anchorHost.nanoseconds.addingReportingOverflow(Int64(clampingNanoseconds: wait / 1e9))
        return HostTime(nanoseconds: isBeyond ? (wait < 0 ? .min : .max) : sum)
    }

    /// Goes to `time` at once, as a seek does.
    public mutating func set(_ time: MediaTime, at host: HostTime) {
        anchor = time
        anchorHost = host
        correction = 0
    }

    public mutating func run(at host: HostTime) {
        settle(at: host)
        isRunning = true
    }

    public mutating func stop(at host: HostTime) {
        settle(at: host)
        isRunning = false
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
        if ahead > Self.jumpThreshold {
            set(audible, at: host)
        } else {
            correction = min(max(ahead.inSeconds * Self.slewGain, -Self.slewLimit), Self.slewLimit)
        }
    }

    /// Makes the present value the new anchor, so that a change of rate does not move it.
    private mutating func settle(at host: HostTime) {
        anchor = time(at: host)
        anchorHost = host
    }
}
