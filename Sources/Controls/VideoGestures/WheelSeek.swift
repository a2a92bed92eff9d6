import Time

/// A seek by the wheel: from the playback position at its start, notch by notch, clamped to the file.
///
/// Counted from its start. The playback position at each notch would not do, as it lags behind while seeks are in
/// progress.
public struct WheelSeek {
    /// The number of notches for a whole file.
    public static let notchesPerFile = 200.0
    /// The limits of a notch, in seconds.
    public static let secondsRange = 0.5...10.0
    /// The seconds per notch if the length is unknown.
    public static let secondsWithoutDuration = 5.0
    /// How long after the last notch it ends. Longer than a pause within a scroll, since the user lifts the finger for
    /// each turn.
    public static let pause = Duration.milliseconds(400)

    /// The seconds per notch for a file of this length: 1/200 of it, but 0.5 to 10 s; 5 s if unknown.
    public static func secondsPerNotch(duration: Duration?) -> Double {
        guard let duration, duration > .zero else { return secondsWithoutDuration }
        return min(max(duration.inSeconds / notchesPerFile, secondsRange.lowerBound), secondsRange.upperBound)
    }

    /// The position reached.
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

    /// When it ends if there is no further notch.
    var end: HostTime { last + Self.pause }
    var lastTurn: HostTime { last }

    /// Seeks back by this many notches, or forward if negative, like a filmstrip that is dragged to the right.
    ///
    /// - Returns: Whether the position changed.
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
