import CSystem

/// Tunes how glibc's allocator returns freed memory to the system.
public enum MallocTuning {
    /// Blocks of at least this size get their own mapping, which is returned to the system when they are freed.
    private static let largeBlock: Int32 = 128 << 10
    private static let keptFree: Int32 = 640 << 10
    /// Having more arenas than threads working at the same time only fragments free memory.
    private static let arenas: Int32 = 4

    /// Makes freed frame buffers go back to the system. Must be called before any other code runs.
    ///
    /// By default, glibc raises both thresholds to tens of megabytes once a large block has been freed (mallopt(3),
    /// `M_MMAP_THRESHOLD`). Frame buffers then sit on the heap between small, long-lived blocks, and the heap keeps
    /// their holes. Measured over 120 transitions to fullscreen and back with a 1920×1080 film: 149 → 181 MiB without
    /// this, 116 → 118 MiB with it (and a trim threshold of 256 KiB). Mesa's software rasterizer allocates and frees
    /// some 400 KiB for each draw. The trim threshold is just above that, so that a small draw, such as a clock's, does
    /// not fetch those pages from the system each time, which took a fifth of its time.
    public static func returnsLargeBlocks() {
        _ = glissade_heap_limits(largeBlock, keptFree, arenas)
    }
}
