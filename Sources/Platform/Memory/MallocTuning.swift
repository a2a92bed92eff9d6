import GlissadeCSystem

/// Tunes how glibc's allocator returns freed memory to the system.
package enum MallocTuning {
    /// The mmap threshold, in bytes. A block of this size or more gets its own mapping, which is unmapped when the
    /// block is freed.
    private static let largeBlock: Int32 = 128 << 10
    /// The trim threshold, in bytes. When more memory than this is free at the end of the heap, it is returned to the
    /// system.
    private static let keptFree: Int32 = 640 << 10
    /// The maximum number of arenas. Having more arenas than busy threads would only fragment free memory.
    private static let arenas: Int32 = 4

    /// Makes glibc return freed frame buffers to the system. Must be called at the start of `main`.
    ///
    /// By default, glibc may raise the mmap and trim thresholds to tens of megabytes when a large block is freed
    /// (mallopt(3), `M_MMAP_THRESHOLD`). Frame buffers would then be placed on the heap between small, long-lived
    /// blocks, and their memory could not be returned to the system.
    ///
    /// Mesa's software rasterizer allocates and frees small blocks, about 400 KiB in all, for each draw. The trim
    /// threshold is higher than that, so this memory stays in the heap from one draw to the next.
    package static func returnsLargeBlocks() {
        _ = glissade_heap_limits(largeBlock, keptFree, arenas)
    }
}
