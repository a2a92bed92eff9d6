import CSystem
import Host
import Testing

@Suite("The heap", .serialized) struct HeapTests {
    /// How many bytes are mapped for a block of `size`, freed again, beside what there was.
    private func mapped(_ size: Int) -> Int {
        let before = mallinfo2().hblkhd
        let block = malloc(size)
        defer { free(block) }
        return Int(mallinfo2().hblkhd) - Int(before)
    }

    @Test("a picture's memory is mapped for itself, also after larger ones were freed, and goes back")
    func largeBlocks() {
        Heap.returnsLargeBlocks()
        // This is what makes glibc raise its limit, left to itself.
        for _ in 0..<3 { free(malloc(16 << 20)) }
        #expect(mapped(1920 * 1080) >= 1920 * 1080)
        #expect(mapped(600 << 10) >= 600 << 10)
        #expect(mapped(4 << 10) == 0)
    }
}
