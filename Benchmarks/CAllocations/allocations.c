// Counts heap allocations. The dynamic linker binds all calls in the process, including those of the Swift runtime,
// to these definitions rather than to the C library's. Each function counts its call and forwards it to glibc's own
// function.

#include "allocations.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static atomic_ulong count;

static void note(void) { atomic_fetch_add_explicit(&count, 1, memory_order_relaxed); }

void *malloc(size_t size) {
    note();
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    note();
    return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
    note();
    return __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size) {
    note();
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **place, size_t alignment, size_t size) {
    void *memory = memalign(alignment, size);
    if (!memory) return ENOMEM;
    *place = memory;
    return 0;
}

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
