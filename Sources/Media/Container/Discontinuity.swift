import Time

/// Keeps a media's time line in one piece where its timestamps jump: a stream that was cut together, a clock that
/// wrapped, a broadcast that restarted. All times are nanoseconds, and any number: sums are clamped.
///
/// Each stream is corrected as it jumps itself, since streams do not jump on the same packet; a stream that jumps by
/// about as much as another did before takes the other's correction, so that picture and sound stay together.
struct Discontinuity {
    /// Backwards by more than this is a jump: reordering and interleaving stay within it.
    static let backwardTolerance: Int64 = 1_000_000_000
    /// Forwards by more than this is a jump in containers whose clock may restart anywhere (MPEG transport streams); less
    /// is a pause in a stream of variable rate.
    static let restartTolerance: Int64 = 10_000_000_000
    /// Corrections that differ by less belong to the same cut.
    private static let sameCut: UInt64 = 2_000_000_000

    private struct Stream {
        var last: Int64?
        /// Where the farthest packet so far ends; before the first one, nowhere.
        var end = Int64.min
        var offset: Int64 = 0
    }

    private var streams: [Int: Stream] = [:]
    private let forwardTolerance: Int64

    /// - Parameter forwardTolerance: forwards by more than this is a jump.
    init(forwardTolerance: Int64) { self.forwardTolerance = forwardTolerance }

    /// Forgets everything: after a seek time may go on anywhere.
    mutating func reset() { streams.removeAll(keepingCapacity: true) }

    /// What to add to the times of the packet with decode time `time`, the next one of `index`.
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
