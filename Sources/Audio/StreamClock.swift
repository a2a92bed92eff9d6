import GlissadeTime

/// Maps host time to the frame being heard. Smooths the sound server's reports, so that video can be timed by this
/// clock.
///
/// Reads no clock: the time and the server's reports are passed in. Frames are identified by their indices in
/// `SampleQueue`.
///
/// The server's reports jitter, and the device's clock drifts from the host's. `StreamClock` corrects small errors by
/// running slightly faster or slower, so that time neither jumps nor runs backward. After a large error, for example
/// when the stream moves to another device, `StreamClock` jumps forward, or stands still until audio has caught up.
///
/// Threads: none of its own. Used within `AudioTransport`, under its lock.
struct StreamClock {
    /// The largest error that is smoothed out. A larger error causes a jump.
    static let largestSmoothed = Duration.milliseconds(50)
    /// How long it takes to smooth out an error.
    static let settlingTime = Duration.milliseconds(800)

    /// A linear mapping from host time to frames, which corrects a known error gradually.
    private struct Line {
        var start: HostTime
        var index: Double
        /// The speed in frames per second, not counting the correction.
        let rate: Double
        /// The error at `start`, in frames. The error is corrected evenly over the settling time.
        var correction = 0.0

        func index(at host: HostTime) -> Double {
            let elapsed = (host - start).inSeconds
            let settled = min(1, max(0, elapsed / StreamClock.settlingTime.inSeconds))
            return index + elapsed * rate + correction * settled
        }

        /// The host time at which the frame `target` is heard.
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
    /// Whether the clock follows the server's reports. If false, it follows the monotonic clock alone.
    private(set) var isServerLed = false
    /// The first frame that is audible after the last interruption. Earlier frames have been heard, or will never be
    /// heard.
    private(set) var audibleFrom: Double
    private var line: Line?
    /// The frame heard when the clock last stopped or jumped; nil if nothing has been heard since `starve`.
    /// `index(at:)` never falls below it.
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
    /// The frame from which audio continues after an interruption.
    var next: Double { heard ?? audibleFrom }
    /// The first frame to be heard after a start or an interruption.
    private var awaited: Double { max(heard ?? audibleFrom, audibleFrom) }

    /// The frame that the device has reached at `host`, even if it is not audible. Before `audibleFrom`, silence or
    /// older audio is heard instead. Nil while the clock is stopped.
    func lineIndex(at host: HostTime) -> Double? { line?.index(at: host) }

    /// The first audible frame, and when it is heard, which may be in the past. Nil while the clock is stopped.
    var onset: (index: Double, host: HostTime)? { line.map { (awaited, $0.host(of: awaited)) } }

    /// The frame heard at `host`. During an interruption, this is the frame heard last. Nil if nothing has been heard
    /// since `starve`.
    func index(at host: HostTime) -> Double? {
        guard let index = line?.index(at: host), index >= audibleFrom else { return heard }
        return max(index, heard ?? index)
    }

    /// Records the server's report that the frame `index` is heard at `host`. Ignores a report that is older than the
    /// previous one.
    ///
    /// - Parameter first: The first frame since the last underrun. If `index` is less than `first`, silence was heard
    ///   instead of the frame.
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

    /// Makes the clock follow the monotonic clock from now on. The frame `index` is heard at `host`.
    mutating func run(from index: Double, at host: HostTime) {
        line = Line(start: host, index: index, rate: rate)
        audibleFrom = min(audibleFrom, index)
        isServerLed = false
    }

    /// Stops the clock. From then on, `index(at:)` returns the frame that was heard at `host`.
    mutating func freeze(at host: HostTime) {
        heard = index(at: host)
        line = nil
    }

    /// Stops the clock after an underrun or before a new start: the next frame to be heard is `index`.
    mutating func starve(at index: Int) {
        line = nil
        heard = nil
        audibleFrom = Double(index)
    }
}
