import Time

/// Which frame is heard when: a line through the device's reports, so smooth that pictures can be timed by it.
///
/// Pure: told the time and what the device reports; never reads a clock. Frames are counted by the indices of
/// `SampleQueue`. The server's reports jitter by some tenths of a millisecond (a whole period on cards without a precise
/// pointer), and the two clocks drift apart by some hundred parts in a million. Small errors are taken away by running a
/// little faster or slower, so that time neither jumps nor runs backwards; large ones (the stream moved to another
/// device) by a jump, forwards at once, backwards by standing still until the sound has come up.
///
/// Threads: none of its own. Used within `Transport`, under its lock.
struct StreamClock {
    /// Errors up to this are smoothed, larger ones jumped over.
    static let largestSmoothed = Duration.milliseconds(50)
    /// In which time an error is taken away.
    static let settlingTime = Duration.milliseconds(800)

    private struct Line {
        var start: HostTime
        var index: Double
        /// Frames per second while no error is being taken away.
        let rate: Double
        /// Frames still to be made up for, spread over the settling time.
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
    /// Whether the server's reports lead, not the monotonic clock alone.
    private(set) var isServerLed = false
    /// The first frame that is to be heard since the last interruption: earlier ones have been or never will be.
    private(set) var audibleFrom: Double
    private var line: Line?
    /// What has been heard for certain: held while the line is away, and never gone behind.
    private var heard: Double?

    /// - Parameters:
    ///   - rate: frames per second.
    ///   - index: the first frame that will be heard.
    init(rate: Int, from index: Int) {
        self.rate = Double(rate)
        audibleFrom = Double(index)
    }

    var isRunning: Bool { line != nil }
    /// Where the sound goes on after an interruption.
    var next: Double { heard ?? audibleFrom }
    /// The first frame that is heard next while nothing is.
    private var awaited: Double { max(heard ?? audibleFrom, audibleFrom) }

    /// Where the device is at `host`, heard or not: before `audibleFrom` it plays what was there before. Nil while it
    /// stands.
    func lineIndex(at host: HostTime) -> Double? { line?.index(at: host) }

    /// Since when sound is heard, or when it will be, as far as is known by now; nil while it is not known.
    var onset: (index: Double, host: HostTime)? { line.map { (awaited, $0.host(of: awaited)) } }

    /// The frame heard at `host`; nil while nothing has been heard yet.
    func index(at host: HostTime) -> Double? {
        guard let index = line?.index(at: host), index >= audibleFrom else { return heard }
        return max(index, heard ?? index)
    }

    /// The server reports that at `host` the frame `index` left the loudspeaker (or would, had it not been for silence
    /// before `first`, the first frame since it last ran dry).
    mutating func observe(_ index: Double, at host: HostTime, first: Double) {
        let first = max(first, audibleFrom)
        guard let old = line else {
            line = Line(start: host, index: index, rate: rate)
            audibleFrom = first
            isServerLed = true
            return
        }
        // Silence goes on leading until the server is really heard.
        if !isServerLed, index < first { return }
        guard host >= old.start else { return }
        let predicted = old.index(at: host)
        if isServerLed, predicted < awaited {
            // Nothing is heard yet: there is no step that could be noticed.
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

    /// The monotonic clock leads from here: `index` is heard at `host`.
    mutating func run(from index: Double, at host: HostTime) {
        line = Line(start: host, index: index, rate: rate)
        audibleFrom = min(audibleFrom, index)
        isServerLed = false
    }

    /// The sound is halted; the index stands still.
    mutating func freeze(at host: HostTime) {
        heard = index(at: host)
        line = nil
    }

    /// The sound has run dry (or starts anew): nothing is heard until the frame `index` is.
    mutating func starve(at index: Int) {
        line = nil
        heard = nil
        audibleFrom = Double(index)
    }
}
