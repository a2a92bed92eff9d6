import GlissadeGeometry
import GlissadeTime

/// Measures a pointer's velocity: the mean over the last 100 ms.
///
/// A pointer that has not moved for 100 ms has zero velocity. Of samples less than 4 ms apart, only the newest is kept,
/// so that the buffer covers 100 ms at any report rate. A span of less than 8 ms counts as 8 ms, because the times of
/// events that are read together are unreliable.
struct VelocityTracker {
    static let window = Duration.milliseconds(100)
    /// The window for precise scrolls.
    static let preciseScrollWindow = Duration.milliseconds(60)
    static let spacing = Duration.milliseconds(4)
    static let shortestSpan = 0.008

    private struct Sample {
        var position: Point
        var time: HostTime
    }

    /// The size of the ring buffer: a power of two greater than `window` / `spacing`.
    private static let capacity = 32
    private var ring = [Sample](
        repeating: Sample(position: .zero, time: HostTime(nanoseconds: 0)), count: Self.capacity)
    private var start = 0
    private var count = 0

    private func index(_ offset: Int) -> Int { (start + offset) & (Self.capacity - 1) }

    mutating func reset() { count = 0 }

    /// Adds a sample. Ignores a position that is not finite. If `time` is earlier than the previous sample, uses the
    /// previous sample's time.
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

    /// Returns the mean velocity over the last `window` before `now`, in points per second. If `now` is nil, returns
    /// the velocity at the time of the last sample.
    func velocity(at now: HostTime? = nil, over window: Duration = Self.window) -> Point {
        guard count > 1 else { return .zero }
        let last = ring[index(count - 1)]
        let now = max(now ?? last.time, last.time)
        guard let first = (0..<count - 1).first(where: { now - ring[index($0)].time < window }) else {
            return .zero
        }
        let oldest = ring[index(first)]
        let span = max((last.time - oldest.time).inSeconds, Self.shortestSpan)
        return Point(x: (last.position.x - oldest.position.x) / span, y: (last.position.y - oldest.position.y) / span)
    }
}
