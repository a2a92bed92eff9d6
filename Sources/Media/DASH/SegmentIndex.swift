/// The index of the segments in a fragmented MP4 file: the box `sidx` (ISO/IEC 14496-12, 8.16.3).
struct SegmentIndex: Hashable, Sendable {
    struct Segment: Hashable, Sendable {
        /// The place in the file, in bytes.
        var range: Range<Int64>
        /// The start and the end, in units of the timescale.
        var time: Range<Int64>
    }

    /// The number of time units per second.
    let timescale: Int64
    let segments: [Segment]

    /// The size of the largest index, in bytes: the number of entries has 16 bits, and an entry takes 12 bytes.
    static let mostBytes: Int64 = 40 + 12 * 65535

    /// Parses the box in `bytes`, which are from the offset `place` in the file. Nil if the box is damaged, or if it
    /// refers to further indexes.
    init?(_ bytes: [UInt8], at place: Int64) {
        var rest = bytes[...]
        func number(_ count: Int) -> Int64? {
            guard rest.count >= count else { return nil }
            let value = rest.prefix(count).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            rest.removeFirst(count)
            return Int64(exactly: value)
        }
        guard (0...SegmentAddressing.largest).contains(place), let size = number(4), size <= bytes.count,
            rest.prefix(4).elementsEqual("sidx".utf8)
        else { return nil }
        rest.removeFirst(4)
        guard let version = number(1), version <= 1, number(3) != nil, number(4) != nil, let timescale = number(4),
            timescale > 0, var time = number(version == 0 ? 4 : 8), let offset = number(version == 0 ? 4 : 8),
            number(2) != nil, let count = number(2)
        else { return nil }
        // The segments follow the box, after `offset` bytes. The loop cannot overflow, since the sums of 65,535 numbers
        // of 32 bits have 48 bits.
        guard max(time, offset) <= SegmentAddressing.largest else { return nil }
        var byte = place + size + offset
        var segments: [Segment] = []
        for _ in 0..<count {
            guard let reference = number(4), let duration = number(4), number(4) != nil, reference >> 31 == 0,
                reference > 0, duration > 0
            else { return nil }
            segments.append(Segment(range: byte..<byte + reference, time: time..<time + duration))
            byte += reference
            time += duration
        }
        guard !segments.isEmpty, Int64(bytes.count - rest.count) <= size else { return nil }
        self.timescale = timescale
        self.segments = segments
    }
}
