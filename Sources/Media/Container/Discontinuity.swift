import Time

/// Keeps a media timeline continuous across timestamp jumps: concatenated streams, wrapped clocks, restarted
/// broadcasts. All times are nanoseconds and may be any number; sums are clamped.
///
/// Each stream is corrected at its own jump, since streams do not jump on the same packet. If another stream has
/// already jumped by about as much, its correction is reused, so that audio and video stay in sync.
struct Discontinuity {
    /// A larger step backward is a jump. Reordering and interleaving stay within it.
    static let backwardTolerance: Int64 = 1_000_000_000
    /// A larger step forward is a jump in containers whose clock may restart anywhere (MPEG transport streams). A
    /// smaller one is a pause in a variable-rate stream.
    static let restartTolerance: Int64 = 10_000_000_000
    /// Corrections that differ by less belong to the same cut.
    private static let sameCut: UInt64 = 2_000_000_000

    private struct Stream {
        var last: Int64?
        /// The end of the farthest packet so far; `Int64.min` before the first.
        var end = Int64.min
        var offset: Int64 = 0
    }

    private var streams: [Int: Stream] = [:]
    private let forwardTolerance: Int64

    /// - Parameter forwardTolerance: the largest step forward that is not a jump.
    init(forwardTolerance: Int64) { self.forwardTolerance = forwardTolerance }

    /// Forgets all streams, since time may continue anywhere after a seek.
    mutating func reset() { streams.removeAll(keepingCapacity: true) }

    /// Returns the correction for a packet's timestamps.
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
