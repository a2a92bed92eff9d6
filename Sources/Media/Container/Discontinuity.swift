import GlissadeTime

/// Corrects packet timestamps that jump, as in concatenated streams, wrapped clocks and restarted broadcasts. All times
/// are in nanoseconds and may have any value. Sums are clamped.
///
/// Each stream has its own correction, since streams jump at different packets. If another stream has already jumped by
/// about the same amount, its correction is reused. This keeps audio and video in sync.
struct Discontinuity {
    /// The largest backward step that does not count as a jump, in nanoseconds. Reordered and interleaved packets step
    /// back by less.
    static let backwardTolerance: Int64 = 1_000_000_000
    /// The backward tolerance, in nanoseconds, for containers whose clock may restart anywhere. Their packets have decode
    /// times, which do not step back.
    static let restartBackwardTolerance: Int64 = 300_000_000
    /// The forward tolerance, in nanoseconds, for containers whose clock may restart anywhere, such as MPEG transport
    /// streams.
    static let restartTolerance: Int64 = 10_000_000_000
    /// The longest hole in a single stream, in nanoseconds. A longer step is a jump of the clock.
    static let longestHole: Int64 = 3_600_000_000_000
    /// Two corrections that differ by less than this number of nanoseconds count as the same jump.
    private static let sameCut: UInt64 = 2_000_000_000

    /// How many packets of a stream FFmpeg may pass on before it knows their decode times: `MAX_REORDER_DELAY` in
    /// libavformat.
    static let mostUnordered = 16

    private struct Stream {
        /// The corrected time of the last packet; nil before the first one whose place in the order is known.
        var last: Int64?
        /// The number of packets so far, up to `mostUnordered`.
        var count = 0
        /// The latest corrected end of a packet so far; `Int64.min` while `last` is nil.
        var end = Int64.min
        /// The correction to add to the stream's timestamps.
        var offset: Int64 = 0
    }

    private var streams: [Int: Stream] = [:]
    /// The correction of a stream that has not jumped and follows no other stream.
    private var base: Int64 = 0
    private let forwardTolerance: Int64
    private let backwardTolerance: Int64

    /// Creates a timeline without streams.
    ///
    /// - Parameters:
    ///   - forwardTolerance: The largest forward step that does not count as a jump, in nanoseconds.
    ///   - backwardTolerance: The largest such backward step.
    init(forwardTolerance: Int64, backwardTolerance: Int64 = Self.backwardTolerance) {
        self.forwardTolerance = forwardTolerance
        self.backwardTolerance = backwardTolerance
    }

    /// Forgets all streams and their corrections. Call when reading continues at another position.
    ///
    /// - Parameter base: The correction to begin with.
    mutating func reset(base: Int64 = 0) {
        streams.removeAll(keepingCapacity: true)
        self.base = base
    }

    /// The correction of a stream's next packet, unless that packet jumps.
    func offset(stream index: Int) -> Int64 { streams[index]?.offset ?? streams.values.map(\.offset).max() ?? base }

    /// Returns the correction to add to a packet's timestamps. Call for each packet, in the container's order.
    ///
    /// - Parameters:
    ///   - index: The index of the packet's stream.
    ///   - time: The packet's decode time, or its presentation time if the packet has no decode time.
    ///   - isDecodeTime: Whether `time` is a decode time. The first packets of a film with reordered frames may have none.
    ///     Their presentation times do not follow each other, nor do decode times follow them, so none of these is a jump.
    ///   - duration: The packet's duration; 0 if unknown.
    ///   - known: Returns the correction that is already known for this place, if it is close to the one passed.
    mutating func offset(
        stream index: Int, time: Int64, isDecodeTime: Bool = true, duration: Int64,
        known: (Int64) -> Int64? = { _ in nil }
    ) -> Int64 {
        var stream = streams[index] ?? Stream(offset: offset(stream: index))
        if let last = stream.last {
            let step = time.addingClamped(stream.offset).subtractingClamped(last)
            if step < -backwardTolerance || step > forwardTolerance && !isHole(step, before: time, in: index, stream) {
                let own = stream.end.subtractingClamped(time)
                // Not that of the cut before, which is as close if the part between is short.
                let shared = streams.first {
                    $0.key != index && Self.isSameCut($0.value.offset, own)
                        && time.addingClamped($0.value.offset).subtractingClamped(last) >= -backwardTolerance
                }
                stream.offset = shared?.value.offset ?? known(own) ?? own
            }
        }
        let placed = time.addingClamped(stream.offset)
        if isDecodeTime || stream.last != nil || stream.count == Self.mostUnordered {
            stream.last = placed
            stream.end = max(placed.addingClamped(duration), stream.end)
        }
        stream.count = min(stream.count + 1, Self.mostUnordered)
        streams[index] = stream
        return stream.offset
    }

    /// Whether a stream's long step forward is a hole in that stream alone: other streams have gone on to about the same
    /// time. The clock has then not jumped.
    private func isHole(_ step: Int64, before time: Int64, in index: Int, _ stream: Stream) -> Bool {
        guard step <= Self.longestHole else { return false }
        let placed = time.addingClamped(stream.offset)
        return streams.contains { other in
            guard other.key != index, let last = other.value.last else { return false }
            return placed.subtractingClamped(last).magnitude <= forwardTolerance.magnitude / 2
        }
    }

    private static func isSameCut(_ left: Int64, _ right: Int64) -> Bool {
        left.subtractingClamped(right).magnitude < sameCut
    }
}
