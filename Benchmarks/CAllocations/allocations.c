// Counts heap allocations. The dynamic linker binds all calls in the process, including those of the Swift runtime,
// to these definitions rather than to the C library's. Each function counts its call and forwards it to glibc's own
// function.

#include "allocations.h"

#include <stdatomic.h>
#include <stddef.h>

static atomic_ulong count;

static void note(void) { atomic_fetch_add_explicit(&count, 1, memory_order_relaxed); }

#include "interposers.h"

unsigned long allocations_so_far(void) { return atomic_load_explicit(&count, memory_order_relaxed); }

void allocations_probe(void) {
    // Calls through a volatile pointer, because the compiler may remove an unused allocation.
    void *(*volatile allocate)(size_t) = malloc;
    void *memory = allocate(16);
    void (*volatile release)(void *) = NULL;
    extern void free(void *);
    release = free;
    release(memory);
}
