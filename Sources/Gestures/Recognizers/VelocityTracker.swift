import Geometry
import Time

/// How fast a hand was lately: the mean over the samples of the last 100 ms.
///
/// A hand that has stood still for that long has no velocity. Samples lie in a ring of fixed size; those that come
/// closer than 4 ms together are thinned out, the newest always kept, so that a mouse that reports 8000 times a second
/// costs no memory and the window is still covered. A span shorter than 8 ms is taken for 8 ms: where several events were
/// read at once, their times say little.
struct VelocityTracker {
    static let window = Duration.milliseconds(100)
    static let spacing = Duration.milliseconds(4)
    static let shortestSpan = 0.008

    private struct Sample {
        var position: Point
        var time: HostTime
    }

    /// More than `window` / `spacing`.
    private static let capacity = 32
    private var ring = [Sample](
        repeating: Sample(position: .zero, time: HostTime(nanoseconds: 0)), count: Self.capacity)
    private var start = 0
    private var count = 0

    private func index(_ offset: Int) -> Int { (start + offset) & (Self.capacity - 1) }

    mutating func reset() { count = 0 }

    /// The hand was at `position`. A time before the last sample's counts as that.
    mutating func add(_ position: Point, at time: HostTime) {
        guard position.x.isFinite, position.y.isFinite else { return }
        var sample = Sample(position: position, time: time)
        if count > 0 { sample.time = max(time, ring[index(count - 1)].time) }
        if count > 1, ring[index(count - 1)].time - ring[index(count - 2)].time < Self.spacing {
            ring[index(count - 1)] = sample
            return
        }
        if count == Self.capacity {
            start = index(1)
            count -= 1
        }
        ring[index(count)] = sample
        count += 1
    }

    /// In points per second, at `now`; the time of the last sample where nil.
    func velocity(at now: HostTime? = nil) -> Point {
        guard count > 1 else { return .zero }
        let last = ring[index(count - 1)]
        let now = max(now ?? last.time, last.time)
        guard let first = (0..<count - 1).first(where: { now - ring[index($0)].time < Self.window }) else {
            return .zero
        }
        let oldest = ring[index(first)]
        let span = max((last.time - oldest.time).inSeconds, Self.shortestSpan)
        return Point(x: (last.position.x - oldest.position.x) / span, y: (last.position.y - oldest.position.y) / span)
    }
}
