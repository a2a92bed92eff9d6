import Time

/// A seek by the wheel, which moves notch by notch from the initial playback position, within the file.
///
/// Notches are added to the position that the seek has reached. They cannot be added to the player's position, because
/// that lags behind while seeks are in progress.
public struct WheelSeek {
    /// The number of notches that seek through a whole file, within the limits of `secondsRange`.
    public static let notchesPerFile = 200.0
    /// The smallest and the largest number of seconds per notch.
    public static let secondsRange = 0.5...10.0
    /// The seconds per notch if the file's length is unknown.
    public static let secondsWithoutDuration = 5.0
    /// How long after its last notch a seek ends. This is longer than the pauses in which the user lifts the finger
    /// from the wheel.
    public static let pause = Duration.milliseconds(400)

    /// The seconds per notch for a file of this length: 1/200 of the length, clamped to 0.5…10; 5 if the length is
    /// unknown.
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

    /// Seeks back by `notches`, or forward if `notches` is negative. A scroll that moves content to the right thus
    /// seeks back, like pulling a filmstrip to the right.
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
