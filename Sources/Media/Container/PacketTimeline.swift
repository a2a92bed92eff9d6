package import Time

/// Puts packets onto the media's time line: one unbroken line of nanoseconds, from which jumps of the container's clock are
/// taken out, and on which each round of a loop follows the one before.
///
/// Pure, and told only numbers. A container may say anything: every time that leaves here lies within ±`farthest`, and a
/// packet for which that cannot be had has no time. So differences of two such times, and the sum of one with a packet's
/// length, always fit.
package struct PacketTimeline {
    /// 73 years, in nanoseconds: recordings whose clock counts from 1970 are within it.
    package static let farthest: Int64 = 1 << 61
    /// A day, in nanoseconds. What is longer is damage: nothing waits so long for the next frame.
    package static let longestPacket: Int64 = 86_400_000_000_000

    /// A packet's times, in nanoseconds.
    package struct Times: Hashable, Sendable {
        /// When it is shown or heard; nil where unknown.
        var presentation: Int64?
        /// When it is to be decoded; nil where unknown.
        var decoding: Int64?
        /// 0 where unknown.
        var duration: Int64
    }

    /// Where the last packet of this round ends, without what the rounds before it took.
    package private(set) var end: Int64
    private let start: Int64
    private let longestPacket: Int64
    private var discontinuity: Discontinuity
    /// What the rounds of a loop before this one took.
    private var loopOffset: Int64 = 0

    /// - Parameters:
    ///   - start: where the media's time begins.
    ///   - restarts: whether the container's clock may restart anywhere, as a broadcast's does.
    package init(start: MediaTime, restarts: Bool) {
        self.start = start.nanoseconds.clamped(to: Self.farthest)
        end = self.start
        // Where clocks may restart, a length beyond what counts as a jump was reckoned across one.
        longestPacket = restarts ? Discontinuity.restartTolerance : Self.longestPacket
        discontinuity = Discontinuity(forwardTolerance: longestPacket)
    }

    /// Places the next packet of a stream.
    ///
    /// - Parameter tellsEnd: whether the media lasts until the stream ends.
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

    /// Forgets what came before: after a seek, time may go on anywhere.
    package mutating func reset() {
        discontinuity.reset()
        loopOffset = 0
        end = start
    }

    /// How long the round is that has been read.
    package var roundLength: Int64 { end.subtractingClamped(start) }

    /// The next packets are the media's first ones again, and follow on those before.
    package mutating func beginNextRound() {
        loopOffset = loopOffset.addingClamped(roundLength)
        discontinuity.reset()
        end = start
    }

    /// A time that a media can have; nil for any other.
    package static func sane(_ time: Int64) -> Int64? { (-farthest...farthest).contains(time) ? time : nil }
}
