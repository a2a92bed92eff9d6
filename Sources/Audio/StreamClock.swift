import Time

/// Maps host time to the frame being heard: a line through the device's reports, smooth enough to time video by.
///
/// Pure: the time and the device's reports are passed in, and no clock is read. Frames are counted by the indices of
/// `SampleQueue`. The server's reports jitter by some tenths of a millisecond (by a whole period on cards without a
/// precise pointer), and the device's clock drifts from the host's by some hundred parts per million. Small errors
/// are removed by running slightly faster or slower, so that time neither jumps nor runs backwards. After a large one
/// (the stream moved to another device), the clock jumps forwards, or stands still until audio has caught up.
///
/// Threads: none of its own. Used within `AudioTransport`, under its lock.
struct StreamClock {
    /// The largest error that is smoothed out; larger ones cause a jump.
    static let largestSmoothed = Duration.milliseconds(50)
    /// How long it takes to smooth out an error.
    static let settlingTime = Duration.milliseconds(800)

    private struct Line {
        var start: HostTime
        var index: Double
        /// Frames per second without a correction.
        let rate: Double
        /// The error still to be corrected, in frames, spread over the settling time.
        var correction = 0.0

        func index(at host: HostTime) -> Double {
            let elapsed = (host - start).inSeconds
            let settled = min(1, max(0, elapsed / StreamClock.settlingTime.inSeconds))
            return index + elapsed * rate + correction * settled
        }

        /// When `target` is heard.
        func host(of target: Double) -> HostTime {
            let frames = target - index
            let settling = StreamClock.settlingTime.inSeconds
            let elapsed: Double
            if frames <= 0 {
                elapsed = frames / rate
            } else if frames < settling * rate + correction {
                elapsed = frames / (rate + correction / settling)
            } else {
                elapsed = (frames - correction) / rate
            }
            return start + .nanoseconds(Int64(clampingNanoseconds: elapsed))
        }
    }

    let rate: Double
    /// Whether the clock follows the server's reports, rather than the monotonic clock alone.
    private(set) var isServerLed = false
    /// The first audible frame since the last interruption. Earlier ones were heard, or never will be.
    private(set) var audibleFrom: Double
    private var line: Line?
    /// The last frame that has certainly been heard. Never decreases, and is kept while the clock is stopped.
    private var heard: Double?

    /// Creates a stopped clock.
    ///
    /// - Parameters:
    ///   - rate: Frames per second.
    ///   - index: The first frame that will be heard.
    init(rate: Int, from index: Int) {
        self.rate = Double(rate)
        audibleFrom = Double(index)
    }

    var isRunning: Bool { line != nil }
    /// Where audio continues after an interruption.
    var next: Double { heard ?? audibleFrom }
    /// The next frame to be heard, while nothing is heard.
    private var awaited: Double { max(heard ?? audibleFrom, audibleFrom) }

    /// The device's position at `host`, audible or not: before `audibleFrom`, the device still plays older frames.
    /// Nil while the clock is stopped.
    func lineIndex(at host: HostTime) -> Double? { line?.index(at: host) }

    /// When audio becomes audible, and its first audible frame; nil while unknown.
    var onset: (index: Double, host: HostTime)? { line.map { (awaited, $0.host(of: awaited)) } }

    /// The frame heard at `host`; nil while nothing has been heard yet.
    func index(at host: HostTime) -> Double? {
        guard let index = line?.index(at: host), index >= audibleFrom else { return heard }
        return max(index, heard ?? index)
    }

    /// Records the server's report that frame `index` left the loudspeaker at `host`.
    ///
    /// - Parameter first: The first frame since the last underrun. If `index` is before it, silence was heard
    ///   instead.
    mutating func observe(_ index: Double, at host: HostTime, first: Double) {
        let first = max(first, audibleFrom)
        guard let old = line else {
            line = Line(start: host, index: index, rate: rate)
            audibleFrom = first
            isServerLed = true
            return
        }
        // Silence leads until the server is actually heard.
        if !isServerLed, index < first { return }
        guard host >= old.start else { return }
        let predicted = old.index(at: host)
        if isServerLed, predicted < awaited {
            // Nothing is heard yet, so a jump goes unnoticed.
            line = Line(start: host, index: index, rate: rate)
            audibleFrom = first
            return
        }
        let error = index - predicted
        if abs(error) <= Self.largestSmoothed.inSeconds * rate {
            line = Line(start: host, index: predicted, rate: rate, correction: error)
        } else {
            heard = self.index(at: host)
            line = Line(start: host, index: index, rate: rate)
        }
        if index < first { heard = heard ?? self.index(at: host) }
        audibleFrom = first
        isServerLed = true
    }

    /// Makes the monotonic clock set the time, with `index` heard at `host`.
    mutating func run(from index: Double, at host: HostTime) {
        line = Line(start: host, index: index, rate: rate)
        audibleFrom = min(audibleFrom, index)
        isServerLed = false
    }

    /// Stops the clock; the index stands still.
    mutating func freeze(at host: HostTime) {
        heard = index(at: host)
        line = nil
    }

    /// Records an underrun or a new start: nothing is heard before the frame `index`.
    mutating func starve(at index: Int) {
        line = nil
        heard = nil
        audibleFrom = Double(index)
    }
}
