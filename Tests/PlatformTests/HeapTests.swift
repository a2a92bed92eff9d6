import GlissadeCSystem
import GlissadePlatform
import Testing

@Suite("Malloc tuning", .serialized) struct HeapTests {
    /// Whether blocks of `size` are mapped for themselves once what is free in the heap is used up, and go back.
    private func isMapped(_ size: Int) -> Bool {
        var blocks: [UnsafeMutableRawPointer?] = []
        defer { for block in blocks { free(block) } }
        for _ in 0..<1000 {
            let before = mallinfo2().hblkhd
            let block = malloc(size)
            if mallinfo2().hblkhd >= before + size {
                free(block)
                return mallinfo2().hblkhd <= before
            }
            // Nothing is written into them: they cost addresses alone.
            blocks.append(block)
        }
        return false
    }

    @Test("A frame's memory is mapped on its own, even after larger blocks were freed, and is returned to the system")
    func largeBlocks() {
        MallocTuning.returnsLargeBlocks()
        // This is what makes glibc raise its limit, left to itself.
        for _ in 0..<3 { free(malloc(16 << 20)) }
        #expect(isMapped(1920 * 1080))
        #expect(isMapped(600 << 10))
        #expect(!isMapped(1 << 10))
    }
}
