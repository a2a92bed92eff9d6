package import Time

/// Maps packet timestamps onto the media timeline: continuous nanoseconds, with jumps of the container's clock removed
/// and each pass of a loop following the previous one.
///
/// Pure. Timestamps are untrusted: every time returned is within ±`farthest`, and a packet that does not fit has no
/// time. So the difference of two times, and the sum of a time and a packet's duration, never overflow.
package struct PacketTimeline {
    /// 73 years in nanoseconds, enough for recordings whose clock counts from 1970.
    package static let farthest: Int64 = 1 << 61
    /// A day in nanoseconds. Longer packet durations are treated as damage.
    package static let longestPacket: Int64 = 86_400_000_000_000

    /// A packet's times, in nanoseconds.
    package struct Times: Hashable, Sendable {
        /// The presentation time; nil if unknown.
        var presentation: Int64?
        /// The decode time; nil if unknown.
        var decoding: Int64?
        /// 0 if unknown.
        var duration: Int64
    }

    /// The end of the last packet in this pass of the loop, not counting earlier passes.
    package private(set) var end: Int64
    private let start: Int64
    private let longestPacket: Int64
    private var discontinuity: Discontinuity
    /// The length of the loop's earlier passes.
    private var loopOffset: Int64 = 0

    /// - Parameters:
    ///   - start: the media's start time.
    ///   - restarts: whether the container's clock may restart anywhere, as in a broadcast.
    package init(start: MediaTime, restarts: Bool) {
        self.start = start.nanoseconds.clamped(to: Self.farthest)
        end = self.start
        // If clocks may restart, a longer duration was computed across a jump.
        longestPacket = restarts ? Discontinuity.restartTolerance : Self.longestPacket
        discontinuity = Discontinuity(forwardTolerance: longestPacket)
    }

    /// Places the next packet of a stream.
    ///
    /// - Parameter tellsEnd: whether the stream counts toward the media's end.
    package mutating func place(_ times: Times, stream: Int, tellsEnd: Bool) -> Times {
        let presentation = times.presentation.flatMap(Self.sane)
        let decoding = times.decoding.flatMap(Self.sane)
        let duration = (0...longestPacket).contains(times.duration) ? times.duration : 0
        guard let time = decoding ?? presentation else {
            return Times(presentation: nil, decoding: nil, duration: duration)
        }
        let offset = discontinuity.offset(stream: stream, time: time, duration: duration)
        if tellsEnd, let last = Self.sane((presentation ?? time).addingClamped(offset)) {
            end = max(end, last + duration)
        }
        let shift = offset.addingClamped(loopOffset)
        return Times(
            presentation: presentation.flatMap { Self.sane($0.addingClamped(shift)) },
            decoding: decoding.flatMap { Self.sane($0.addingClamped(shift)) }, duration: duration)
    }

    /// Forgets earlier packets, since time may continue anywhere after a seek.
    package mutating func reset() {
        discontinuity.reset()
        loopOffset = 0
        end = start
    }

    /// The length of the current pass so far.
    package var roundLength: Int64 { end.subtractingClamped(start) }

    /// Starts the next pass: the packets from now on are the media's first ones again.
    package mutating func beginNextRound() {
        loopOffset = loopOffset.addingClamped(roundLength)
        discontinuity.reset()
        end = start
    }

    /// `time`, or nil if it is out of range.
    package static func sane(_ time: Int64) -> Int64? { (-farthest...farthest).contains(time) ? time : nil }
}
