import GlissadeGeometry
import GlissadeTime

/// Computes a dragging pointer's position at the time of a frame, from the positions that the mouse has reported.
///
/// A mouse reports its position 125 to 8000 times a second, out of step with the display. If each frame used the newest
/// report, a page dragged at constant speed would move in uneven steps. Therefore, the position is computed for a
/// slightly earlier time than that of the frame, by interpolating between reports. This lag is half the interval
/// between reports. If the newest report is older still, the position is extrapolated for a short time.
///
/// Reads no clock. Allocates memory only when created.
struct PointerResampler {
    /// The longest time between two reports of the same movement. The position is not interpolated across a longer gap.
    static let longestGap = Duration.milliseconds(20)
    /// The minimum time between samples. Of samples closer together, only the newest is kept.
    static let spacing = Duration.milliseconds(2)
    /// The maximum time by which the position lags behind the time of the frame.
    static let longestLag = Duration.milliseconds(10)
    /// The time by which extrapolation may exceed the lag. Allows for frames whose events were read early.
    static let extraReach = Duration.milliseconds(2)
    /// The minimum time between the two samples from which a position is extrapolated. Closer samples give an
    /// unreliable speed.
    static let shortestBase = Duration.milliseconds(4)

    private struct Sample {
        var position: Point
        var time: HostTime
    }

    /// The size of the ring buffer, a power of two. The samples in a full buffer span at least 28 ms.
    private static let capacity = 16
    private var ring = [Sample](repeating: Sample(position: .zero, time: HostTime(nanoseconds: 0)), count: capacity)
    private var end = 0
    private var count = 0
    /// The smoothed time between reports of the current movement; zero before the second report.
    private var interval = Duration.zero
    private var lastReport = HostTime(nanoseconds: 0)

    /// Returns the sample that is `age` samples older than the newest.
    private func sample(_ age: Int) -> Sample { ring[(end - 1 - age) & (Self.capacity - 1)] }

    mutating func reset() { (count, interval) = (0, .zero) }

    /// Adds a report. Ignores a position that is not finite. If `time` is earlier than the previous report, uses the
    /// previous report's time.
    mutating func add(_ position: Point, at time: HostTime) {
        guard position.x.isFinite, position.y.isFinite else { return }
        guard count > 0 else {
            lastReport = time
            return append(Sample(position: position, time: time))
        }
        let time = max(time, lastReport)
        let gap = time - lastReport
        lastReport = time
        if gap > Self.longestGap {
            interval = .zero
        } else {
            interval = interval == .zero ? gap : interval + (gap - interval) / 8
        }
        if count > 1, sample(0).time - sample(1).time < Self.spacing {
            ring[(end - 1) & (Self.capacity - 1)] = Sample(position: position, time: time)
        } else {
            append(Sample(position: position, time: time))
        }
    }

    private mutating func append(_ sample: Sample) {
        ring[end] = sample
        end = (end + 1) & (Self.capacity - 1)
        count = min(count + 1, Self.capacity)
    }

    /// Computes the position of the pointer for a frame that shows the state at `time`.
    ///
    /// - Returns: The position, and whether it stays the same until the next report; nil before the first report.
    func position(at time: HostTime) -> (point: Point, isFinal: Bool)? {
        guard count > 0 else { return nil }
        let newest = sample(0)
        let lag = min(interval / 2, Self.longestLag)
        let time = time - lag
        if time >= newest.time { return extrapolated(to: time, reach: lag + Self.extraReach) }
        var later = newest
        for age in 1..<max(count, 1) {
            let earlier = sample(age)
            if later.time - earlier.time > Self.longestGap { break }
            if earlier.time <= time {
                let span = later.time - earlier.time
                let fraction = span > .zero ? (time - earlier.time) / span : 1
                return (Self.mix(earlier.position, later.position, fraction), false)
            }
            later = earlier
        }
        // All samples of this movement are later.
        return (later.position, later.time == newest.time)
    }

    private func extrapolated(to time: HostTime, reach: Duration) -> (point: Point, isFinal: Bool) {
        let newest = sample(0)
        let ahead = time - newest.time
        // A pointer that reports nothing for longer has probably stopped, so the position returns to the newest
        // report's.
        guard interval > .zero, ahead < reach + reach else { return (newest.position, true) }
        var base: Sample?
        for age in 1..<max(count, 1) {
            let earlier = sample(age)
            if newest.time - earlier.time > Self.longestGap { break }
            base = earlier
        }
        guard let base, newest.time - base.time >= Self.shortestBase else { return (newest.position, false) }
        let fraction = min(ahead, reach + reach - ahead) / (newest.time - base.time)
        return (Self.mix(base.position, newest.position, 1 + fraction), false)
    }

    private static func mix(_ a: Point, _ b: Point, _ fraction: Double) -> Point {
        Point(x: a.x + (b.x - a.x) * fraction, y: a.y + (b.y - a.y) * fraction)
    }
}
