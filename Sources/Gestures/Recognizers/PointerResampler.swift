import Geometry
import Time

/// Computes a dragging pointer's position at the time of a frame, from the positions that its device has reported.
///
/// A mouse reports 125 to 8000 times a second, and not in step with the display. If each frame used the newest report,
/// the age of that report would vary from frame to frame, and a page dragged at constant speed would move in uneven
/// steps. Therefore the position is computed for an earlier time: the time of the frame minus half the interval between
/// reports. The position is interpolated between the reports around that time. If even the newest report is older, the
/// position is extrapolated for a short time.
///
/// Pure: the time is passed in. Neither adding a report nor computing a position allocates memory.
struct PointerResampler {
    /// Reports further apart than this belong to separate movements: the position jumps from one to the other.
    static let longestGap = Duration.milliseconds(20)
    /// Of samples closer together than this, only the newest is kept.
    static let spacing = Duration.milliseconds(2)
    /// The longest time by which the position lags behind the time of the frame.
    static let longestLag = Duration.milliseconds(10)
    /// The time by which extrapolation may exceed the lag. It is needed because events are read earlier for some frames
    /// than for others.
    static let extraReach = Duration.milliseconds(2)
    /// The shortest time between samples from which a position is extrapolated. Closer samples tell little about the
    /// speed.
    static let shortestBase = Duration.milliseconds(4)

    private struct Sample {
        var position: Point
        var time: HostTime
    }

    /// The size of the ring buffer, a power of two. With `spacing`, the samples in a full buffer span at least 28 ms.
    private static let capacity = 16
    private var ring = [Sample](repeating: Sample(position: .zero, time: HostTime(nanoseconds: 0)), count: capacity)
    private var end = 0
    private var count = 0
    /// The running mean of the time between the reports of the current movement; zero before there are two reports.
    private var interval = Duration.zero
    /// When the newest report arrived, whether or not its sample replaced another one.
    private var lastReport = HostTime(nanoseconds: 0)

    /// Returns the sample that is `age` samples older than the newest.
    private func sample(_ age: Int) -> Sample { ring[(end - 1 - age) & (Self.capacity - 1)] }

    mutating func reset() { (count, interval) = (0, .zero) }

    /// Adds a report. Uses the previous report's time if `time` is earlier, and ignores a position that is not finite.
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

    /// Returns the position of the pointer for a frame that shows the state at `time`; nil before the first report.
    ///
    /// - Returns: The position, and whether it remains the same until the next report.
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
