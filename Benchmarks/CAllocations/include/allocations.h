#ifndef GLISSADE_ALLOCATIONS_H
#define GLISSADE_ALLOCATIONS_H

/// The number of heap allocations that the process has made so far, on any thread. Counts calls of `malloc`,
/// `calloc`, `realloc`, `posix_memalign`, `aligned_alloc` and `memalign`.
unsigned long allocations_so_far(void);

/// Calls `malloc` and `free` once. A benchmark can use this to check that allocations are counted.
void allocations_probe(void);

#endif
