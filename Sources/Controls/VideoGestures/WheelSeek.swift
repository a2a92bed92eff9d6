import GlissadeTime

/// A seek by the wheel, from the playback position at the first notch, within the limits of the file.
///
/// Each notch is added to the position that the seek has reached. The player's position is not used, because it lags
/// behind while seeks are in progress.
public struct WheelSeek {
    /// The number of notches needed to seek through a whole file, within the limits of `secondsRange`.
    public static let notchesPerFile = 200.0
    /// The range of the number of seconds per notch.
    public static let secondsRange = 0.5...10.0
    /// The seconds per notch if the file's length is unknown.
    public static let secondsWithoutDuration = 5.0
    /// How long after its last notch a seek ends. This is longer than the pauses in which the user repositions the
    /// finger on the wheel.
    public static let pause = Duration.milliseconds(400)

    /// Returns the seconds per notch for a file of the given length. This is 1/200 of the length, clamped to 0.5…10. If
    /// the length is unknown, this is 5.
    public static func secondsPerNotch(duration: Duration?) -> Double {
        guard let duration, duration > .zero else { return secondsWithoutDuration }
        return min(max(duration.inSeconds / notchesPerFile, secondsRange.lowerBound), secondsRange.upperBound)
    }

    /// The position that the seek has reached.
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

    /// When the seek ends if no further notch arrives.
    var end: HostTime { last + Self.pause }
    var lastTurn: HostTime { last }

    /// Seeks by `notches`. Positive notches, which scroll content to the right, seek back. Negative notches seek
    /// forward.
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
