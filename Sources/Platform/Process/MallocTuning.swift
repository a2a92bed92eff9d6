import CSystem

/// How the C library's allocator keeps what was freed.
public enum MallocTuning {
    /// Blocks from so many bytes on are mapped for themselves, and go back to the system when they are freed; and so does
    /// what is free at the heap's end.
    private static let largeBlock: Int32 = 128 << 10
    private static let keptFree: Int32 = 640 << 10
    /// More heaps than threads that work at the same time only keep more free memory apart.
    private static let arenas: Int32 = 4

    /// Has pictures go back to the system when they are freed. To be called before anything else is done.
    ///
    /// By itself glibc raises both limits to tens of megabytes once a large block was freed (mallopt(3),
    /// `M_MMAP_THRESHOLD`): pictures then lie between what is small and stays, and the heap keeps what they leave. Measured
    /// over 120 ways to fullscreen and back with a film of 1920×1080: 149 → 181 MiB without this, 116 → 118 MiB with it (and
    /// 256 KiB kept free). Mesa's rasterizer, where OpenGL draws by it, takes and frees some 400 KiB for each draw: what
    /// is kept is just more than that, so that a small draw, such as a clock's, does not get them anew from the system: a
    /// fifth of its time.
    public static func returnsLargeBlocks() {
        _ = glissade_heap_limits(largeBlock, keptFree, arenas)
    }
}
