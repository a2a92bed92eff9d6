import CSystem

/// Tunes how glibc's allocator returns freed memory to the system.
public enum MallocTuning {
    /// The mmap threshold, in bytes. A block of this size or more gets its own mapping, which is unmapped when the
    /// block is freed.
    private static let largeBlock: Int32 = 128 << 10
    /// The trim threshold, in bytes. When more memory than this is free at the end of the heap, it is returned to the
    /// system.
    private static let keptFree: Int32 = 640 << 10
    /// The maximum number of arenas. More arenas than there are busy threads would only fragment free memory.
    private static let arenas: Int32 = 4

    /// Makes glibc return freed frame buffers to the system. Must be called before any other code runs.
    ///
    /// By default, glibc may raise the mmap and trim thresholds to tens of megabytes when a large block is freed
    /// (mallopt(3), `M_MMAP_THRESHOLD`). It then places frame buffers on the heap between small, long-lived blocks, and
    /// the holes that they leave stay in the heap. Memory use over 120 transitions to fullscreen and back, with a
    /// 1920×1080 film: 149 → 181 MiB without this call, 116 → 118 MiB with it (measured with a trim threshold of 256
    /// KiB).
    ///
    /// Mesa's software rasterizer allocates and frees about 400 KiB for each draw. The trim threshold is higher than
    /// that, so that a small draw, such as a clock's, need not get these pages from the system each time. Getting them
    /// took a fifth of the draw's time.
    public static func returnsLargeBlocks() {
        _ = glissade_heap_limits(largeBlock, keptFree, arenas)
    }
}
