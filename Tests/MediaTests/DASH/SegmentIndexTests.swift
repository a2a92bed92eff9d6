import Testing

@testable import GlissadeMedia

@Suite("The segment index of an MP4 file")
struct SegmentIndexTests {
    /// A box `sidx` with segments of these sizes and durations.
    static func box(
        _ segments: [(size: UInt32, duration: UInt32)], timescale: UInt32, start: UInt32 = 0, offset: UInt32 = 0
    ) -> [UInt8] {
        func bytes(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.bigEndian, Array.init) }
        let entries = segments.flatMap { bytes($0.size) + bytes($0.duration) + bytes(0x9000_0000) }
        let fields =
            bytes(0) + bytes(1) + bytes(timescale) + bytes(start) + bytes(offset) + bytes(UInt32(segments.count))
        return bytes(UInt32(8 + fields.count + entries.count)) + Array("sidx".utf8) + fields + entries
    }

    @Test("The segments follow the index, with the times of the index")
    func segments() throws {
        let box = Self.box([(500, 90), (700, 45)], timescale: 30, start: 60, offset: 8)
        let index = try #require(SegmentIndex(box + [1, 2, 3], at: 1000))
        #expect(index.timescale == 30)
        let first = 1000 + Int64(box.count) + 8
        #expect(index.segments.map(\.range) == [first..<first + 500, first + 500..<first + 1200])
        #expect(index.segments.map(\.time) == [60..<150, 150..<195])
    }

    @Test("A cut or contradictory index is refused")
    func damage() {
        let box = Self.box([(500, 90), (700, 45)], timescale: 30)
        for count in 0..<box.count { #expect(SegmentIndex(Array(box.prefix(count)), at: 0) == nil, "\(count)") }
        #expect(SegmentIndex(Self.box([], timescale: 30), at: 0) == nil)
        #expect(SegmentIndex(Self.box([(500, 90)], timescale: 0), at: 0) == nil)
        #expect(SegmentIndex(Self.box([(500, 0)], timescale: 30), at: 0) == nil)
        #expect(SegmentIndex(Self.box([(0, 90)], timescale: 30), at: 0) == nil)
        // A reference to another index.
        #expect(SegmentIndex(Self.box([(0x8000_0000 | 500, 90)], timescale: 30), at: 0) == nil)
        #expect(SegmentIndex(box, at: .max) == nil)
        #expect(SegmentIndex(box, at: -1) == nil)
        // Entries beyond the end of the box.
        for size in [0, 1, 8, UInt8(box.count - 1)] {
            #expect(SegmentIndex([0, 0, 0, size] + box[4...], at: 0) == nil, "\(size)")
        }
        for place in box.indices {
            var changed = box
            changed[place] = 255
            _ = SegmentIndex(changed, at: SegmentAddressing.largest)
        }
    }
}
