// A library for LD_PRELOAD that makes one allocation fail.
//
// GLISSADE_FAIL_AT    the number of the allocation that fails; if 0 (the default), none fails, and all are counted
// GLISSADE_FAIL_FROM  the smallest size that counts, in bytes (1024 by default)
// GLISSADE_FAIL_IN    parts of library paths, separated by commas
//
// Only allocations by libraries whose path contains one of these parts count, because the Swift runtime cannot
// survive a failed allocation. At exit, writes the count to standard error: "allocations: 123".
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { most_ranges = 256 };

static struct {
    uintptr_t begin, end;
} ranges[most_ranges];
static atomic_int range_count;
static atomic_long counted;
static long fail_at;
static size_t fail_from = 1024;
static const char *names = "";
static atomic_int is_ready;

static void *(*real_malloc)(size_t);
static void *(*real_calloc)(size_t, size_t);
static void *(*real_realloc)(void *, size_t);
static int (*real_posix_memalign)(void **, size_t, size_t);
static void *(*real_aligned_alloc)(size_t, size_t);

// Memory for allocations that dlsym makes while it looks up the real functions.
static _Alignas(16) char early[1 << 16];
static atomic_size_t early_used;

static void *from_early(size_t size) {
    size_t place = atomic_fetch_add(&early_used, (size + 31) & ~(size_t)15);
    return place + size <= sizeof early ? early + place : NULL;
}

static int is_early(const void *pointer) { return (const char *)pointer >= early && (const char *)pointer < early + sizeof early; }

static int is_named(const char *path) {
    for (const char *name = names; *name;) {
        size_t length = strcspn(name, ",");
        if (length > 0 && memmem(path, strlen(path), name, length)) return 1;
        name += length + (name[length] == ',');
    }
    return 0;
}

static int add_library(struct dl_phdr_info *library, size_t size, void *context) {
    (void)size;
    (void)context;
    if (!library->dlpi_name || !is_named(library->dlpi_name)) return 0;
    for (int index = 0; index < library->dlpi_phnum; index++) {
        const ElfW(Phdr) *part = &library->dlpi_phdr[index];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
        int place = atomic_load(&range_count);
        if (place == most_ranges) return 1;
        ranges[place].begin = library->dlpi_addr + part->p_vaddr;
        ranges[place].end = ranges[place].begin + part->p_memsz;
        atomic_store(&range_count, place + 1);
    }
    return 0;
}

// Called by each function, since libraries allocate before the constructor has run. If dlsym allocates, `early` is
// used.
static void look_up(void) {
    static atomic_int is_looking;
    if (real_aligned_alloc || atomic_exchange(&is_looking, 1)) return;
    real_malloc = (void *(*)(size_t))dlsym(RTLD_NEXT, "malloc");
    real_calloc = (void *(*)(size_t, size_t))dlsym(RTLD_NEXT, "calloc");
    real_realloc = (void *(*)(void *, size_t))dlsym(RTLD_NEXT, "realloc");
    real_posix_memalign = (int (*)(void **, size_t, size_t))dlsym(RTLD_NEXT, "posix_memalign");
    real_aligned_alloc = (void *(*)(size_t, size_t))dlsym(RTLD_NEXT, "aligned_alloc");
}

__attribute__((constructor)) static void prepare(void) {
    look_up();
    const char *text = getenv("GLISSADE_FAIL_AT");
    fail_at = text ? atol(text) : 0;
    text = getenv("GLISSADE_FAIL_FROM");
    if (text) fail_from = strtoul(text, NULL, 10);
    names = getenv("GLISSADE_FAIL_IN");
    if (!names) names = "";
    dl_iterate_phdr(add_library, NULL);
    atomic_store(&is_ready, 1);
}

__attribute__((destructor)) static void print_count(void) {
    char line[64];
    int length = snprintf(line, sizeof line, "allocations: %ld\n", atomic_load(&counted));
    if (write(STDERR_FILENO, line, (size_t)length) < 0) return;
}

// Counts an allocation called from `caller`, and returns whether it must fail.
static int fails(size_t size, const void *caller) {
    if (size < fail_from || !atomic_load(&is_ready)) return 0;
    uintptr_t place = (uintptr_t)caller;
    int count = atomic_load(&range_count);
    for (int index = 0; index < count; index++) {
        if (place < ranges[index].begin || place >= ranges[index].end) continue;
        if (atomic_fetch_add(&counted, 1) + 1 != fail_at) return 0;
        errno = ENOMEM;
        return 1;
    }
    return 0;
}

void *malloc(size_t size) {
    look_up();
    if (fails(size, __builtin_return_address(0))) return NULL;
    return real_malloc ? real_malloc(size) : from_early(size);
}

void *calloc(size_t count, size_t size) {
    look_up();
    size_t all;
    if (__builtin_mul_overflow(count, size, &all)) return NULL;
    if (fails(all, __builtin_return_address(0))) return NULL;
    return real_calloc ? real_calloc(count, size) : from_early(all);
}

void *realloc(void *old, size_t size) {
    look_up();
    if (fails(size, __builtin_return_address(0))) return NULL;
    if (!is_early(old) && real_realloc) return real_realloc(old, size);
    void *new = malloc(size);
    // The old block's size is unknown. Copying at most up to the end of `early` only reads valid memory.
    if (new && old) {
        size_t left = (size_t)(early + sizeof early - (char *)old);
        memcpy(new, old, size < left ? size : left);
    }
    return new;
}

int posix_memalign(void **place, size_t alignment, size_t size) {
    look_up();
    if (fails(size, __builtin_return_address(0))) return ENOMEM;
    return real_posix_memalign ? real_posix_memalign(place, alignment, size) : ENOMEM;
}

void *aligned_alloc(size_t alignment, size_t size) {
    look_up();
    if (fails(size, __builtin_return_address(0))) return NULL;
    return real_aligned_alloc ? real_aligned_alloc(alignment, size) : NULL;
}

void free(void *pointer) {
    static void (*real_free)(void *);
    if (!pointer || is_early(pointer)) return;
    if (!real_free) real_free = (void (*)(void *))dlsym(RTLD_NEXT, "free");
    if (real_free) real_free(pointer);
}
