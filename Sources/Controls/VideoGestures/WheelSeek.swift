import Time

/// A seek by the wheel: from where playing was when it began, notch by notch, to the ends of the file and no further.
///
/// It is counted from its begin and not from where playing is by each notch: that is behind while seeks are under way.
public struct WheelSeek {
    /// A file is crossed with so many notches,
    public static let notchesPerFile = 200.0
    /// with at least and at most so many seconds each.
    public static let secondsRange = 0.5...10.0
    /// How far a notch goes where the length is not known, in seconds.
    public static let secondsWithoutDuration = 5.0
    /// How long after its last notch it is over. Longer than a scroll's own pause: the hand goes back for another turn.
    public static let pause = Duration.milliseconds(400)

    /// How far a notch goes in a file so long, in seconds: 1/200 of it, but 0.5 s at least and 10 s at most; 5 s where the
    /// length is not known.
    public static func secondsPerNotch(duration: Duration?) -> Double {
        guard let duration, duration > .zero else { return secondsWithoutDuration }
        return min(max(duration.inSeconds / notchesPerFile, secondsRange.lowerBound), secondsRange.upperBound)
    }

    /// Where it has come to.
    private(set) var position: Duration
    private let duration: Duration?
    private let secondsPerNotch: Double
    private var last: HostTime

    init(position: Duration, duration: Duration?, secondsPerNotch: Double, now: HostTime) {
        self.duration = duration.flatMap { $0 > .zero ? $0 : nil }
        self.secondsPerNotch = secondsPerNotch
        self.position = max(.zero, self.duration.map { min($0, position) } ?? position)
        last = now
    }

    /// When it is over, if nothing else comes.
    var end: HostTime { last + Self.pause }
    var lastTurn: HostTime { last }

    /// Goes back by so many notches, or on where negative, as the picture of a strip does that is drawn to the right.
    ///
    /// - Returns: whether that is elsewhere.
    mutating func turn(by notches: Double, now: HostTime) -> Bool {
        last = max(last, now)
        let seconds = position.inSeconds - notches * secondsPerNotch
        guard seconds.isFinite else { return false }
        let wanted = Duration.nanoseconds(Int64(clampingNanoseconds: max(seconds, 0)))
        let new = duration.map { min($0, wanted) } ?? wanted
        defer { position = new }
        return new != position
    }
}
