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
    /// The forward tolerance, in nanoseconds, for containers whose clock may restart anywhere, such as MPEG transport
    /// streams.
    static let restartTolerance: Int64 = 10_000_000_000
    /// Two corrections that differ by less than this number of nanoseconds count as the same jump.
    private static let sameCut: UInt64 = 2_000_000_000

    private struct Stream {
        /// The corrected time of the last packet; nil before the first packet.
        var last: Int64?
        /// The latest corrected end of a packet so far; `Int64.min` before the first packet.
        var end = Int64.min
        /// The correction to add to the stream's timestamps.
        var offset: Int64 = 0
    }

    private var streams: [Int: Stream] = [:]
    private let forwardTolerance: Int64

    /// Creates a timeline without streams.
    ///
    /// - Parameter forwardTolerance: The largest forward step that does not count as a jump, in nanoseconds.
    init(forwardTolerance: Int64) { self.forwardTolerance = forwardTolerance }

    /// Forgets all streams and their corrections. Call when reading continues at another position.
    mutating func reset() { streams.removeAll(keepingCapacity: true) }

    /// Returns the correction to add to a packet's timestamps. Call for each packet, in the container's order.
    ///
    /// - Parameters:
    ///   - index: The index of the packet's stream.
    ///   - time: The packet's decode time, or its presentation time if the packet has no decode time.
    ///   - duration: The packet's duration; 0 if unknown.
    mutating func offset(stream index: Int, time: Int64, duration: Int64) -> Int64 {
        var stream = streams[index] ?? Stream(offset: streams.values.map(\.offset).max() ?? 0)
        if let last = stream.last {
            let step = time.addingClamped(stream.offset).subtractingClamped(last)
            if step < -Self.backwardTolerance || step > forwardTolerance {
                let own = stream.end.subtractingClamped(time)
                let shared = streams.first {
                    $0.key != index && $0.value.offset.subtractingClamped(own).magnitude < Self.sameCut
                }
                stream.offset = shared?.value.offset ?? own
            }
        }
        let placed = time.addingClamped(stream.offset)
        stream.last = placed
        stream.end = max(placed.addingClamped(duration), stream.end)
        streams[index] = stream
        return stream.offset
    }
}
