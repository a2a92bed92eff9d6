import Time

/// Keeps a media timeline continuous across timestamp jumps: concatenated streams, wrapped clocks, restarted
/// broadcasts. All times are in nanoseconds and may have any value; sums are clamped.
///
/// Each stream has its own correction, since streams do not jump at the same packet. If another stream has already
/// jumped by about the same amount, its correction is reused, so that audio and video stay in sync.
struct Discontinuity {
    /// The largest step backward that is not a jump. Reordered and interleaved packets stay within it.
    static let backwardTolerance: Int64 = 1_000_000_000
    /// The largest step forward that is not a jump, in containers whose clock may restart anywhere (MPEG transport
    /// streams). A smaller step is a pause in a variable-rate stream.
    static let restartTolerance: Int64 = 10_000_000_000
    /// If the corrections of two streams differ by less than this, they are for the same jump.
    private static let sameCut: UInt64 = 2_000_000_000

    private struct Stream {
        var last: Int64?
        /// The latest end of any packet so far; `Int64.min` before the first packet.
        var end = Int64.min
        var offset: Int64 = 0
    }

    private var streams: [Int: Stream] = [:]
    private let forwardTolerance: Int64

    /// - Parameter forwardTolerance: the largest step forward that is not a jump.
    init(forwardTolerance: Int64) { self.forwardTolerance = forwardTolerance }

    /// Forgets all streams. Call after a seek, when time may continue anywhere.
    mutating func reset() { streams.removeAll(keepingCapacity: true) }

    /// Returns the correction to add to a packet's timestamps.
    ///
    /// - Parameters:
    ///   - index: the packet's stream.
    ///   - time: the packet's decode time.
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
