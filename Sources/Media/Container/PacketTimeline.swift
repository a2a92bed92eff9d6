package import GlissadeTime

/// Maps packet timestamps to a continuous media timeline in nanoseconds. Removes jumps in the container's clock, and
/// places each pass of a loop after the previous pass.
///
/// Timestamps are untrusted. Times beyond ±`farthest` become nil, so that differences of times, and sums of a time and
/// a duration, cannot overflow.
package struct PacketTimeline {
    /// The largest absolute value of a time: 73 years in nanoseconds. This is enough for a clock that starts in 1970.
    package static let farthest: Int64 = 1 << 61
    /// The longest plausible duration of a packet: a day in nanoseconds. `place` treats a longer duration as unknown.
    package static let longestPacket: Int64 = 86_400_000_000_000

    /// The timestamps and duration of a packet. `PacketTimeline` takes and returns them in nanoseconds.
    package struct Times: Hashable, Sendable {
        /// The presentation time; nil if unknown.
        var presentation: Int64?
        /// The decode time; nil if unknown.
        var decoding: Int64?
        /// The duration; 0 if unknown.
        var duration: Int64

        /// The decode time, or the presentation time if the decode time is unknown; nil if both are unknown.
        package var order: Int64? { decoding ?? presentation }
    }

    /// The latest end of a packet in the current pass of the loop, in nanoseconds. Before the first packet, this is the
    /// media's start. Excludes the length of earlier passes. Includes only streams that count toward the media's end.
    package private(set) var end: Int64
    private let start: Int64
    /// Whether the container's clock may restart anywhere.
    let restarts: Bool
    private let longestPacket: Int64
    private var discontinuity: Discontinuity
    /// The number of packets so far at which a stream's clock has jumped.
    package private(set) var jumps = 0
    /// Where the container's clock is known to restart.
    package var joins = ClockJoins()
    /// The total length of the loop's earlier passes, in nanoseconds.
    private var loopOffset: Int64 = 0

    /// Creates a timeline for the first pass.
    ///
    /// - Parameters:
    ///   - start: The media's start time.
    ///   - restarts: Whether the container's clock may restart anywhere, as in a broadcast.
    ///   - isChained: Whether the container may be a chain of short parts that each start at 0, as Ogg and FLAC may.
    package init(start: MediaTime, restarts: Bool, isChained: Bool = false) {
        self.start = start.nanoseconds.clamped(to: Self.farthest)
        end = self.start
        self.restarts = restarts
        // If the clock may restart, a duration above this limit was computed across a restart.
        longestPacket = restarts ? Discontinuity.restartTolerance : Self.longestPacket
        // Parts of a chain may be shorter than the usual tolerance.
        let backward =
            isChained
            ? 50_000_000
            : restarts ? Discontinuity.restartBackwardTolerance : Discontinuity.backwardTolerance
        discontinuity = Discontinuity(forwardTolerance: longestPacket, backwardTolerance: backward)
    }

    /// Returns the times of a stream's next packet on the media timeline.
    ///
    /// - Parameters:
    ///   - tellsEnd: Whether the stream counts toward the media's end.
    ///   - isDiscarded: Whether an edit discards the packet. Such a packet comes out of order, and does not count.
    ///   - position: The packet's place in the file, in bytes; negative if unknown.
    package mutating func place(
        _ times: Times, stream: Int, tellsEnd: Bool, isDiscarded: Bool = false, position: Int64 = -1
    ) -> Times {
        let presentation = times.presentation.flatMap(Self.sane)
        let decoding = times.decoding.flatMap(Self.sane)
        let duration = (0...longestPacket).contains(times.duration) ? times.duration : 0
        guard let time = decoding ?? presentation else {
            return Times(presentation: nil, decoding: nil, duration: duration)
        }
        let offset: Int64
        if isDiscarded {
            offset = discontinuity.offset(stream: stream)
        } else {
            let before = discontinuity.offset(stream: stream)
            offset = discontinuity.offset(
                stream: stream, time: time, isDecodeTime: decoding != nil, duration: duration
            ) {
                joins.offset(near: position, like: $0)
            }
            if offset != before {
                jumps += 1
                joins.note(ClockJoin(position: position, start: time.addingClamped(offset), offset: offset))
            }
        }
        if tellsEnd, !isDiscarded, let last = Self.sane((presentation ?? time).addingClamped(offset)) {
            end = max(end, last + duration)
        }
        let shift = offset.addingClamped(loopOffset)
        return Times(
            presentation: presentation.flatMap { Self.sane($0.addingClamped(shift)) },
            decoding: decoding.flatMap { Self.sane($0.addingClamped(shift)) }, duration: duration)
    }

    /// Whether this is the first pass of a loop.
    package var isFirstRound: Bool { loopOffset == 0 }

    /// Forgets earlier packets and passes. Call after a seek.
    ///
    /// - Parameter base: The correction of the container's clock at the new position.
    package mutating func reset(base: Int64 = 0) {
        discontinuity.reset(base: base)
        loopOffset = 0
        end = start
    }

    /// Continues with another part of the file.
    ///
    /// - Parameter base: The correction of the part's own clock.
    package mutating func beginPart(base: Int64) { discontinuity.reset(base: base) }

    /// The length of the current pass of the loop so far, in nanoseconds.
    package var roundLength: Int64 { end.subtractingClamped(start) }

    /// Starts the next pass of the loop. Call before placing packets from the media's start again.
    package mutating func beginNextRound() {
        loopOffset = loopOffset.addingClamped(roundLength)
        discontinuity.reset()
        end = start
    }

    /// Continues with another connection to a live stream, whose timestamps begin at `start`. The next packets follow
    /// those placed so far.
    package mutating func reconnect(at start: MediaTime) {
        let start = start.nanoseconds.clamped(to: Self.farthest)
        loopOffset = loopOffset.addingClamped(end.subtractingClamped(start))
        discontinuity.reset()
        end = start
    }

    /// Returns `time` if it is within ±`farthest`; otherwise nil.
    package static func sane(_ time: Int64) -> Int64? { (-farthest...farthest).contains(time) ? time : nil }
}
