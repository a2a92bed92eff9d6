import GlissadeTestSupport
import GlissadeTime

@testable import GlissadePresentation

/// A display behind a driver with a queue of frames, as X11, Wayland and NVIDIA's driver have it. Told the time.
///
/// A frame that is swapped is shown at the first refresh that is at least `latch` away, and after the frame before. The
/// driver reports each shown frame's refresh, late by up to `jitter`.
struct DisplayModel {
    enum Waits: CaseIterable {
        /// The swap returns when its frame is shown.
        case inSwap
        /// The next frame's first draw waits until the queue has a place.
        case inNextDraw
        /// The swap waits until the queue has a place.
        case forQueue
    }

    struct Shown: Hashable {
        var frame: Int
        var refresh: Int64
        /// When its swap was called.
        var sent: HostTime
    }

    let rate: Double
    let waits: Waits
    let depth: Int
    let jitter: Duration
    /// How long before a refresh a frame must be swapped to be shown by it, in periods.
    let latch: Double
    var random: SeededGenerator
    static let origin = HostTime(nanoseconds: 5_000_000_000)
    private(set) var shown: [Shown] = []

    init(rate: Double, waits: Waits, depth: Int, jitter: Duration, latch: Double = 0, seed: UInt64) {
        (self.rate, self.waits, self.depth, self.jitter, self.latch) = (rate, waits, depth, jitter, latch)
        random = SeededGenerator(seed: seed)
    }

    func time(of refresh: Int64) -> HostTime { Self.origin + .seconds(Double(refresh) / rate) }
    func refresh(after time: HostTime) -> Int64 {
        Int64(((time - Self.origin).inSeconds * rate + 1e-7).rounded(.down)) + 1
    }

    mutating func lateness() -> Duration { jitter * Double.random(in: 0...1, using: &random) }

    /// When no more than `count` frames wait to be seen.
    private func time(leaving count: Int, at now: HostTime) -> HostTime {
        let index = shown.count - 1 - count
        return index < 0 ? now : max(now, time(of: shown[index].refresh))
    }

    /// When the first draw of a frame that is begun at `now` goes on.
    func drawBegins(at now: HostTime) -> HostTime { waits == .inNextDraw ? time(leaving: depth - 1, at: now) : now }

    /// Shows a frame; when the swap that was called at `now` returns.
    mutating func swap(frame: Int, at now: HostTime) -> HostTime {
        let reached = refresh(after: now + .seconds(latch / rate))
        shown.append(Shown(frame: frame, refresh: max(reached, (shown.last?.refresh ?? -1) + 1), sent: now))
        switch waits {
        case .inSwap: return time(leaving: 0, at: now)
        case .inNextDraw: return now
        case .forQueue: return time(leaving: depth, at: now)
        }
    }
}
