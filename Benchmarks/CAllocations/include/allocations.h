#ifndef GLISSADE_ALLOCATIONS_H
#define GLISSADE_ALLOCATIONS_H

/// How often this process has asked for heap memory so far: `malloc`, `calloc`, `realloc`, `posix_memalign`,
/// `aligned_alloc` and `memalign`, by whomever, on any thread.
unsigned long allocations_so_far(void);

/// Calls `malloc` once and gives it back, so that a benchmark can show that it would see an allocation.
void allocations_probe(void);

#endif
