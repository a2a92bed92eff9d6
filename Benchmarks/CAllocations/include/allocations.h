#ifndef GLISSADE_ALLOCATIONS_H
#define GLISSADE_ALLOCATIONS_H

/// The number of heap allocations by this process so far: `malloc`, `calloc`, `realloc`, `posix_memalign`,
/// `aligned_alloc` and `memalign`, on any thread.
unsigned long allocations_so_far(void);

/// Calls `malloc` and `free` once, so that a benchmark can check that allocations are counted.
void allocations_probe(void);

#endif
